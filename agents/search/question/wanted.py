"""What is wanted: a question as it was understood, in the one form that every later step reads."""

import json
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from agents.builtin.question_parsing.question import Reading, read
from agents.search.events import QuestionUnderstood


@dataclass(frozen=True, slots=True)
class Wanted:
    """`meaning` is what the question asks for in one English sentence of the field's terms, "" where nobody has said.
    `needs` are the things a paper can offer, each of which makes it useful; none but the question itself if empty.
    `subject` is the question without its conditions and orders ("since 2020", "summarize …"), "" if nobody has read it.
    `limits` says in words what is checked of each record without anybody reading its text.
    """

    question: str
    meaning: str = ""
    needs: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    subject: str = ""

    @property
    def words(self) -> str:
        """The words that papers are compared with."""
        return self.meaning or self.subject or self.question

    @property
    def need_ids(self) -> tuple[str, ...]:
        """What the needs are called where a model reads of them."""
        return tuple(f"n{number}" for number in range(1, len(self.needs) + 1))

    def told(self) -> str:
        """What a model is told of all this, ahead of what it is to do with it."""
        needs = dict(zip(self.need_ids, self.needs, strict=True))
        parts = [f"Question:\n{self.question}"]
        parts += [f"Meaning:\n{self.meaning}"] if self.meaning else []
        parts += [f"Needs:\n{json.dumps(needs, ensure_ascii=False)}"] if needs else []
        parts += [f"Checked elsewhere:\n{', '.join(self.limits)}"] if self.limits else []
        return "\n\n".join(parts) + "\n\n"


def wanted_by(question: str, understood: QuestionUnderstood, today: date) -> Wanted:
    """What `question`, asked on the day `today`, wants, by how it was understood."""
    subject = reading(question, today).subject if understood.intent else ""
    return Wanted(question, understood.meaning, understood.needs, understood.limits, subject)


@lru_cache(maxsize=64)
def reading(question: str, today: date) -> Reading:
    """The question as built-in reasoning reads it."""
    return read(question, today)
