"""Shell completion of the values of options and arguments, from the program's lists and the library's names. It uses
no network, writes nothing and prints no errors: without candidates it offers none."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
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
    """Offer sources, with their titles."""
    return [(name, spec.title) for name, spec in SOURCES.items() if name.startswith(incomplete)]


def formats(incomplete: str) -> Offered:
    """Offer export formats."""
    from spar_tui.bibliography.formats import FORMATS

    return _among(FORMATS, incomplete)


def styles(incomplete: str) -> Offered:
    """Offer citation styles."""
    from spar_tui.bibliography.styles import STYLES

    return _among(STYLES, incomplete)


def marks(incomplete: str) -> Offered:
    """Offer the citation styles of summaries."""
    from spar_tui.reports.summary_text import CITATION_STYLES

    return _among(CITATION_STYLES, incomplete)


def own_verbs(ctx: typer.Context, incomplete: str) -> Offered:
    """Offer the subcommands of a verb that also takes words."""
    return _among(getattr(ctx.command, "commands", ()), incomplete)


def _kept(kind: "Name", incomplete: str) -> Offered:
    from cache.names import beginning
    from spar_tui.settings import find_places

    names = beginning(find_places(os.environ).database, kind, incomplete)
    return [(name, " ".join(hint.split())[:60]) for name, hint in names if name.isprintable() and hint.isprintable()]


def keys(incomplete: str) -> Offered:
    """Offer citation keys."""
    return _kept("key", incomplete)


def tags(incomplete: str) -> Offered:
    """Offer tags of the shelf."""
    return _kept("tag", incomplete)


def watches(incomplete: str) -> Offered:
    """Offer stored searches, with their questions."""
    return _kept("watch", incomplete)


def run_ids(incomplete: str) -> Offered:
    """Offer runs, newest first, with their questions."""
    last = [("last", "the newest")] if "last".startswith(incomplete) else []
    return [*last, *_kept("run", incomplete)]


def orders(incomplete: str) -> Offered:
    """Offer orders of the shelf and the library."""
    from cache.conditions.orders import OF_LIBRARY

    return _among(OF_LIBRARY, incomplete)


def settings(incomplete: str) -> Offered:
    """Offer settings."""

    from spar_tui.settings import Preferences

    return _among((field.name for field in fields(Preferences)), incomplete)


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
"""The completers of option values, by the option's name or by the metavar in the help."""
OF_VERB: Mapping[tuple[str, str], Complete] = {
    ("export", "--format"): formats,
    ("summarize", "--cite"): marks,
    ("history", "WORDS"): own_verbs,
    ("watch", "NAME"): watches,
    **dict.fromkeys([("shelf", "--sort"), ("library", "--sort")], orders),
    **dict.fromkeys([("set", "KEY"), ("get", "KEY"), ("unset", "KEY")], settings),
}
"""The completers that apply to one verb only."""


def completing(verb: str, names: Iterable[str], metavar: str | None) -> Complete | None:
    """Return the completer for an option or argument of a verb; None if there is none."""
    labels = [*names, (metavar or "").strip("[]…. ")]
    return next((completer for name in labels if (completer := OF_VERB.get((verb, name)) or VALUES.get(name))), None)
