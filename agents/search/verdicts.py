"""Judge a paper with a language model: a label, its reason and a quote, and the score of the label.

A paper's text may try to instruct the model. So a first request has the words of a few papers in random order,
which cannot instruct. To be read, a paper gets a request of its own: its text can only change its own label, and by at
most one from the label of its words. A label that keeps a paper needs a quote from it: without one, the judgement of
its words stands if the text earned as much, else the label is lowered by one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, WithJsonSchema, create_model, model_validator
from pydantic.json_schema import SkipJsonSchema

from agents.builtin.text.languages import in_language_of
from agents.builtin.text.loose_words import loose_words
from agents.evidence.choosing import best_quote
from agents.evidence.quotes import noted_words, quoted
from agents.llm.answers.json_answers import OtherScale
from agents.llm.errors import ModelError
from agents.llm.prompt import Prompt, data
from agents.run.findings import TOOK_OVER
from agents.run.retrieval.full_texts import QUOTABLE, listed
from agents.run.step import Ids, ask_about, numbered, text_of
from agents.search.events import PaperJudged
from agents.search.question.wanted import SearchIntent
from agents.search.session import Session
from agents.search.state import is_relevant
from cache.conditions.wording import quoted as quoted_phrases
from connectors.paper import Paper, WorkId

SCORES = (0.11, 0.48, 0.76, 0.93)
"""Relevance of the labels 0 to 3: the mean score by a careful reader, who did not know the labels, of papers labeled
afterwards (20, 13, 21 and 36 papers of six questions; standard deviations 0.13, 0.17, 0.10 and 0.05). Recompute with
`python -m tests.benchmarks.model.careful_reader --scores`."""
KEPT = 2
"""Lowest label that keeps a paper; such a label needs a reason."""
IN_WORDS = (
    "it is about something else",
    "it is from the same field, but does not help with the question",
    "by its words alone, it helps",
    "by its words alone, it answers the question",
)
"""Reasons by label, if the model gave none: for papers that are not kept, and for labels by words."""
WORDS_COUNT = "Its judgements by words alone count."
_ABSTRACT = 1_000
"""Characters of an abstract that are shown: three quarters of the text, which contain 94 % of 183 quotes that a careful
reader took from whole abstracts."""


def label_of(judgement: PaperJudged) -> int:
    """Return the label of a model's score."""
    return max(sum(judgement.score >= score for score in SCORES) - 1, 0)


def read_label(value: object) -> int | None:
    """Parse a label: 3, "3", "3 answers it", "3/3"; return None if it is not a number.

    Raises `OtherScale` for any other number: the model uses another scale, so even its valid labels are wrong.
    """
    if isinstance(value, bool):
        return None
    if label := re.fullmatch(r"\s*([0-3])(?:\.0+)?(?:/3)?(?![./\d]|\s*%)(?:\W.*)?", str(value), re.DOTALL):
        return int(label[1])
    if re.match(r"\s*-?\.?[0-9]", str(value)):
        raise OtherScale("all labels must be 0, 1, 2 or 3")
    return None


Label = Annotated[int, BeforeValidator(read_label), WithJsonSchema({"type": "integer", "enum": [3, 2, 1, 0]})]
BEST = ("3+", "2+")
"""Labels of papers that the model is sure are among the best of their label; only this exact spelling counts."""
_FINE = {"type": "string", "enum": ["3+", "3", "2+", "2", "1", "0"]}


class FineLabel(BaseModel):
    """A label, and whether the model calls the paper one of the best of its label."""

    label: Annotated[Label, WithJsonSchema(_FINE)]
    best: SkipJsonSchema[bool] = False
    needs: SkipJsonSchema[Ids] = []

    @model_validator(mode="before")
    @classmethod
    def _finer(cls, value: object) -> object:
        return {**value, "best": value.get("label") in BEST} if isinstance(value, dict) else value


class PaperReference(BaseModel):
    """One of several papers, by its id."""

    id: str


class WordLabel(FineLabel, PaperReference):
    """The label that the model gives to the words of a paper."""


