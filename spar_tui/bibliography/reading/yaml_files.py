"""Read bibliographies in YAML: CSL-YAML, as for pandoc, and hayagriva's, as for Typst.

Only texts are read: no objects are created, and aliases are rejected.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

import yaml

from spar_tui.bibliography.edtf import as_csl, of_biblatex, of_csl
from spar_tui.bibliography.format_tables import members_of, types_of
from spar_tui.bibliography.markup import SMALL_CAPS
from spar_tui.bibliography.reading.csl_json import DATES
from spar_tui.bibliography.reading.entries_read import FileEntries, InvalidSyntax, Problem
from spar_tui.bibliography.reading.item_files import found_in_items
from spar_tui.bibliography.reading.translation import PEOPLE_IN_CSL, FieldTable, Item, item_of

_PLACE = members_of("hayagriva-place")
_HAYAGRIVA = FieldTable(
    {f"parent/{name}": member for name, member in _PLACE.items()}
    | _PLACE
    | members_of("hayagriva")
    | {f"affiliated/{role}": role for role in PEOPLE_IN_CSL},
    types_of("hayagriva"),
)
_RICH = ("abstract", "note", "annote", "publisher")
"""Members, apart from titles, whose text may have markup."""


def read_yaml(text: str) -> FileEntries:
    """Return the references of the first document; if it is invalid, the valid ones. Raises `ValueError` for none."""
    problems = list[Problem]()
    try:
        value, lines = yaml_value(text)
    except InvalidSyntax:
        text, problems = _valid_references(text)
        value, lines = yaml_value(text)
    if isinstance(value, dict) and isinstance(value.get("references"), list):
        value = value["references"]
    if isinstance(value, list | dict):
        problems += _no_works(value)
    if isinstance(value, list):
        items = ((lines[id(item)], _in_capitals(item)) for item in value if isinstance(item, dict))
        return found_in_items(((line, _with_dates(_as_json(item))) for line, item in items), problems)
    if isinstance(value, dict):
        works = ((key, work) for key, work in value.items() if isinstance(work, dict))
        return found_in_items(((lines[id(work)], _item(key, work)) for key, work in works), problems)
    raise ValueError("it has no references")


def _no_works(references: list[Any] | dict[str, Any]) -> list[Problem]:
    """Return a problem for the references that have no fields."""
    named = enumerate(references, start=1) if isinstance(references, list) else references.items()
    names = [str(name) for name, work in named if not isinstance(work, dict)]
    more = f" (and {len(names) - 1:,} more)" if len(names) > 1 else ""
    return [Problem(1, name, f"it has no fields, so it is no work{more}") for name in names[:1]]


_LIST = re.compile(r"^([ \t]*)- ", re.MULTILINE)
_WORK = re.compile(r"^(?=[^\s#-])", re.MULTILINE)


def _valid_references(text: str) -> tuple[str, list[Problem]]:
    """Return the text without the references that cannot be read, and a problem for each of them; the others keep
    their lines. Raises `ValueError` if none can be read."""
    is_list = _LIST.match(text) or text.startswith("---") or text.lstrip().startswith("references:")
    first = _LIST.search(text) if is_list else None
    begins = re.compile(rf"^(?={first[1]}- )", re.MULTILINE) if first else _WORK
    starts = [match.start() for match in begins.finditer(text)]
    kept, problems, fault = [text[: starts[0]] if starts else ""], list[Problem](), ValueError("it has no references")
    head = kept[0]
    for start, stop in pairwise([*starts, len(text)]):
        reference = text[start:stop]
        try:
            yaml_value(head + reference)
        except InvalidSyntax as error:
            reason = re.sub(r" in line \d+", "", str(error))
            problems.append(Problem(text.count("\n", 0, start) + 1, "", reason, to_end=stop == len(text)))
            reference, fault = "\n" * reference.count("\n"), error
        kept.append(reference)
    if len(problems) == len(starts):
        raise fault
    return "".join(kept), problems


def _in_capitals(item: Item) -> Item:
    """Return the item with members such as `doi` and `url` under the capitalized names of CSL; pandoc reads both."""
    capitals = ("DOI", "ISBN", "ISSN", "PMCID", "PMID", "URL")
    named = {name.lower(): name for name in capitals if name not in item}
    return {named.get(name, name): value for name, value in item.items()}


def _as_json(item: Item) -> Item:
    """Return the item in the form of CSL-JSON: markup as tags, and a single person as a list."""
    text = {
        name: _with_tags(_MARKDOWN, value)
        for name, value in item.items()
        if isinstance(value, str) and ("title" in name or name in _RICH)
    }
    if isinstance(item.get("id"), int):  # in YAML, a key such as 2013 is written like a number
        text["citation-key"] = str(item["id"])
    people = {name: [value] for name, value in item.items() if isinstance(value, dict) and name in PEOPLE_IN_CSL}
    return item | text | people


def _with_dates(item: Item) -> Item:
    """Return the item with dates in the form of CSL-JSON; pandoc's YAML also has shorter forms."""
    dates = {name: item[name] for name in DATES if name in item}
    shorter = {name: value for name, value in dates.items() if not (isinstance(value, dict) and "date-parts" in value)}
    return item | {
        name: as_csl(date) if (date := of_csl(value)) else value if isinstance(value, dict) else {"raw": str(value)}
        for name, value in shorter.items()
    }


