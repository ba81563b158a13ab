"""Sentences of different papers whose findings are opposite, told as one."""

from collections.abc import Iterable, Sequence

from agents.evidence.extracts import leans
from agents.summary.events import Sentence


def paired(sentences: Sequence[Sentence], opposed: Iterable[tuple[int, int]]) -> list[Sentence]:
    """`sentences` with the `opposed` ones, by their places, joined into one that cites both; each into one at most.

    What leans on the sentence before it stays behind that one, so neither is joined to another.
    """
    works = [{citation.work for citation in sentence.citations} for sentence in sentences]
    leaning = {number for number, sentence in enumerate(sentences) if leans(sentence.text)}
    held = leaning | {number - 1 for number in leaning}
    pairs: dict[int, int] = {}
    for first, second in map(sorted, opposed):
        if first != second and not works[first] & works[second] and not {first, second} & held:
            pairs[first] = second
            held |= {first, second}
    later = set(pairs.values())
    joined = []
    for number, sentence in enumerate(sentences):
        if number in pairs:
            other = sentences[pairs[number]]
            joined.append(
                Sentence(f"{sentence.text} {other.text}", (*sentence.citations, *other.citations), contested=True)
            )
        elif number not in later:
            joined.append(sentence)
    return joined