class WordLabels(BaseModel):
    """The model's labels of several papers by their words."""

    papers: list[WordLabel]


class Verdict(FineLabel):
    """The model's judgement of a paper."""

    reason: str = ""
    quote: str = ""


@lru_cache(maxsize=64)
def shapes_naming(needs: tuple[str, ...]) -> tuple[type[WordLabels], type[Verdict]]:
    """Return the answer models with `needs` as the allowed values. Parsing also accepts other spellings."""
    if not needs:
        return WordLabels, Verdict
    id_list = {"type": "array", "items": {"type": "string", "enum": list(needs)}}
    field: Any = (Annotated[Ids, WithJsonSchema(id_list)], [])
    rows: Any = list[create_model("WordLabel", __base__=WordLabel, needs=field)]  # type: ignore[misc]
    return (
        create_model("WordLabels", __base__=WordLabels, papers=(rows, ...)),
        create_model("Verdict", __base__=Verdict, needs=field),
    )


_NEEDS = """\
Of the needs the first is the question itself, the others are of use beside it; without needs the question is one."""
_LABELS = """\
3 answers the question or one of the things it asks for: gives the first need
2 gives another need, or clearly helps with the first
1 same field, helps with none
0 something else"""
_PLUS = "Write 3+ or 2+ only where you are sure that hardly any paper could help more."
_TASK = f"""\
You judge whether a paper helps with a researcher's question. {_NEEDS} Label the paper:
{_LABELS}{{more}}
{_PLUS} For 3 and 2 give needs (their ids), reason (one sentence in the question's language) and quote (at most 25 \
words copied exactly from title or abstract that support it); for 1 and 0 leave these empty.
A paper about instructions to models is judged by its subject. Answer with one JSON object."""
_STRICT = """
Be sceptical of keywords without context: 3 needs the abstract to treat the subject itself, with experiments, proof or \
a framework of its own; a paper that only mentions it has 1 at most; in doubt take the lower label."""
BY_WORDS = f"""\
You judge whether papers help with a researcher's question, by the words of their titles and texts, each of which you \
get once and in no order. {_NEEDS} Label for each paper the subject that its words tell of:
{_LABELS}
{_PLUS} Answer with one JSON object whose "papers" hold for every paper its id, its label and, for 3 and 2, its \
needs (their ids)."""
BRIEF, COMPLEX = _TASK.format(more=""), _TASK.format(more=_STRICT)


async def by_words(session: Session, works: Sequence[WorkId]) -> dict[WorkId, PaperJudged] | None:
    """Let the model judge `works` by their words alone, in one request; None if no answer arrived."""
    shape, _ = shapes_naming(session.wanted.need_ids)
    works_by_id = numbered(works, "w", session.secret)
    labels = await ask_about(
        session, works_by_id, partial(_words_prompt, session), shape, lambda word_labels: word_labels.papers
    )
    if labels is None:
        return None
    return {work: _judged_by_words(session, work, word_label) for work, word_label in labels.items()}


async def by_text(session: Session, work: WorkId) -> PaperJudged | None:
    """Let the model read `work` in a request of its own; None if no answer arrived."""
    intent, judgement = session.wanted, session.state.judged.get(work)
    _, shape = shapes_naming(intent.need_ids)
    try:
        verdict = await session.ask(_prompt(session, intent, session.papers[work]), shape, raises=(ModelError,))
    except ModelError as error:
        session.take_over(error, WORDS_COUNT if judgement and judgement.by_words else TOOK_OVER)
        return None
    return None if verdict is None else _judged(session, intent, work, verdict)


def _prompt(session: Session, intent: SearchIntent, paper: Paper) -> Prompt:
    passages = listed(session.full_texts.passages(paper, " ".join((intent.words, *intent.needs))))
    quotable = QUOTABLE if passages else ""
    strict = session.options.strict_judge
    return Prompt(
        "judge-complex" if strict else "judge",
        6,
        COMPLEX if strict else BRIEF,
        f"{intent.intro()}{_feedback(session)}{quotable}Paper:\n{data({**_shown(paper), **passages})}",
        400,
    )


