"""The interpreted question; all later steps read this form."""

import json
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from agents.builtin.question_parsing.parsed_question import ParsedQuestion
from agents.builtin.question_parsing.question import read
from agents.search.events import QuestionUnderstood
from connectors.query.expression import expression_of, subject_words

MOST_NEEDS = 4


@dataclass(frozen=True, slots=True)
class SearchIntent:
    """The interpreted question.

    `meaning` states it in one English sentence with the terms of the field; "" if unknown. `needs` are contributions
    each of which makes a paper useful, the question itself first; if empty, there is only the question. `subject` is
    the question without its conditions and orders ("since 2020", "summarize …"); "" if unknown. `limits` names the
    conditions that are checked on each record without reading its text.
    """

    question: str
    meaning: str = ""
    needs: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    subject: str = ""

    @property
    def words(self) -> str:
        """The words with which papers are compared."""
        return self.meaning or self.subject or self.question

    @property
    def need_ids(self) -> tuple[str, ...]:
        """Ids of the needs in prompts and answers."""
        return tuple(f"n{number}" for number in range(1, len(self.needs) + 1))

    def intro(self) -> str:
        """Return the description of the question that begins a prompt."""
        needs = dict(zip(self.need_ids, self.needs, strict=True))
        parts = [f"Question:\n{self.question}"]
        parts += [f"Meaning:\n{self.meaning}"] if self.meaning else []
        parts += [f"Needs:\n{json.dumps(needs, ensure_ascii=False)}"] if needs else []
        parts += [f"Checked elsewhere, so no reason against a paper:\n{', '.join(self.limits)}"] if self.limits else []
        return "\n\n".join(parts) + "\n\n"


def wanted_by(question: str, interpretation: QuestionUnderstood, today: date) -> SearchIntent:
    """Return the intent of `question`, asked on the day `today`, given its interpretation."""
    tree = expression_of(question)
    subject = reading(question, today).subject if interpretation.intent else ""
    if tree is not None:
        subject = " ".join(subject_words(tree))
    return SearchIntent(question, interpretation.meaning, interpretation.needs, interpretation.limits, subject)


@lru_cache(maxsize=64)
def reading(question: str, today: date) -> ParsedQuestion:
    """Return the question as built-in rules parse it."""
    return read(question, today)
