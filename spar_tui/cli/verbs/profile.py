"""`spar profile`: show and correct the inferred likes, dislikes and expectations of the person."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cache.timestamps import utc_now
from connectors.paper import Paper
from connectors.records.visible import shortened
from spar_tui.cli.arguments import OutputFlags
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.errors import UsageError
from spar_tui.math_text import title_text
from spar_tui.terminal import Style, agreed, remark, say
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.taste.whole_profile import Profile
    from agents.tools.profile_actions import ProfileChange
    from cache.store import Store

_NAMED = 3
"""Number of papers of a line that are named unless all are requested."""
_LONGEST_TITLE = 60

PapersFlag = Annotated[bool, "--papers --why", "List all papers behind each line."]
LineText = Annotated[list[str], "<TEXT…>", "The line, in words."]

app = Verbs(invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def profile(context: typer.Context, all_papers: PapersFlag = False, *, output: OutputFlags) -> int:
    """Show what spar thinks you like, and why.

    Each line of likes, dislikes and expectations names the papers behind it. Lines that you wrote have a number; the
    others come from what you did with papers and have a name made from those papers. Nothing leaves your machine.
    Exits with 3 if there is no line."""
    return 0 if context.invoked_subcommand is not None else show(all_papers, output=output)


@app.command()
def show(all_papers: PapersFlag = False, *, output: OutputFlags) -> int:
    """Show the profile, as `spar profile` does."""
    from agents.taste.whole_profile import read_profile
    from cache import citation_keys, papers
    from spar_tui.profile_phrases import NOTHING_YET

    with open_store(read_settings()) as store:
        profile = read_profile(store, utc_now())
        numbers = dict.fromkeys(number for line in profile.lines for number in line.papers)
        by_number = dict(papers.numbered(store, list(numbers)))
        keys = citation_keys.keys_of(store, list(numbers))
    output.say(
        profile_object(profile, by_number, keys), lambda style: _lines(profile, by_number, keys, all_papers, style)
    )
    if not profile.lines:
        remark(NOTHING_YET)
    return 0 if profile.lines else 3


@app.command()
def add(facet: Annotated[str, "<like|dislike|expect>", "What the line says."], text: LineText) -> int:
    """Write a line of your own, such as: spar profile add expect "since 2020"."""
    from cache.profile import FACETS

    kind = next((option for option in FACETS if option == facet.strip().lower()), None)
    if kind is None:
        raise UsageError(f"a line says what you {', '.join(FACETS[:-1])} or {FACETS[-1]}, not {facet[:60]!r}.")
    from agents.tools.profile_actions import add

    return _changed(lambda store: add(store, kind, " ".join(text)))


@app.command()
def edit(line: Annotated[str, "<LINE>", "The line, as shown by spar profile."], text: LineText) -> int:
    """Change the text of a line.

    A line that spar inferred becomes your own, with its papers; spar infers nothing else from them."""
    from agents.tools.profile_actions import edit

    return _changed(lambda store: edit(store, line, " ".join(text)))


@app.command()
def forget(
    lines: Annotated[list[str] | None, "<LINE…>", "The lines, as shown by spar profile."] = None,
    everything: Annotated[bool, "--all", "Forget all lines (asks first)."] = False,
    yes: Annotated[bool, "With --all: do not ask."] = False,
) -> int:
    """Forget lines.

    spar ignores what you did so far with the papers behind them. The papers stay where they are, and what you do
    with them later counts."""
    if bool(lines) == everything:
        raise UsageError("say which lines to forget, as `spar profile` names them, or --all.")
    from agents.tools import profile_actions

    if not everything:
        return _changed(lambda store: profile_actions.forget(store, lines or []))
    if not yes:
        from agents.taste.whole_profile import read_profile
        from spar_tui.profile_phrases import forgotten_text

        with open_store(read_settings()) as store:
            profile = read_profile(store, utc_now())
        question = f"This forgets {forgotten_text(profile.lines, len(profile.papers))}. Type yes to forget:"
        if not agreed(question, "whether to forget all"):
            remark("nothing was forgotten.")
            return 0
    return _changed(profile_actions.forget_all)


def _changed(change: "Callable[[Store], ProfileChange]") -> int:
    from spar_tui.profile_phrases import done_texts

    try:
        with open_store(read_settings()) as store:
            result = change(store)
    except ValueError as error:
        raise UsageError(f"{error}.") from None
    say(*done_texts(result))
    return 0


def _lines(
    profile: "Profile", papers: Mapping[int, Paper], keys: Mapping[int, str], all_papers: bool, style: Style
) -> Iterator[str]:
    from spar_tui.profile_phrases import HEADINGS, basis_text, trouble_texts

    titles = {number: title_text(paper) for number, paper in papers.items()}
    for facet, heading in HEADINGS.items():
        lines = [line for line in profile.lines if line.facet == facet]
        if lines:
            yield style.paint(heading, "bold")
        for line in lines:
            muted = "" if line.counts else " (does not count, see below)"
            yield f"  {style.paint(f'{line.name:>6}', 'cyan')}  {style.paint(line.text, 'bold')}{muted}"
            first = [keys.get(number) or f"“{shortened(titles[number], _LONGEST_TITLE)}”"
                     for number in line.papers[: 0 if all_papers else _NAMED]]  # fmt: skip
            yield from style.wrapped(basis_text(line, first), " " * 10, "dim")
            for number in line.papers if all_papers else ():
                year = f" ({papers[number].year})" if papers[number].year else ""
                text = f"{keys.get(number) or papers[number].id}  {titles[number]}{year}"
                yield from style.wrapped(text, " " * 12)
    for trouble in trouble_texts(profile):
        yield from style.wrapped(trouble, "", "yellow")


def profile_object(profile: "Profile", papers: Mapping[int, Paper], keys: Mapping[int, str]) -> dict[str, Any]:
    """Return the profile as `--json` prints it; `papers` and their citation `keys` are by the library's numbers.
    `share` is the share of the history on which an understood line rests."""
    from spar_tui.reports.json_objects import json_fields

    return {
        "lines": [
            {
                "line": line.name,
                **json_fields(line, "facet text"),
                "own": line.own is not None,
                **json_fields(line.own, "made"),
                "share": None if line.own else round(line.share, 4),
                "counts": line.counts,
                "papers": [
                    {"id": papers[number].id, "key": keys.get(number), **json_fields(papers[number], "title year")}
                    for number in line.papers
                    if number in papers
                ],
            }
            for line in profile.lines
        ],
        "contradictions": [
            {"lines": [str(line.number) for line in contradiction.lines], "why": contradiction.why}
            for contradiction in profile.contradictions
        ],
        "against": [[mine.name, other.name] for mine, other in profile.against],
        "papers": len(profile.papers),
    }