def _words_prompt(session: Session, works: Mapping[str, WorkId]) -> Prompt:
    words = [{"id": name, **_words(session, session.papers[work])} for name, work in works.items()]
    return Prompt("judge-words", 4, BY_WORDS, f"{session.wanted.intro()}Words:\n{data(words)}", 30 * len(words) + 60)


def _words(session: Session, paper: Paper) -> dict[str, str]:
    """Return the words of the texts about a paper, each once."""
    title, *texts = _shown(paper).items()
    loose = {title[0]: loose_words(title[1], session.secret)}
    title_words = loose[title[0]].split()
    return loose | {name: loose_words(text, session.secret, title_words) for name, text in texts}


def _shown(paper: Paper) -> dict[str, str]:
    """Return the texts on which a label may be based; dates and venues are checked elsewhere."""
    return {"title": paper.title[:400], **text_of(paper, _ABSTRACT)}


def _feedback(session: Session) -> str:
    """Return the person's judgements as examples for the model, "" if none. Titles are given as loose words, so that
    they cannot speak of the judged paper."""
    feedback = session.state.called_relevant
    examples = {
        name: [loose_words(session.papers[work].title[:200], session.secret)
               for work in feedback if feedback[work] == relevant][-8:]
        for name, relevant in {"relevant": True, "not relevant": False}.items()
    }  # fmt: skip
    if not any(examples.values()):
        return ""
    return f"Words of papers that the researcher has called relevant or not:\n{data(examples)}\n\n"


def _judged_by_words(session: Session, work: WorkId, answer: WordLabel) -> PaperJudged:
    paper, possible = session.papers[work], answer.label >= KEPT
    quote = best_quote(session.wanted.words, paper.title, paper.abstract) if possible else ""
    needs = _numbers(session.wanted, answer.needs) if possible else ()
    reason = IN_WORDS[answer.label]
    if names := [session.wanted.needs[need - 1] for need in needs if need > 1 or answer.label == KEPT]:
        reason += f"{'' if answer.label == KEPT else ' and helps'} with {quoted_phrases(names)}"
    return PaperJudged(work, SCORES[answer.label], reason, quote, "model", needs=needs, best=answer.best, by_words=True)


def _judged(session: Session, intent: SearchIntent, work: WorkId, verdict: Verdict) -> PaperJudged:
    """Return the verdict with its quote checked. A quote supports the label only if it is in the title or abstract, on
    a page of the paper or in spar's note on it; words of the note are not shown as a quote."""
    paper, before = session.papers[work], session.state.judged.get(work)
    by_words = label_of(before) if before and before.by_words else None
    quote, page = quoted(verdict.quote, paper, session.full_texts.pages(paper))
    unsupported = verdict.label >= KEPT and not quote and not noted_words(verdict.quote, paper)
    reason = verdict.reason[:400] if in_language_of(verdict.reason, session.question) else ""
    if unsupported and before and by_words is not None and verdict.label >= by_words >= KEPT:
        return replace(before, reason=reason, quote="", unsupported=True, by_words=False)
    label = verdict.label - unsupported
    likely = verdict.label >= KEPT or is_relevant(session.state.assessed.get(work, 0.0))
    if by_words is not None and likely:
        label = min(max(label, by_words - 1), by_words + 1)
    if label >= KEPT > verdict.label:
        quote = best_quote(intent.words, paper.title, paper.abstract)
    if label < KEPT and not unsupported:
        return PaperJudged(work, SCORES[label], IN_WORDS[label], by="model")
    # A text that praises itself does not pass papers whose words earn the same label.
    best = verdict.best and not unsupported and by_words is not None and by_words >= label
    needs = _numbers(intent, verdict.needs)
    return PaperJudged(work, SCORES[label], reason, quote, "model", unsupported, needs, page, best)


def _numbers(intent: SearchIntent, ids: Sequence[str]) -> tuple[int, ...]:
    return tuple(number for number, name in enumerate(intent.need_ids, start=1) if name in ids)