def _item(key: str, work: Mapping[str, Any]) -> Item:
    fields = [("key", key), *_texts(work)]
    if "url" not in work:
        fields = [(re.sub("^parent/url", "url", path), text) for path, text in fields]
    if ("parent/type", "in issue") in fields:  # an issue is a part of the journal that is its parent
        fields = [(path.removeprefix("parent/") if path.count("parent/") > 1 else _ISSUE.get(path, path), text)
                  for path, text in fields if path != "parent/type"]  # fmt: skip
    own = {path for path, _ in fields}
    above = {path: path.removeprefix("parent/") for path in own - _OF_SERIES if path.startswith("parent/parent/")}
    fields = [(above[path] if above.get(path, path) not in own else path, text) for path, text in fields
              if path != "parent/date" or "date" not in own]  # fmt: skip
    roles = {f"parent/{role}": role for role in _HAYAGRIVA.members.keys() - own if role.startswith("affiliated/")}
    fields = [(roles.get(path, path), text) for path, text in fields]
    # The container's type is more specific than the article's, and its address replaces a missing one.
    return item_of(
        sorted(fields, key=lambda field: field[0].count("parent/") * (field[0] != "parent/type")), _HAYAGRIVA
    )


_ISSUE = {"parent/title": "issue-title"}
_OF_SERIES = {f"parent/parent/{name}" for name in ("title", "volume", "issue", "type")}
"""Fields of the book or series that the container belongs to; it inherits all other fields of it."""


def _texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts in a value, each with its path."""
    match value:
        case list() if path == "parent":
            events = [item for item in value if _has_type(item, _EVENTS)]
            holders = sorted((item for item in value if item not in events), key=_is_no_collection)
            steps = [(item, "others" if _is_no_collection(item) else "parent") for item in holders[1:]]
            steps += [(item, "conference" if holders else "") for item in events]
            for item, step in [*((item, "") for item in holders[:1]), *steps]:
                yield from _texts(item, f"{path}/{step}".rstrip("/"))
        case list():
            for item in value:
                yield from _texts(item, path)
        case {"name": name, **parts} if path.endswith(("author", "editor")):
            yield from ((f"{path}/alias", str(alias)) for alias in filter(None, [parts.get("alias")]))
            names = (parts.get("prefix"), name, parts.get("suffix"), parts.get("given-name"))
            prefix, family, suffix, given = (str(part or "") for part in names)
            whole = f"{prefix} {family}".strip()
            yield path, ", ".join(filter(None, (whole, given, suffix))) if given or prefix else f"{whole},"
        case str() if path.endswith(("author", "editor")) and value.startswith("{") and value.endswith("}"):
            yield path, f"{value[1:-1]},"  # a group, in JabRef's notation
        case str() if path.endswith(("author", "editor")) and "," not in value:
            yield path, f"{value},"
        case {"role": role, "names": names}:
            yield from _texts(names, f"{path}/{role}")
        case {"value": str(text), **others} if "title" in path:
            yield path, of_typst(text, verbatim=str(others.pop("verbatim", "")).lower() == "true")
            yield from _texts(others, path)
        case str() | int() if path.endswith("date"):
            stated = f"{value:05}" if isinstance(value, int) and value < 0 else str(value)
            stated = f"{stated[1:]}~" if stated.startswith("~") else stated
            yield path, of_biblatex(stated) or stated  # years are counted as in ISO 8601, where 0000 is 1 BC
        case str() if "title" in path or path.endswith(("abstract", "note")):
            yield path, of_typst(value)
        case dict():
            for name, inner in value.items():
                name = "conference" if path == "parent" and _has_type(inner, _EVENTS) else name
                yield from _texts(inner, f"{path}/{name}" if path else name)
        case _:
            yield path, f"in {value}" if path.endswith("parent/type") else str(value)


_EVENTS = ("conference",)
_COLLECTIONS = ("anthology", "book", "exhibition", "newspaper", "performance", "periodical", "proceedings", "reference")
"""Types that hayagriva reads as a collection of works; what else a work belongs to, such as the repository of its code,
is no series of it."""


def _has_type(value: Any, types: Collection[str]) -> bool:
    return isinstance(value, dict) and str(value.get("type")).lower() in types


def _is_no_collection(parent: Any) -> bool:
    return isinstance(parent, dict) and "type" in parent and not _has_type(parent, _COLLECTIONS)


DEEPEST = 50
"""Maximum nesting depth of lists and mappings."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER = re.compile(r"-?[1-9][0-9]{0,8}")


