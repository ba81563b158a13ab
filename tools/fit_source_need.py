"""Fits how surely a special source is needed for a question, from 2,800 topics that were labeled for it.

    python tools/fit_source_need.py

`source_topics.tsv` has a topic a line and, behind a tab, a letter for each of `SOURCES`: n needed, f fine, u useless.
It is measured on questions that neither this tool nor the topics have seen.
"""

from pathlib import Path

import numpy as np

from agents.builtin.question_parsing.sources import STEP, TABLE, features, likeness

SOURCES = ("pubmed", "europepmc", "arxiv", "dblp")
LABELS = {"n": (1.0, 1.0), "f": (0.5, 0.3), "u": (0.0, 1.0)}
"""What each letter stands for, and how much it weighs."""
NOISE = 0.3
"""How little a label of full weight is believed; chosen, as the kernel, with five folds of the topics."""


def main() -> None:
    """Write the table."""
    lines = (Path(__file__).parent / "source_topics.tsv").read_text("utf-8").splitlines()
    rows = [
        (row, letters)
        for topic, letters in (line.rsplit("\t", 1) for line in lines)
        if (row := features(topic)) is not None
    ]
    topics = np.round(np.array([row for row, _ in rows]) / STEP).astype(np.int8)
    alike = likeness(topics * np.float32(STEP), topics * np.float32(STEP)).astype(np.float64)
    labels = np.array([[LABELS[letter] for letter in letters] for _, letters in rows])
    needed, weight = labels[..., 0], labels[..., 1]
    usual = (weight * needed).sum(axis=0) / weight.sum(axis=0)
    shares = [
        np.linalg.solve(alike + np.diag(NOISE / weight[:, column]), needed[:, column] - usual[column])
        for column in range(len(SOURCES))
    ]
    np.savez_compressed(
        Path(__file__).parents[1] / "agents/builtin/question_parsing/fields" / TABLE,
        sources=np.frombuffer("\n".join(SOURCES).encode(), np.uint8),
        topics=topics,
        shares=np.array(shares, np.float32).T,
        usual=usual.astype(np.float32),
    )


if __name__ == "__main__":
    main()
