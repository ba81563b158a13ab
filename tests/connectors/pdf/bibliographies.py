"""Bibliographies set from known works."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from tests.connectors.pdf.known_works import Known
from tests.connectors.pdf.styles import NUMBERED, UNNUMBERED, entry_of, wrapped

BODY = """1 Introduction
We study retrieval for open-domain questions (Karpukhin et al., 2020) with self-supervised
learning, which builds on large-scale pretraining [1, 4] and was found useful before [12].
In 2021 the field moved on. Deep learning methods and language models are used throughout.""".splitlines()
APPENDIX = """A Details of the experiments
All models were trained for 3 days on 8 machines with a batch size of 256.
The learning rate was set to 0.0001 in all experiments that are reported here.
Seeds were 1, 2 and 3, and the best of them was taken in each of the runs.
We thank all readers of this text for their patience with its many lines.""".splitlines()


class Setting(NamedTuple):
    """How a bibliography is set: its style, whether entries are numbered, how it stands on the page."""

    style: str
    numbered: bool
    hang: str = ""
    gaps: bool = False
    width: int = 60


SETTINGS = [
    *(Setting(style, True, hang) for style in NUMBERED for hang in ("", "  ")),
    *(Setting(style, False, hang) for style in UNNUMBERED for hang in ("", "  ")),
    *(Setting(style, False, "", gaps=True, width=90) for style in UNNUMBERED),
]


def lines_of(works: Sequence[Known], setting: Setting, seed: int = 1) -> list[str]:
    """The lines of a paper that cites `works`: a body, its references, an appendix."""
    draw = random.Random(seed)
    if setting.numbered:
        entries = [entry_of(setting.style, work, number) for number, work in enumerate(works, start=1)]
    else:
        entries = [UNNUMBERED[setting.style](work) for work in sorted(works, key=lambda work: work.authors[0].family)]
    lines = [*BODY, "", "References"]
    for entry in entries:
        lines += [*([""] if setting.gaps else []), *wrapped(entry, setting.width, draw, setting.hang)]
    return [*lines, "", *APPENDIX]
