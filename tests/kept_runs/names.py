"""The names under which today's program stores things, in the form of `stored_names.json`.

Names that may stand in any order are the keys of objects, so that a new one beside them is no change.
"""

from collections.abc import Iterable
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic_core import to_jsonable_python

from agents.assistant.kind import CONVERSATION
from agents.builtin.question_parsing.intents import Intent
from agents.recommendation.kind import RECOMMENDATION
from agents.run.events import EventCodec
from agents.run.kinds import KINDS
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from agents.summary.kind import SUMMARY
from agents.summary.options import SummaryOptions
from cache.reading_history import Interaction
from cache.runs import RunState
from cache.store import Store
from spar_tui.settings import Preferences
from spar_tui.tui.commands import COMMANDS
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.screens.shelf import ShelfScreen
from spar_tui.tui.screens.summary import SummaryScreen
from spar_tui.tui.widgets.panes import STORED_AS


def names_today(library: Path) -> dict[str, Any]:
    """All of them; a new library is made at `library` to look at its tables."""
    return {
        "run kinds": _names(KINDS),
        "run states": _values(RunState),
        "events of a search": _events(SEARCH.codec),
        "events of a summary": _events(SUMMARY.codec),
        "events of a recommendation": _names(RECOMMENDATION.codec.events),
        "events of a conversation": _names(CONVERSATION.codec.events),
        "options of a search or a watch": record(SearchOptions),
        "options of a summary": record(SummaryOptions),
        "intents": _values(Intent),
        "acts": _values(Interaction),
        "tables": _tables(library),
        "settings": {one.name: _names(one.metadata.get("choices", ())) for one in fields(Preferences)},
        "commands": _names(one.id for commands in COMMANDS.values() for one in commands),
        "screens with panes": _names(
            STORED_AS.get(screen.__name__, screen.__name__)
            for screen in (PaperScreen, SearchScreen, ShelfScreen, SummaryScreen)
        ),
    }


def _events(codec: EventCodec[Any]) -> dict[str, Any]:
    return {
        name: {codec.stored_field(kind, attribute): value for attribute, value in record(kind).items()}
        for name, kind in codec.events.items()
    }


def record(kind: Any) -> dict[str, Any]:
    """The fields of a dataclass as they are stored: the values a field may have, the records in it, its default.

    A default counts because it is left out when an event is stored, and means what it is when that is read.
    """
    hints = get_type_hints(kind)
    return {one.name: {**_within(hints[one.name]), **_default(one)} for one in fields(kind)}


def _within(hint: Any) -> dict[str, Any]:
    """The values and the records that a type names, however deep."""
    if is_dataclass(hint):
        return {"fields": record(hint)}
    if get_origin(hint) is Literal:
        return {"values": _values(hint)}
    if isinstance(hint, type) and hasattr(hint, "_fields"):  # a named tuple is stored as a list
        hints = get_type_hints(hint)
        return {"places": [{"name": name, **_within(hints[name])} for name in hint._fields]}
    found: dict[str, Any] = {}
    for part in get_args(hint):
        found |= _within(part)
    return found


def _default(one: "Field[Any]") -> dict[str, Any]:
    if one.default is not MISSING:
        return {"default": to_jsonable_python(one.default)}
    return {"default": to_jsonable_python(one.default_factory())} if one.default_factory is not MISSING else {}


def _values(hint: Any) -> dict[str, None]:
    """The values of a literal, or of several."""
    if get_origin(hint) is Literal:
        return _names(get_args(hint))
    return {value: None for part in get_args(hint) for value in _values(part)}


def _names(names: Iterable[str]) -> dict[str, None]:
    return dict.fromkeys(names)


def _tables(library: Path) -> dict[str, dict[str, None]]:
    with Store.open(library) as store, store.reading() as db:
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: _names(row[1] for row in db.execute(f"PRAGMA table_info({name})")) for (name,) in tables}
