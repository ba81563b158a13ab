"""Sentences of different papers that contradict each other, told as one."""

from collections.abc import Sequence

from agents.builtin.summarizing.contradictions import contradictions
from agents.builtin.summarizing.extractive import leans
from agents.summary.events import Sentence


def paired(sentences: Sequence[Sentence]) -> list[Sentence]:
    """`sentences` with those of different papers that contradict each other joined into one that cites both.

    What leans on the sentence before it stays behind that one, so neither is joined to another.
    """
    works = [{citation.work for citation in sentence.citations} for sentence in sentences]
    opposed = contradictions([sentence.text for sentence in sentences])
    leaning = {number for number, sentence in enumerate(sentences) if leans(sentence.text)}
    held = leaning | {number - 1 for number in leaning}
    pairs = {
        first: second for first, second in opposed if not works[first] & works[second] and not {first, second} & held
    }
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
