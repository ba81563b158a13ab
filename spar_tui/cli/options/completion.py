"""What the shell completes: values of options and arguments, from lists of the program and names of the library.

No network is used, nothing is written, and nothing is said: where there is nothing to offer, nothing is offered.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import typer

from connectors.registry import SOURCES

if TYPE_CHECKING:
    from cache.names import Name

Offered = list[tuple[str, str]]
Complete = Callable[..., Offered]


def _among(words: Iterable[str], incomplete: str) -> Offered:
    return [(word, "") for word in words if word.startswith(incomplete)]


def sources(incomplete: str) -> Offered:
    """Sources, with what they are called."""
    return [(name, spec.title) for name, spec in SOURCES.items() if name.startswith(incomplete)]


def formats(incomplete: str) -> Offered:
    """Formats of an export."""
    from spar_tui.bibliography.formats import FORMATS

    return _among(FORMATS, incomplete)


def styles(incomplete: str) -> Offered:
    """Citation styles."""
    from spar_tui.bibliography.styles import STYLES

    return _among(STYLES, incomplete)


def marks(incomplete: str) -> Offered:
    """How a summary can cite."""
    from spar_tui.reports.summary_markdown import CITATION_STYLES

    return _among(CITATION_STYLES, incomplete)


def own_verbs(ctx: typer.Context, incomplete: str) -> Offered:
    """The verbs of a verb that takes words as well."""
    return _among(getattr(ctx.command, "commands", ()), incomplete)


def _kept(kind: "Name", incomplete: str) -> Offered:
    from cache.names import beginning
    from spar_tui.settings import find_places

    names = beginning(find_places(os.environ).database, kind, incomplete)
    return [(name, " ".join(hint.split())[:60]) for name, hint in names if name.isprintable() and hint.isprintable()]


def keys(incomplete: str) -> Offered:
    """Citation keys."""
    return _kept("key", incomplete)


def tags(incomplete: str) -> Offered:
    """Tags of the shelf."""
    return _kept("tag", incomplete)


def watches(incomplete: str) -> Offered:
    """Stored searches, with their questions."""
    return _kept("watch", incomplete)


def run_ids(incomplete: str) -> Offered:
    """Runs, the newest first, with their questions."""
    last = [("last", "the newest")] if "last".startswith(incomplete) else []
    return [*last, *_kept("run", incomplete)]


VALUES: Mapping[str, Complete] = {
    "--source": sources,
    "--style": styles,
    "--tag": tags,
    "--resume": run_ids,
    "--run": run_ids,
    "--from": keys,
    "--paper": keys,
    "PAPER": keys,
    "RUN": run_ids,
    "T": tags,
}
"""Who completes the values of an option, by its name, or else of what is called so in the help."""
OF_VERB: Mapping[tuple[str, str], Complete] = {
    ("export", "--format"): formats,
    ("summarize", "--cite"): marks,
    ("history", "WORDS"): own_verbs,
    ("watch", "NAME"): watches,
}
"""What means so in one verb alone."""


def completing(verb: str, names: Iterable[str], metavar: str | None) -> Complete | None:
    """Who completes the values of an option or argument of a verb; None if nobody does."""
    called = [*names, (metavar or "").strip("[]…. ")]
    return next((completer for name in called if (completer := OF_VERB.get((verb, name)) or VALUES.get(name))), None)
