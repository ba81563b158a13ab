"""The options of `spar search` that choose its steps and its size."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import Bounded, only_one, own_queries
from spar_tui.cli.lists.filter_words import check_limit
from spar_tui.settings import Preferences

if TYPE_CHECKING:
    from agents.search.options import SearchOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFlags:
    """The options that choose the steps and the size of a search. Raises `UsageError` for options that exclude each
    other, and for invalid numbers."""

    any_date: Annotated[bool, typer.Option("--any-date", help="Keep papers outside the dates in the question.")] = False
    limit: Annotated[int | None, typer.Option(metavar="N", help="How many papers to show (1 to 1000).")] = None
    fast: Annotated[
        bool, typer.Option("--fast", help="A quick search: two rounds; at most 10 requests to a model.")
    ] = False
    deep: Annotated[
        bool, typer.Option("--deep", help="A thorough search: three rounds; at most 520 requests to a model.")
    ] = False
    no_refchain: Annotated[bool, typer.Option("--no-refchain", help="Follow no references.")] = False
    citing: Annotated[bool, typer.Option("--citing", help="Ask for more papers that cite the best ones.")] = False
    no_evolution: Annotated[bool, typer.Option("--no-evolution", help="Send only the first queries.")] = False
    facets: Annotated[
        bool | None,
        typer.Option("--facets/--no-facets", help="Also search for the facets of the papers found, as --deep does."),
    ] = None
    library: Annotated[
        bool | None,
        typer.Option(
            "--library/--no-library",
            help="Also search your own library (default, except with --from-log).",
            show_default=False,
        ),
    ] = None
    no_rerank: Annotated[bool, typer.Option("--no-rerank", help="Order by relevance alone.")] = False
    personal: Annotated[
        bool,
        typer.Option(
            "--personal", help="Order papers of about the same relevance by your taste, as spar recommend does."
        ),
    ] = False
    query: Annotated[
        list[str] | None, typer.Option(metavar="SOURCE=TEXT", help="Send TEXT to SOURCE unchanged (once per source).")
    ] = None

    def __post_init__(self) -> None:
        only_one({"--fast": self.fast, "--deep": self.deep})
        only_one({"--facets": self.facets, "--no-evolution": self.no_evolution})
        check_limit(self.limit, 1000)

    def by_flag(self, repeated: bool) -> dict[str, object]:
        """Return the values that a resumed search cannot take, by flag; one `repeated` from a log takes a few."""
        given = {f"--{field.name.replace('_', '-')}": getattr(self, field.name) for field in fields(self)}
        # `refuse_late` takes False as "not given", but --no-facets is given.
        given |= {flag: None if given[flag] is None else "given" for flag in ("--facets", "--library")}
        return {flag: value for flag, value in given.items() if not (repeated and flag in ("--library", "--limit"))}

    def options(self, preferences: Preferences, bounds: Bounded) -> "SearchOptions":
        """Return the options of a search with these flags. Raises `UsageError`."""
        from agents.search.options import SearchOptions

        return SearchOptions(
            limit=preferences.limit,
            source_seconds=preferences.source_seconds,
            mode="deep" if self.deep or (preferences.mode == "deep" and not self.fast) else "fast",
            refchain=not self.no_refchain,
            citing=self.citing,
            evolution=not self.no_evolution,
            facets=self.facets,
            rerank=not self.no_rerank,
            strict_judge=preferences.judge_prompt == "complex",
            personal=self.personal,
            any_date=self.any_date,
            own_queries=own_queries(self.query or []),
            library=self.library is not False,
            **bounds,
        )
