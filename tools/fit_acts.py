"""Fits the model of likely acts to messages that are labelled with their acts.

    python tools/fit_acts.py [--held-out N]

`act_messages.txt` has the messages under the names of their acts, with types such as SUBJ in place of the values of a
library; NEW and TEXT stand for words that no message has. With --held-out, nothing is written: each Nth message is left
out, and it is shown how many of those are read right, at once and among the three likeliest.
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
from agents.reading.acts.likely import DIMENSION, TABLE, UNKNOWN, VALUES, features, meaning
from agents.reading.tokens import Token, tokens_of

MESSAGES = Path(__file__).with_name("act_messages.txt")
PENALTY = 0.01
"""Chosen by held-out messages, as is the length 1 of the word vectors."""
LEAST = 2
"""Minimum number of messages with a pair of words."""
ROUNDS = 100

Labelled = tuple[str, list[str]]
"""The class of acts of a message, and its words."""


def messages() -> list[Labelled]:
    rows: list[Labelled] = []
    acts = ""
    for line in MESSAGES.read_text("utf-8").splitlines():
        if line.startswith("#"):
            acts = line.removeprefix("#").strip()
        else:
            rows.append((acts, list(map(_word, tokens_of(line)))))
    return rows


def _word(token: Token) -> str:
    return token.text if token.text in VALUES else UNKNOWN if token.text in ("NEW", "TEXT") else token.key


def fitted(rows: Sequence[Labelled]) -> tuple[list[str], list[str], NDArray[np.float64], NDArray[np.float64]]:
    """Return the classes, the features, and the weights and the bias that make the labels likeliest. A message with
    words that no other has counts a second time, without them."""
    having = Counter(word for _, words in rows for word in set(words))
    rare = [(acts, [word if having[word] > 1 else UNKNOWN for word in words]) for acts, words in rows]
    rows = [row for row, _ in groupby(sorted([*rows, *(row for row in rare if UNKNOWN in row[1])]))]
    found = [features(words) for _, words in rows]
    vectors = np.array([meaning(words) for _, words in rows])
    count = Counter(feature for each in found for feature in each)
    kept = sorted(feature for feature, number in count.items() if number >= LEAST or " " not in feature)
    column = {feature: number for number, feature in enumerate(kept)}
    classes = sorted({acts for acts, _ in rows})
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
    right = np.eye(len(classes))[[classes.index(acts) for acts, _ in rows]]
    size = len(kept) * len(classes)

    def loss(point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights, bias = point[:size].reshape(len(kept), -1), point[size:]
        scores = table @ weights + bias
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        shares /= shares.sum(axis=1, keepdims=True)
        off = shares - right
        value = -np.log(np.maximum((shares * right).sum(axis=1), 1e-12)).sum() + PENALTY / 2 * (weights**2).sum()
        return value, np.concatenate([(table.T @ off + PENALTY * weights).ravel(), off.sum(axis=0)])

    start = np.zeros(size + len(classes))
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS})
    point: NDArray[np.float64] = best.x
    return classes, kept, point[:size].reshape(len(kept), -1), point[size:]


def right_of(rows: Sequence[Labelled], left_out: Sequence[Labelled]) -> tuple[float, float]:
    """Return the shares of the messages left out whose act is the likeliest, and one of the three likeliest."""
    classes, kept, weights, bias = fitted(rows)
    column = {feature: number for number, feature in enumerate(kept)}
    ranks = []
    for acts, words in left_out:
        found = features([word if word in column else UNKNOWN for word in words])
        scores = weights[[column[each] for each in found if each in column]].sum(axis=0) / len(found) ** 0.5 + bias
        scores += np.array(meaning(words)) @ weights[column[f"{DIMENSION}0"] :]
        ranks.append([classes[at] for at in np.argsort(-scores)].index(acts))
    return float(np.mean(np.array(ranks) == 0)), float(np.mean(np.array(ranks) < 3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--held-out", type=int)
    options = parser.parse_args()
    rows = messages()
    if every := options.held_out:
        rest = [row for number, row in enumerate(rows) if number % every]
        first, three = right_of(rest, rows[::every])
        print(f"{len(rows[::every])} messages: {first:.1%} at once, {three:.1%} among three")
        return
    classes, kept, weights, bias = fitted(rows)
    table = zip(kept, np.round(weights * 100).astype(int).tolist(), strict=True)
    lines = ["\t".join(classes), " ".join(str(round(100 * value)) for value in bias.tolist())]
    lines += (f"{feature}\t{' '.join(map(str, row))}" for feature, row in table)
    Path(likely.__file__).with_name(TABLE).write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    print(f"{len(rows):,} messages, {len(classes)} classes, {len(kept):,} features")


if __name__ == "__main__":
    main()
