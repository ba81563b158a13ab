"""What a paper is compared by: the words of its title and abstract, its keywords, and what it is linked to.

Each is a number of 32 bits, so that a library of 100,000 papers is compared in memory without its texts. Two different
words may share a number, once in some thousands of times: rankings bear that, and whatever is said of a paper in words
is read from the paper itself.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from agents.builtin.text.terms import terms
from connectors.identifiers import Identifier
from connectors.paper import Paper

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    Numbers = NDArray[uint32]

READER = 1
"""Grows when papers are read in another way: tokens that are kept are then made anew."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of Thai, Lao, Japanese and Chinese."""
_WORD, _KEYWORD, _NAME = b"word ", b"keyword ", b"name "


class Tokens(NamedTuple):
    """The tokens of a paper, each once: of its `content`, of the works that it `cites`, and of its own `names`."""

    content: tuple[int, ...]
    cites: tuple[int, ...]
    names: tuple[int, ...]

    def packed(self) -> bytes:
        """All of them with their three counts, as little-endian words of 32 bits."""
        import numpy as np

        counts = (len(self.content), len(self.cites), len(self.names))
        return np.array([*counts, *self.content, *self.cites, *self.names], dtype="<u4").tobytes()


def tokens_of(paper: Paper, cited: Iterable[Identifier] = ()) -> Tokens:
    """What `paper` is compared by; `cited` are works that it is known to cite besides those its record names."""
    words = dict.fromkeys(_words(f"{paper.title} {paper.about}"))
    for keyword in paper.keywords:
        words |= dict.fromkeys(_words(keyword))
    content = [_number(_WORD, word) for word in words]
    content += [_number(_KEYWORD, keyword_of(keyword)) for keyword in paper.keywords]
    return Tokens(_once(content), _once(map(_name, (*paper.references, *cited))), _once(map(_name, paper.identifiers)))


def keyword_of(keyword: str) -> str:
    """What makes two keywords one: their terms, whatever their case and endings."""
    return " ".join(terms(keyword)) or keyword.casefold()


def _words(text: str) -> Iterator[str]:
    """The terms of `text`; of scripts that set no blanks between words, every two letters that stand together."""
    for term in terms(text):
        if _UNSPACED.search(term) and len(term) > 2:
            yield from (term[at : at + 2] for at in range(len(term) - 1))
        else:
            yield term


def _name(name: Identifier) -> int:
    return _number(_NAME, f"{name.scheme}:{name.value}")


def _number(kind: bytes, text: str) -> int:
    return crc32(kind + text.encode("utf-8", "surrogatepass"))


def _once(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))
