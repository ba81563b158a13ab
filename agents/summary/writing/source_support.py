"""Ask the model whether cited papers support the sentences that cite them: the check of a summary's quotes (`support`),
applied to a document that a person wrote."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from agents.evidence.source_check import SourceGrade, SourceJudgement
from agents.llm.budget import Budget, BudgetSpent
from agents.llm.errors import ModelError, TooLong
from agents.llm.model import Model
from agents.llm.prompt import AssessedItems
from agents.llm.usage import Usage
from agents.run.step import by_item, in_batches, numbered
from agents.summary.writing.support import LONGEST_LACK, Quoted, Support, Supports, support_prompt
from connectors.paper import Paper
from connectors.records.clean import clean_text

_AT_ONCE = 8
"""Maximum number of sentences in one request, each with several passages."""
_GRADES: Mapping[str, SourceGrade] = {
    "whole": "says so", "partly": "close", "not": "speaks of something else", "contradicts": "contradicts",
}  # fmt: skip
_REASONS: Mapping[SourceGrade, str] = {
    "close": "The model: its passages say a part of this",
    "speaks of something else": "The model: none of its nearest passages says this",
    "contradicts": "The model: its passages say the opposite",
}


class CitedSentence(NamedTuple):
    """A sentence, the paper that it cites, the texts of the paper, and the judgement by words."""

    sentence: str
    paper: Paper
    texts: Sequence[str]
    by_words: SourceJudgement


@dataclass(slots=True)
class ModelJudging:
    """The judgements in the order of the sentences, their cost, the number of sentences that the model left unjudged,
    and the distinct reasons for that."""

    judgements: list[SourceJudgement]
    usage: Usage = field(default_factory=Usage)
    unanswered: int = 0
    troubles: list[str] = field(default_factory=list)


async def judged_by_model(model: Model, claims: Sequence[CitedSentence], budget: Budget) -> ModelJudging:
    """Return the model's judgements of sentences with passages; the others keep the judgement by words."""
    judging = ModelJudging([cited_sentence.by_words for cited_sentence in claims])
    indexes = [index for index, cited_sentence in enumerate(claims) if cited_sentence.by_words.passages]
    await asyncio.gather(*(_judge(model, claims, batch, budget, judging) for batch in in_batches(indexes, _AT_ONCE)))
    judging.unanswered = sum(not judging.judgements[index].by_model for index in indexes)
    return judging


async def _judge(
    model: Model, claims: Sequence[CitedSentence], batch: Sequence[int], budget: Budget, judging: ModelJudging
) -> None:
    secret = "\n".join(claims[index].sentence for index in batch)
    names = numbered(batch, "u", secret)
    prompt = support_prompt("", {name: _claim(claims[index]) for name, index in names.items()}, secret)

    def usable(answer: Supports) -> dict[int, Support]:
        return by_item((row for row in answer.sentences if row.support.strip().lower() in _GRADES), names)

    try:
        reply = await model.ask(
            prompt, Supports, budget, AssessedItems(names.keys(), lambda answer: bool(usable(answer)))
        )
    except (ModelError, BudgetSpent) as error:
        judging.usage += error.usage
        if isinstance(error, TooLong) and len(batch) > 1:
            for half in in_batches(batch, (len(batch) + 1) // 2):
                await _judge(model, claims, half, budget, judging)
        elif error.sentence not in judging.troubles:
            judging.troubles.append(error.sentence)
        return
    judging.usage += reply.usage
    for index, row in usable(reply.answer).items():
        grade = _GRADES[row.support.strip().lower()]
        lack = clean_text(row.lacking, LONGEST_LACK)
        reason = _REASONS.get(grade, "")
        reason_text = f"{reason}; {lack.rstrip('.')}." if reason and lack else f"{reason}." if reason else ""
        judging.judgements[index] = replace(judging.judgements[index], grade=grade, reason=reason_text, by_model=True)


def _claim(claim: CitedSentence) -> tuple[str, list[Quoted]]:
    passages = claim.by_words.passages
    return claim.sentence, [Quoted(claim.paper, passage.text, claim.texts) for passage in passages]
