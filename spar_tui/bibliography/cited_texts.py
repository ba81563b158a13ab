"""What the papers that a document cites say, as far as it is here or sources tell: abstracts, and pages of PDFs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from agents.builtin.text.pages import Pages
from agents.lookup.abstracts import abstracts_of
from cache import page_texts, papers
from connectors.paper import Paper
from spar_tui.abstract_phrases import abstract_sentence
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.workspace import Workspace


@dataclass(frozen=True, slots=True)
class CitedText:
    """A cited paper and its pages by number. `missing` is the reason why there is no text, "" if there is one."""

    paper: Paper
    pages: Pages = field(default_factory=dict)
    missing: str = ""


async def cited_texts(
    workspace: Workspace, entries: Mapping[str, FoundEntry], offline: bool, told: Callable[[int], None]
) -> dict[str, CitedText]:
    """The texts of `entries`, by their keys: those of the library, the abstract that the bibliography has, else the
    one that a source has; `told` is called with how many more are there. Raises `CacheError`."""
    numbers = papers.numbers_of(workspace.store, [entry.paper for entry in entries.values()])
    found = {key: _stored(workspace, entry.paper, number)
             for (key, entry), number in zip(entries.items(), numbers, strict=True)}  # fmt: skip
    missing = [key for key, one in found.items() if not (one.paper.abstract or one.pages)]
    told(len(found) - len(missing))
    if offline and not workspace.resources.live:
        reason = "Neither its abstract nor its full text is in the library, and offline no source is asked."
        return found | {key: CitedText(found[key].paper, missing=reason) for key in missing}
    return found | await _asked({key: found[key].paper for key in missing}, workspace, told)


async def _asked(
    bare: Mapping[str, Paper], workspace: Workspace, told: Callable[[int], None]
) -> dict[str, CitedText]:  # fmt: skip
    answers = await abstracts_of(list(bare.values()), workspace.resources, told)
    return {
        key: CitedText(answer.paper, missing="" if answer.paper.abstract else abstract_sentence(answer))
        for key, answer in zip(bare, answers, strict=True)
    }


def _stored(workspace: Workspace, paper: Paper, number: int | None) -> CitedText:
    if number is None:
        return CitedText(paper)
    stored = papers.by_ids(workspace.store, [number])
    pages = page_texts.pages(workspace.store, number)
    return CitedText(replace(stored[0], abstract=stored[0].abstract or paper.abstract) if stored else paper, pages)
