"""Options that name the papers that a text is written from."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, TypedDict

from spar_tui.cli.arguments import only_one, refuse_empty
from spar_tui.settings import Settings

if TYPE_CHECKING:
    from agents.summary.options import CorpusKind


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFlags:
    """The options that name the papers for an answer or a summary. Raises `UsageError` if two are given."""

    library: Annotated[bool, "Use the library: all papers found so far."] = False
    shelf: Annotated[bool, "Use all saved papers."] = False
    tag: Annotated[str | None, "T", "Use the saved papers that have this tag."] = None
    run: Annotated[str | None, "RUN", "Use the papers of an earlier run (`last` for the last one)."] = None
    paper: Annotated[list[str] | None, "PAPER", "Use this paper (repeat for more)."] = None

    def __post_init__(self) -> None:
        refuse_empty({"--tag": self.tag, "--run": self.run})
        only_one(self.by_flag)

    @property
    def by_flag(self) -> dict[str, object]:
        """Return the value of each flag; it is false if the flag was not given."""
        return {f"--{field.name}": getattr(self, field.name) for field in fields(self)}

    def corpus(self, settings: Settings, offline: bool) -> "CorpusChoice":
        """Return the options of a summary or an answer for these papers; none if no flag is given. Raises
        `UserError`."""
        if self.paper:
            from spar_tui.cli.papers import numbers_of

            numbers = numbers_of(self.paper, settings, offline)
            return {"corpus": "papers", "corpus_name": ",".join(map(str, numbers))}
        if self.tag or self.run:
            return {"corpus": "tag" if self.tag else "run", "corpus_name": self.tag or self.run or ""}
        return {"corpus": "library" if self.library else "shelf" if self.shelf else "sources", "corpus_name": ""}


class CorpusChoice(TypedDict):
    """The result of `CorpusFlags.corpus`."""

    corpus: "CorpusKind"
    corpus_name: str
