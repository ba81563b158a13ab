"""The tools as other programs see them: names, descriptions, arguments, and hints on their effects.

A chat plans with the table of tools in `agents.tools`. Here each tool that is useful by itself gets a name and a
description that an agent understands without the docs.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from mcp.types import Tool as Listed
from mcp.types import ToolAnnotations

from agents.tools.begun_runs import ASK
from agents.tools.paper_names import SHOWN
from agents.tools.papers import FIND_QUOTE
from agents.tools.table import by_name
from agents.tools.tool import AnyTool
from cache.conditions.scopes import LIBRARY, explained
from cache.sql.views import OPEN
from connectors.registry import searchable
from spar_tui.mcp.answers import LARGEST_PAGE, NEXT_PAGE, PAGE
from spar_tui.mcp.library_tools import GET_PAPER, LIVE_SEARCH, SEARCH_LIBRARY, SELECTION

_NAMED = "A DOI, arXiv id, PubMed id, citation key, #12 (the `name` in an answer), or title."
_SEVERAL = "Each a DOI, arXiv id, citation key, #12 (the `name` in an answer), or title."
_DAY = "YYYY, YYYY-MM or YYYY-MM-DD."


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A row of the table below: the tool `does` of `agents.tools`, under its offered name.

    Only `arguments` are accepted, each with its description. `lists` says whether an answer lists papers, `adds`
    whether a change loses nothing, `writes` whether a tool writes although it does not change the person's data.
    """

    name: str
    does: str
    purpose: str
    example: Mapping[str, Any]
    arguments: Mapping[str, str]
    lists: bool = False
    adds: bool = False
    writes: bool = False


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool and its row in the table."""

    tool: AnyTool
    row: ToolRow


_FORMS = "\n".join(f"{form}  {meaning}" for form, meaning in explained(LIBRARY))
_VIEWS = "; ".join(f"{view.name}({', '.join(column.name for column in view.columns)})" for view in OPEN)


_ROWS = (
    ToolRow(
        LIVE_SEARCH, "search",
        "Search scholarly sources on the internet for papers that answer a question. Each paper comes with a relevance "
        "(from 0.5 on it counts as relevant), a reason and a quote. Takes up to a minute; try search_library first "
        "for papers found before.",
        {"question": "does sleep loss impair memory?", "since": "2018"},
        {
            "question": "What you want to know, in plain English.", "since": f"Earliest publication date: {_DAY}",
            "until": "Latest publication date, same forms.", "limit": "Maximum number of papers.",
            "sources": f"Ask only these, of {', '.join(spec.name for spec in searchable())}; default: those that fit "
            "the question.",
            "deep": "Search longer and follow more references.",
        },
        lists=True,
    ),
    ToolRow(
        "search_library", SEARCH_LIBRARY.name,
        "Search the person's library on this machine, fast: every paper found before, saved or not. `is:saved` lists "
        "the saved papers.",
        {"where": "author:lee year:2020..2023 tag:rag", "sort": "citations"},
        {
            "where": f"Conditions that must all match, separated by spaces:\n{_FORMS}",
            "like": f"Keep only papers similar to these, most similar first. {_SEVERAL}",
            "sort": "Default: relevance to the words; without words, last found first. preference: the person's taste.",
            "reverse": "Reverse the order.", "among": "Search only these papers; default: the whole library.",
        },
        lists=True,
    ),
    ToolRow(
        "query_library_sql", "query",
        "Count, group or join the data of the library with one SQLite SELECT over read-only views. To find papers, "
        f"search_library is simpler. Views with their columns: {_VIEWS}.",
        {"sql": "SELECT year, count(*) FROM papers WHERE saved GROUP BY year"},
        {"sql": "One SELECT. Paper number 12 is #12 in other tools."},
    ),
    ToolRow(
        "get_paper", GET_PAPER.name,
        "Show everything known about one paper of the library: abstract, identifiers, links, the person's tags and "
        "note. Use it to read a paper that a list names; lists have no abstracts.",
        {"paper": "doi:10.1038/nature14539"}, {"paper": _NAMED},
    ),
    ToolRow(
        "list_references", "references",
        "Ask sources which papers a paper cites: the earlier work that it builds on.",
        {"paper": "#12"}, {"paper": _NAMED}, lists=True,
    ),
    ToolRow(
        "list_citing_papers", "citations",
        "Ask sources which papers cite a paper: the later work that builds on it.",
        {"paper": "#12"}, {"paper": _NAMED}, lists=True,
    ),
    ToolRow(
        "find_similar_papers", "similar",
        "Ask sources which papers are similar to a paper. For similar papers of the library, use search_library with "
        "`like`.",
        {"paper": "#12"}, {"paper": _NAMED}, lists=True,
    ),
    ToolRow(
        "recommend_papers", "recommend",
        "Suggest unsaved papers to read next, from the person's reading history or from papers that you name. Takes "
        "up to a minute.",
        {"papers": ["#12", "#40"], "limit": 5},
        {
            "papers": f"Papers to start from; default: the reading history. {_SEVERAL}",
            "tag": "Start from the saved papers with this tag.", "limit": "Maximum number of papers.",
        },
        lists=True,
    ),
    ToolRow(
        "write_summary", "summarize",
        "Write a literature summary in Markdown in which every sentence cites a paper. Takes minutes.",
        {"topic": "sleep loss and memory", "papers": ["#12", "#40"], "words": 300},
        {
            "topic": "What to write about.", "words": "Approximate length.",
            "papers": f"Use only these papers; default: search for some. {_SEVERAL}",
        },
    ),
    ToolRow(
        ASK.name, ASK.name,
        "Answer a question from papers of the library, with quotes copied from their abstracts or PDFs. Without a "
        "model it returns quotes alone.",
        {"question": "does sleep loss impair memory?", "tag": "sleep"},
        {
            "question": "What you want to know, in plain English.",
            "papers": f"Answer from these papers; default: the whole library. {_SEVERAL}",
            "tag": "Answer from the saved papers with this tag.", "run": "Answer from the papers of this run.",
        },
    ),
    ToolRow(
        FIND_QUOTE.name, FIND_QUOTE.name,
        "Find the paper and page that words are quoted from, even if they are slightly wrong; returns the true words.",
        {"quote": "sleep loss impairs memory in adults"}, {"quote": "The words, three or more."}, lists=True,
    ),
    ToolRow(
        SELECTION.name, SELECTION.name,
        "List the papers that the person has marked in the open app, or the one under their cursor: “these papers”.",
        {}, {}, lists=True,
    ),
    ToolRow(
        "export_bibliography", "export", "Return papers as a bibliography, for a file or a reference list.",
        {"papers": ["#12"], "format": "bibtex"},
        {"papers": _SEVERAL, "format": "Format of the entries.", "style": "Citation style, for the format text only."},
        writes=True,
    ),
    ToolRow(
        "check_papers", "check",
        "Check papers against sources before you cite them: retracted, unknown, published since as an article, fields "
        "wrong or missing.",
        {"papers": ["#12"]}, {"papers": _SEVERAL},
    ),
    ToolRow(
        "list_past_runs", "runs",
        "List past searches, answers, summaries, recommendations and conversations, newest first. Read one as the "
        "resource spar://run/ID.",
        {"kind": "search", "since": "2026-01"},
        {
            "words": "Words of the question.", "kind": "Only runs of this kind.", "since": f"Earliest start: {_DAY}",
            "until": "Latest start, same forms.", "limit": "Maximum number of runs.",
        },
    ),
    ToolRow(
        "get_profile", "profile", "Show the person's research interests: what they like, dislike and expect of papers.",
        {}, {},
    ),
    ToolRow(
        "save_papers", "save", "Save papers on the person's shelf.", {"papers": ["#12"], "tags": ["to-read"]},
        {"papers": _SEVERAL, "tags": "Tags to add."}, adds=True,
    ),
    ToolRow(
        "remove_saved_papers", "unsave",
        "Remove papers from the shelf; their tags and notes are lost. Ask the person first.",
        {"papers": ["#12"]}, {"papers": _SEVERAL},
    ),
    ToolRow(
        "tag_papers", "tag", "Add tags to papers, which saves them, or remove tags.",
        {"papers": ["#12"], "add": ["rag"]},
        {"papers": _SEVERAL, "add": "Tags to add.", "remove": "Tags to remove."},
    ),
    ToolRow(
        "write_note", "note", "Replace the person's note on a paper; get_paper shows the note.",
        {"paper": "#12", "text": "Small sample."}, {"paper": _NAMED, "text": "The new note; empty deletes it."},
    ),
    ToolRow(
        "mark_papers", "mark", "Mark papers as read, unread, liked, disliked, or dismissed (never recommended).",
        {"papers": ["#12"], "as": "read"}, {"papers": _SEVERAL, "as": "The mark."},
    ),
    ToolRow(
        "remember_interest", "remember", "Add a line to the person's profile, which recommendations use.",
        {"facet": "like", "text": "randomized trials"},
        {"facet": "The kind of line.", "text": "The line, in the person's own words."}, adds=True,
    ),
)  # fmt: skip
"""The tools that are useful by themselves: `list` and `undo` refer to an earlier turn of a conversation, and here
every call is independent."""


def offered(more: Iterable[AnyTool], changes: bool) -> Mapping[str, OfferedTool]:
    """Return the listed tools, by name; those that change something only with `changes`. `more` are tools beside
    those of the table."""
    table = by_name((*more, SEARCH_LIBRARY, GET_PAPER, SELECTION))
    rows = {row.name: OfferedTool(replace(table[row.does], name=row.name), row) for row in _ROWS}
    return {name: offered_tool for name, offered_tool in rows.items() if changes or not offered_tool.tool.changes}


def listed(offer: OfferedTool) -> Listed:
    """Return a tool as the protocol lists it, with an example of its arguments and hints on its effects.

    A tool that asks sources or a model is not called read-only: it costs, and the library stores what it finds. There
    is no schema of the answer: it would be the same for every tool, and longer than all of them.
    """
    tool, row = offer.tool, offer.row
    return Listed(
        name=tool.name,
        description=f"{row.purpose} Example: {json.dumps(row.example, ensure_ascii=False)}",
        input_schema=input_schema(offer),
        annotations=ToolAnnotations(
            read_only_hint=not (tool.changes or tool.asks or row.writes),
            destructive_hint=tool.changes and not row.adds,
            open_world_hint=tool.asks,
        ),
    )


def listed_next_page() -> Listed:
    """Return `NEXT_PAGE` as the protocol lists it."""
    return Listed(
        name=NEXT_PAGE,
        description='Return the next papers of an earlier answer. Example: {"cursor": "bW9yZQ:20"}',
        input_schema={
            "type": "object",
            "properties": {
                "cursor": {"type": "string", "description": "The `cursor` of that answer."}, "limit": _limit()
            },
            "required": ["cursor"],
            "additionalProperties": False,
        },
        annotations=ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False),
    )  # fmt: skip


def limited(tool: AnyTool) -> bool:
    """Whether the tool has its own `limit`, which then also limits the answer."""
    return "limit" in tool.arguments.model_fields


def input_schema(offer: OfferedTool) -> dict[str, Any]:
    """Return the arguments as JSON Schema: those offered of the tool, and `limit` if it lists papers and has no limit
    of its own. Calls are independent, so papers must be named."""
    return _schema(offer.tool, tuple(offer.row.arguments.items()), offer.row.lists)


@cache
def _schema(tool: AnyTool, described: tuple[tuple[str, str], ...], lists: bool) -> dict[str, Any]:
    whole = tool.arguments.model_json_schema(by_alias=True)
    required = list(whole.get("required", ()))
    properties: dict[str, Any] = {}
    for name, text in described:
        schema_part = _compact(whole["properties"][name])
        if schema_part.get("default") == [SHOWN]:
            del schema_part["default"]
            required.append(name)
        properties[name] = {**schema_part, "description": text}
    if lists and not limited(tool):
        properties["limit"] = _limit()
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": required} if required else schema


_CHECKED_ON_CALL = ("title", "maxLength", "maxItems", "minLength", "pattern")
"""Keys that a schema need not repeat, because every call is checked and refused with a sentence."""


def _compact(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a property without what an agent does not need: titles, limits of length, and null as default."""
    compact = {name: value for name, value in schema.items() if name not in _CHECKED_ON_CALL}
    for choice in compact.pop("anyOf", ()):
        if choice.get("type") != "null":
            compact |= _compact(choice)
    if "items" in compact:
        compact["items"] = _compact(compact["items"])
    return {name: value for name, value in compact.items() if name != "default" or value not in (None, "", [])}


def unpacked(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments, also if a client wrote a list as its JSON text, or a list of one text as that text."""
    return {name: _unpacked(value, schema["properties"].get(name, {})) for name, value in arguments.items()}


def _unpacked(value: Any, schema: Mapping[str, Any]) -> Any:
    if not isinstance(value, str) or schema.get("type") != "array":
        return value
    if not value.lstrip().startswith("["):
        return [value]
    try:
        unpacked = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return unpacked if isinstance(unpacked, list) else value


def _limit() -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": LARGEST_PAGE, "default": PAGE,
            "description": "Maximum number of papers."}  # fmt: skip