def yaml_value(text: str) -> tuple[Any, dict[int, int]]:
    """Parse the first document to mappings, lists, strings and integers; also return the line of each mapping, by
    `id()`.

    Raises `InvalidSyntax` for invalid YAML and for tags of objects, `ValueError` for deep nesting, and for aliases,
    which can make a small file huge.
    """
    lines: dict[int, int] = {}
    events = yaml.parse(text, Loader=_LOADER)
    try:
        for event in events:
            if isinstance(event, yaml.CollectionStartEvent | yaml.ScalarEvent | yaml.AliasEvent):
                return _value(event, events, lines, 0), lines
    except yaml.YAMLError as error:
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        position = f" in line {mark.line + 1}" if mark else ""
        raise InvalidSyntax(f"it is not valid YAML{position}: {getattr(error, 'problem', None) or error}") from None
    return None, lines


_TAGS_READ = {"!", *(f"tag:yaml.org,2002:{name}" for name in "str int float bool null timestamp seq map".split())}


def _value(event: yaml.Event, events: Iterator[yaml.Event], lines: dict[int, int], depth: int) -> Any:
    if isinstance(event, yaml.AliasEvent):
        raise ValueError(f"it has an alias in line {_line(event)}, which spar does not read")
    if (tag := str(getattr(event, "tag", None) or "!")) not in _TAGS_READ:
        raise InvalidSyntax(f"it has a value with a tag that spar does not read ({tag[:60]}) in line {_line(event)}")
    if isinstance(event, yaml.ScalarEvent):
        if event.style or not event.implicit[0]:
            return event.value
        if _NUMBER.fullmatch(event.value):
            return int(event.value)
        return "" if event.value in ("~", "null") else event.value
    if depth == DEEPEST:
        raise ValueError("it is nested too deeply")
    inner = (_value(inner_event, events, lines, depth + 1) for inner_event in _within(events))
    if isinstance(event, yaml.SequenceStartEvent):
        return list(inner)
    mapping = {str(name): next(inner) for name in inner}
    lines[id(mapping)] = _line(event)
    return mapping


def _within(events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    """Yield the events inside the open list or mapping."""
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            return
        yield event


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0


_MATH = r"\$(?=\S)(?>(?:[^$\\]|\\.)*)(?<=\S)\$(?!\d)"
_UNDERLINES = r"(?<!\w)_(?=[^\s_])(?P<em>(?>(?:[^_\\]|\\.|(?<=\w)_(?=\w))+))(?<=\S)_(?!\w)"
_MARKDOWN = re.compile(
    rf"\\(?P<sign>[!-/:-@\[-`{{-~ ])|(?P<math>{_MATH})"
    r"|\*\*(?=[^\s*])(?P<strong>(?>(?:[^*\\]|\\.)+))(?<=\S)\*\*"
    rf"|\*(?=[^\s*])(?P<star>(?>(?:[^*\\]|\\.)+))(?<=\S)\*|{_UNDERLINES}"
    r"|~(?P<sub>(?>(?:[^~\s\\]|\\.)+))~|\^(?P<sup>(?>(?:[^\^\s\\]|\\.)+))\^"
    r"|\[(?P<span>[^\[\]]*+)\]\{\.(?P<style>smallcaps|nocase)\}",
    re.DOTALL,
)
_TYPST = re.compile(
    rf"\\(?P<sign>[!-/:-@\[-`{{-~])|(?P<math>{_MATH})|\{{(?P<nocase>[^{{}}]*+)\}}"
    rf"|(?<!\w)\*(?=[^\s*])(?P<strong>(?>(?:[^*\\]|\\.)+))(?<=\S)\*(?!\w)|{_UNDERLINES}"
    r"|#(?P<style>emph|strong|sub|super|smallcaps)\[(?P<span>[^\[\]]*+)\]",
    re.DOTALL,
)
_BRACED = re.compile(r"(?<!\\)\{([^{}]*+)\}")
_TAGS = {
    "em": "<i>", "emph": "<i>", "star": "<i>", "strong": "<b>", "sub": "<sub>", "sup": "<sup>", "super": "<sup>",
    "smallcaps": SMALL_CAPS, "nocase": '<span class="nocase">',
}  # fmt: skip


def of_typst(text: str, *, verbatim: bool = False) -> str:
    """Convert text of hayagriva, in which braces protect capitals; `verbatim` protects the whole text."""
    return _tagged("nocase", _with_tags(_TYPST, _BRACED.sub(r"\1", text))) if verbatim else _with_tags(_TYPST, text)


def _with_tags(markup: re.Pattern[str], text: str) -> str:
    def written(match: re.Match[str]) -> str:
        parts = {name: part for name, part in match.groupdict().items() if part is not None}
        if "sign" in parts or "math" in parts:
            return parts.get("math") or parts["sign"]
        style = parts.pop("style", "") or next(iter(parts))
        [inner] = parts.values()
        return _tagged(style, _with_tags(markup, inner))

    return markup.sub(written, text)


def _tagged(style: str, text: str) -> str:
    start = _TAGS[style]
    return f"{start}{text}</{start.strip('<>').split()[0]}>"
