"""Fits the models of likely acts and likely states to messages that are labelled with them.

    python tools/fit_acts.py [--held-out N]

`act_messages.txt` has messages under the names of their acts, `state_messages.txt` has messages behind the states of
the papers that they ask for, each with types such as SUBJ in place of the values of a library; NEW and TEXT stand for
words that no message has. With --held-out, nothing is written: each Nth message is left out, and it is shown how many
of those are read right, at once and among the three likeliest; for states, how many that are said are found, and how
many that are found are said.
"""

import argparse
import gzip
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack

from agents.reading.acts import likely
from agents.reading.acts.likely import ACTS_TABLE, DIMENSION, STATES_TABLE, UNKNOWN, VALUES, features, meaning
from agents.reading.tokens import Token, tokens_of

MESSAGES = Path(__file__).with_name("act_messages.txt")
STATE_MESSAGES = Path(__file__).with_name("state_messages.txt")
PENALTY = 0.01
"""Chosen by held-out messages, as is the length 1 of the word vectors."""
LEAST = 2
"""Minimum number of messages with a pair of words."""
ROUNDS = 100

Labelled = tuple[tuple[str, ...], list[str]]
"""The class of acts of a message, or the states that it says, and its words."""


def messages() -> list[Labelled]:
    rows: list[Labelled] = []
    acts = ""
    for line in MESSAGES.read_text("utf-8").splitlines():
        if line.startswith("#"):
            acts = line.removeprefix("#").strip()
        else:
            rows.append(((acts,), list(map(_word, tokens_of(line)))))
    return rows


def messages_with_states() -> list[Labelled]:
    rows = (line.split("\t", 1) for line in STATE_MESSAGES.read_text("utf-8").splitlines())
    return [(tuple(filter(None, states.split(","))), list(map(_word, tokens_of(message)))) for states, message in rows]


def _word(token: Token) -> str:
    return token.text if token.text in VALUES else UNKNOWN if token.text in ("NEW", "TEXT") else token.key


def fitted(
    rows: Sequence[Labelled], *, several: bool = False
) -> tuple[list[str], list[str], NDArray[np.float64], NDArray[np.float64]]:
    """Return the classes, the features, and the weights and the bias that make the labels likeliest; a message has one
    class, or any number of them. A message with words that no other has counts a second time, without them."""
    having = Counter(word for _, words in rows for word in set(words))
    rare = [(labels, [word if having[word] > 1 else UNKNOWN for word in words]) for labels, words in rows]
    rows = [row for row, _ in groupby(sorted([*rows, *(row for row in rare if UNKNOWN in row[1])]))]
    found = [features(words) for _, words in rows]
    vectors = np.array([meaning(words) for _, words in rows])
    count = Counter(feature for each in found for feature in each)
    kept = sorted(feature for feature, number in count.items() if number >= LEAST or " " not in feature)
    column = {feature: number for number, feature in enumerate(kept)}
    classes = sorted({label for labels, _ in rows for label in labels})
    cells = [
        (row, column[each], len(all_of) ** -0.5)
        for row, all_of in enumerate(found)
        for each in all_of
        if each in column
    ]
    lines, columns, values = zip(*cells, strict=True)
    shape = (len(rows), len(kept))
    table = hstack([csr_matrix((values, (lines, columns)), shape), csr_matrix(vectors)]).tocsr()
    kept += (f"{DIMENSION}{at}" for at in range(vectors.shape[1]))
    right = np.array([[name in labels for name in classes] for labels, _ in rows], float)
    size = len(kept) * len(classes)

    def loss(point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights, bias = point[:size].reshape(len(kept), -1), point[size:]
        scores = table @ weights + bias
        if several:
            shares = 1 / (1 + np.exp(-scores))
            hit = np.where(right > 0, shares, 1 - shares)
        else:
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            hit = (shares * right).sum(axis=1)
        off = shares - right
        value = -np.log(np.maximum(hit, 1e-12)).sum() + PENALTY / 2 * (weights**2).sum()
        return value, np.concatenate([(table.T @ off + PENALTY * weights).ravel(), off.sum(axis=0)])

    start = np.zeros(size + len(classes))
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS})
    point: NDArray[np.float64] = best.x
    return classes, kept, point[:size].reshape(len(kept), -1), point[size:]


def _scored(
    rows: Sequence[Labelled], left_out: Sequence[Labelled], *, several: bool = False
) -> tuple[list[str], NDArray[np.float64]]:
    """Return the classes, and a row of scores for each message left out."""
    classes, kept, weights, bias = fitted(rows, several=several)
    column = {feature: number for number, feature in enumerate(kept)}
    table = []
    for _, words in left_out:
        found = features([word if word in column else UNKNOWN for word in words])
        scores = weights[[column[each] for each in found if each in column]].sum(axis=0) / len(found) ** 0.5 + bias
        table.append(scores + np.array(meaning(words)) @ weights[column[f"{DIMENSION}0"] :])
    return classes, np.array(table)


def right_of(rows: Sequence[Labelled], left_out: Sequence[Labelled]) -> tuple[float, float]:
    """Return the shares of the messages left out whose act is the likeliest, and one of the three likeliest."""
    classes, scores = _scored(rows, left_out)
    labels = (classes.index(acts) for (acts,), _ in left_out)
    ranks = np.array([np.argsort(-row).tolist().index(at) for row, at in zip(scores, labels, strict=True)])
    return float(np.mean(ranks == 0)), float(np.mean(ranks < 3))


def found_of(rows: Sequence[Labelled], left_out: Sequence[Labelled]) -> tuple[float, float]:
    """Return how many of the states said in the messages left out are found, and how many of those found are said."""
    classes, scores = _scored(rows, left_out, several=True)
    said = np.array([[name in labels for name in classes] for labels, _ in left_out])
    hits = float((said & (scores > 0)).sum())
    return hits / float(said.sum()), hits / float((scores > 0).sum())


def _write(rows: Sequence[Labelled], table: str, *, several: bool = False) -> None:
    classes, kept, weights, bias = fitted(rows, several=several)
    lines = ["\t".join(classes), " ".join(str(round(100 * value)) for value in bias.tolist())]
    table_rows = zip(kept, np.round(weights * 100).astype(int).tolist(), strict=True)
    lines += (f"{feature}\t{' '.join(map(str, row))}" for feature, row in table_rows)
    Path(likely.__file__).with_name(table).write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    print(f"{len(rows):,} messages, {len(classes)} classes, {len(kept):,} features")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--held-out", type=int)
    options = parser.parse_args()
    acts, states = messages(), messages_with_states()
    if every := options.held_out:
        rest, others = ([row for number, row in enumerate(rows) if number % every] for rows in (acts, states))
        first, three = right_of(rest, acts[::every])
        print(f"{len(acts[::every])} messages: {first:.1%} at once, {three:.1%} among three")
        found, right = found_of(others, states[::every])
        print(f"{len(states[::every])} messages with states: {found:.1%} found, {right:.1%} of those found are said")
        return
    _write(acts, ACTS_TABLE)
    _write(states, STATES_TABLE, several=True)


if __name__ == "__main__":
    main()
