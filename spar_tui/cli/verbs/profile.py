"""`spar profile`: show and correct the inferred likes, dislikes and expectations of the person."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from cache.timestamps import utc_now
from connectors.paper import Paper
from connectors.records.visible import shortened
from spar_tui.cli.arguments import JsonFlag, PlainFlag
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.errors import UsageError
from spar_tui.math_text import title_text
from spar_tui.terminal import agreed, answer_style, remark, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.taste.whole_profile import Profile
    from agents.tools.profile_actions import ProfileChange
    from cache.store import Store

_NAMED = 3
"""Number of papers of a line that are named unless all are requested."""
_LONGEST_TITLE = 60

PapersFlag = Annotated[bool, typer.Option("--papers", "--why", help="List all papers behind each line.")]
LineText = Annotated[list[str], typer.Argument(metavar="TEXT…", help="The line, in words.", show_default=False)]

app = Verbs(invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def profile(context: typer.Context, all_papers: PapersFlag = False, as_json: JsonFlag = False,
            plain: PlainFlag = False) -> int:  # fmt: skip
    """Show what spar thinks you like, and why.

    Each line of likes, dislikes and expectations names the papers behind it. Lines that you wrote have a number; the
    others come from what you did with papers and have a name made from those papers. Nothing leaves your machine.
    Exits with 3 if there is no line."""
    return 0 if context.invoked_subcommand is not None else _show(all_papers, as_json, plain)


@app.command()
def show(all_papers: PapersFlag = False, as_json: JsonFlag = False, plain: PlainFlag = False) -> int:
    """Show the profile, as `spar profile` does."""
    return _show(all_papers, as_json, plain)


@app.command()
def add(
    facet: Annotated[
        str, typer.Argument(metavar="like|dislike|expect", help="What the line says.", show_default=False)
    ],
    text: LineText,
) -> int:
    """Write a line of your own, such as: spar profile add expect "since 2020"."""
    from cache.profile import FACETS

    chosen = next((option for option in FACETS if option == facet.strip().lower()), None)
    if chosen is None:
        raise UsageError(f"a line says what you {', '.join(FACETS[:-1])} or {FACETS[-1]}, not {facet[:60]!r}.")
    from agents.tools.profile_actions import add

    return _changed(lambda store: add(store, chosen, " ".join(text)))


@app.command()
def edit(
    line: Annotated[
        str, typer.Argument(metavar="LINE", help="The line, as shown by spar profile.", show_default=False)
    ],
    text: LineText,
) -> int:
    """Change the text of a line.

    A line that spar inferred becomes your own, with its papers; spar infers nothing else from them."""
    from agents.tools.profile_actions import edit

    return _changed(lambda store: edit(store, line, " ".join(text)))


@app.command()
def forget(
    lines: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LINE…]", help="The lines, as shown by spar profile.", show_default=False),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Forget all lines (asks first).")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --all: do not ask.")] = False,
) -> int:
    """Forget lines.

    spar ignores what you did so far with the papers behind them. The papers stay where they are, and what you do
    with them later counts."""
    if bool(lines) == everything:
        raise UsageError("say which lines to forget, as `spar profile` names them, or --all.")
    if yes and not everything:
        raise UsageError("--yes needs --all.")
    from agents.tools import profile_actions

    if not everything:
        return _changed(lambda store: profile_actions.forget(store, lines or []))
    if not yes and not _agreed():
        return 0
    return _changed(profile_actions.forget_all)


def _agreed() -> bool:
    """Ask the person on the terminal whether to forget everything. Raises `UsageError` without a terminal."""
    from agents.taste.whole_profile import read_profile
    from spar_tui.profile_phrases import forgotten_text

    with open_store(read_settings()) as store:
        profile = read_profile(store, utc_now())
    question = f"This forgets {forgotten_text(profile.lines, len(profile.papers))}. Type yes to forget:"
    if agreed(question, "whether to forget all"):
        return True
    remark("nothing was forgotten.")
    return False


def _changed(change: "Callable[[Store], ProfileChange]") -> int:
    from spar_tui.profile_phrases import done_texts

    try:
        with open_store(read_settings()) as store:
            done = change(store)
    except ValueError as error:
        raise UsageError(f"{error}.") from None
    say(*done_texts(done))
    return 0


def _show(all_papers: bool, as_json: bool, plain: bool) -> int:
    from agents.taste.whole_profile import read_profile
    from cache import citation_keys, papers
    from spar_tui.profile_phrases import NOTHING_YET
    from spar_tui.reports.json_profile import profile_object

    with open_store(read_settings()) as store:
        profile = read_profile(store, utc_now())
        numbers = dict.fromkeys(number for line in profile.lines for number in line.papers)
        by_number: dict[int, Paper] = {number: paper for number in numbers for paper in papers.by_ids(store, [number])}
        keys = citation_keys.keys_of(store, list(numbers))
    if as_json:
        say_json(profile_object(profile, by_number, keys))
    elif profile.lines:
        _tell(profile, by_number, keys, all_papers, plain)
    if not profile.lines:
        remark(NOTHING_YET)
    return 0 if profile.lines else 3


def _tell(
    profile: "Profile", papers: Mapping[int, Paper], keys: Mapping[int, str], all_papers: bool, plain: bool
) -> None:
    from spar_tui.profile_phrases import HEADINGS, basis_text, trouble_texts

    style = answer_style(plain)
    for facet, heading in HEADINGS.items():
        lines = [line for line in profile.lines if line.facet == facet]
        if lines:
            say(style.paint(heading, "bold"))
        for line in lines:
            muted = "" if line.counts else " (does not count, see below)"
            say(f"  {style.paint(f'{line.name:>6}', 'cyan')}  {style.paint(line.text, 'bold')}{muted}")
            first = () if all_papers else [_named(papers[number], keys.get(number)) for number in line.papers[:_NAMED]]
            say(*style.wrapped(basis_text(line, first), " " * 10, "dim"))
            for number in line.papers if all_papers else ():
                say(*style.wrapped(_in_full(papers[number], keys.get(number)), " " * 12))
    for trouble in trouble_texts(profile):
        say(*style.wrapped(trouble, "", "yellow"))


def _named(paper: Paper, key: str | None) -> str:
    return key or f"“{shortened(title_text(paper), _LONGEST_TITLE)}”"


def _in_full(paper: Paper, key: str | None) -> str:
    return f"{key or paper.id}  {title_text(paper)}{f' ({paper.year})' if paper.year else ''}"
