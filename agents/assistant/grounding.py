"""Check sentences of the model against the sources that it was given, without any other knowledge."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agents.assistant.disclosure import as_json
from agents.builtin.text.numbers import lacking
from agents.run.step import read_id
from connectors.records.clean import clean_text

MOST_SENTENCES = 6
LONGEST_SENTENCE = 400
_ID = re.compile(r"[\[(]?\b(P\d{1,3}(?:_[0-9a-f]{4})?)\b[\])]?")
_LINK = re.compile(r"https?:|www\.|\bdoi\b|\b10\.\d{4,9}/|\barxiv:|\]\(|\] \(\w+:|<\w", re.IGNORECASE)
_QUOTED = re.compile('[“”„"«»‘]([^“”„"«»‘’]{2,}?)[“”"«»’]')


@dataclass(frozen=True)
class GroundingSource:
    """What the model was given under an id: a name for use in sentences, and the data."""

    name: str
    told: Mapping[str, Any]

    @cached_property
    def words(self) -> str:
        """The words of the data, separated and enclosed by spaces."""
        return f" {_plain(self.known)} "

    @cached_property
    def known(self) -> str:
        return as_json({key: value for key, value in self.told.items() if key != "id"})


def checked(written: Iterable[tuple[str, Sequence[str]]], sources: Mapping[str, GroundingSource]) -> list[str]:
    """Return the supported sentences, each once; `written` has each sentence with the ids of its sources."""
    held = (supported(text, rests_on, sources) for text, rests_on in written)
    return list(dict.fromkeys(sentence for sentence in held if sentence))


def supported(text: str, rests_on: Sequence[str], sources: Mapping[str, GroundingSource]) -> str:
    """Return a sentence of the model with the names of its sources in place of their ids, and the names of its other
    sources at the end; "" if it is not supported.

    A sentence is not supported if it has no listed source, names an id that is not listed, has a quote that is not in
    its sources or a link, or a number (with unit and sign) that is not in its sources and does not count papers.
    """
    sentence = clean_text(text, LONGEST_SENTENCE)
    named = _named(sentence)
    rested = (read_id(source, sources.keys()) or source for source in rests_on)
    cited = [name for name in dict.fromkeys((*named, *rested)) if name]
    if not cited or not _holds(sentence, cited, sources):
        return ""
    rest = dict.fromkeys(sources[name].name for name in cited if name not in named)
    shown = _named_in(sentence, sources)
    claim = shown.rstrip(".!?")
    return f"{' '.join((claim, *rest))}{shown[len(claim) :]}"


def beginning(text: str, sources: Mapping[str, GroundingSource]) -> str:
    """Return the complete words of an unfinished sentence, with the names of its sources; "" if no choice among the
    sources can support it."""
    sentence = clean_text(text, LONGEST_SENTENCE)
    whole = sentence if text[-1:].isspace() else sentence.rpartition(" ")[0]
    return _named_in(whole, sources) if _holds(whole, list(sources), sources) else ""


def _holds(sentence: str, cited: Sequence[str], sources: Mapping[str, GroundingSource]) -> bool:
    """Whether the sources `cited` support a sentence."""
    if not any(map(str.isalpha, sentence)) or any(name not in sources for name in (*cited, *_named(sentence))):
        return False
    if _LINK.search(sentence) or _LINK.search(_named_in(sentence, sources)):
        return False
    cited_sources = [sources[name] for name in cited]
    if any(
        not any(f" {_plain(quote)} " in source.words for source in cited_sources) for quote in _QUOTED.findall(sentence)
    ):
        return False
    counts = frozenset(range(len(sources) + 1))  # numbers that count papers
    return not lacking(_ID.sub("", sentence), "\n".join(source.known for source in cited_sources), counts)


def _named(sentence: str) -> list[str]:
    return _ID.findall(sentence)


def _named_in(sentence: str, sources: Mapping[str, GroundingSource]) -> str:
    return _ID.sub(lambda match: sources[match[1]].name, sentence)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
