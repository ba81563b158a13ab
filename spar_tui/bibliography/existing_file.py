"""What stands in a bibliography that is to be added to: keys, identifiers and titles, and what is broken in it.

The text is looked at and never written again, so a file that no parser likes can still be added to.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from connectors.identifiers import arxiv, doi
from connectors.paper import Paper
from connectors.records.matching import family_key, title_key
from spar_tui.bibliography.bibtex import Capabilities
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.reading.latex import decode
from spar_tui.bibliography.reading.names import people_of

Id = tuple[str, ...]


@dataclass(slots=True)
class Target:
    """The entries of a file: each name of a work leads to the key it has there."""

    keys: dict[str, str] = field(default_factory=dict)
    """Keys as they are written, by the casefolded key."""
    works: dict[Id, str] = field(default_factory=dict)
    told: dict[str, dict[str, str]] = field(default_factory=dict)
    """The title (letters only), DOI and arXiv id that stand under each casefolded key."""
    broken: list[str] = field(default_factory=list)
    """One sentence for each place that is no whole entry."""
    unclosed: int | None = None
    """The line of an entry that the file ends inside of."""
    dialect: Capabilities | None = None

    def key_of(self, paper: Paper) -> str | None:
        """The key under which `paper` stands in the file, if it does."""
        return next((key for name in names_of(paper) if (key := self.works.get(name))), None)

    def key_of_own(self, paper: Paper, own: str) -> str | None:
        """As `key_of`; failing that the paper's `own` key, if it stands there and nothing says that it is another's."""
        if there := self.key_of(paper):
            return there
        known = self.told.get(own.casefold())
        if known is None:
            return None
        told: dict[str, str] = {name.scheme: name.value for name in paper.identifiers}
        told["title"] = title_key(plain(paper.title))
        return None if any(known[part] != told.get(part, known[part]) for part in known) else self.keys[own.casefold()]

    def add(self, key: str, fields: dict[str, str]) -> None:
        names = list(_names_of_fields(fields))
        self.keys.setdefault(key.casefold(), key)
        title = title_key(decode(fields.get("title", "")))
        known = {name[0]: name[1] for name in names} | ({"title": title} if title else {})
        self.told.setdefault(key.casefold(), known)
        for name in names:
            self.works.setdefault(name, key)


def names_of(paper: Paper) -> list[Id]:
    """What `paper` can be recognised by."""
    found: list[Id] = [(name.scheme, name.value) for name in paper.identifiers if name.scheme in ("doi", "arxiv")]
    if paper.authors and (title := title_key(plain(paper.title))):
        found.append(("title", title, str(paper.year or ""), family_key(paper.authors[0].family)))
    return found


def _names_of_fields(fields: dict[str, str]) -> Iterator[Id]:
    if name := doi(fields.get("doi", "")):
        yield ("doi", name.value)
    of_arxiv = [fields.get("eprint", ""), fields.get("url", "") if "arxiv.org" in fields.get("url", "") else ""]
    if "10.48550" in fields.get("doi", ""):
        of_arxiv.append(fields["doi"])
    yield from (("arxiv", name.value) for raw in of_arxiv if (name := arxiv(raw)))
    title = title_key(decode(fields.get("title", "")))
    people = people_of(fields.get("author", "")).named if title else []
    family = family_key(people[0].family) if people else ""
    year = re.search(r"[0-9]{4}", fields.get("year") or fields.get("date") or "")
    if family:
        yield ("title", title, year[0] if year else "", family)


_START = re.compile(r"@[ \t]*([a-zA-Z]+)\s*([{(])")
_NEW_LINE_ENTRY = re.compile(r"^[ \t]*@[ \t]*[a-zA-Z]+\s*[{(]", re.MULTILINE)
_MARK = re.compile(r"\\\\|[{}()]|\n[ \t]*@[ \t]*[a-zA-Z]+\s*[{(][^{}=\n]*,?[ \t]*\n")
_KEY = re.compile(r"\s*([^\s,{}()\"=#%]+)\s*,")
_FIELD = re.compile(r"\s*([a-zA-Z][\w:.+-]*)\s*=\s*")
_WANTED = frozenset({"author", "title", "year", "date", "doi", "eprint", "url"})
_ONLY_BIBLATEX = re.compile(r"^\s*(?:journaltitle|date|eprinttype|eprintclass|location)\s*=", re.MULTILINE | re.I)


def read_bib(text: str) -> Target:
    """What stands in the text of a .bib file."""
    target, place = Target(), 0
    while found := _START.search(text, place):
        end = _end_of(text, found.end() - 1)
        if end is None:
            again = _NEW_LINE_ENTRY.search(text, found.end())
            if again is None:
                target.unclosed = _line(text, found.start())
                break
            target.broken.append(f"line {_line(text, found.start())}: @{found[1]} is not closed")
            place = again.start()
            continue
        if found[1].lower() not in ("comment", "string", "preamble"):
            _read_entry(text, found, end, target)
        place = end
    if target.keys:
        target.dialect = "biblatex" if _ONLY_BIBLATEX.search(text) or "@online" in text.lower() else "bibtex"
    return target


def _end_of(text: str, start: int) -> int | None:
    """The place behind the brace or parenthesis that closes the one at `start`; None if it is not closed.

    A line that begins another entry inside means that the brace was forgotten.
    """
    closer, depth = ("}" if text[start] == "{" else ")"), 0
    for found in _MARK.finditer(text, start):
        mark = found[0]
        if mark[0] == "\n":
            return None
        if mark == "{" or (closer == ")" and found.start() == start):
            depth += 1
        elif mark == "}" or (mark == ")" and closer == ")" and depth == 1):
            depth -= 1
            if depth == 0:
                return found.end()
    return None


def _read_entry(text: str, start: re.Match[str], end: int, target: Target) -> None:
    body = text[start.end() : end - 1]
    key = _KEY.match(body)
    if not key:
        target.broken.append(f"line {_line(text, start.start())}: @{start[1]} has no citation key")
        return
    if key[1].casefold() in target.keys:
        target.broken.append(f"line {_line(text, start.start())}: the key {key[1]} stands in the file already")
    target.add(key[1], dict(_fields(body[key.end() :])))


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _fields(body: str) -> Iterator[tuple[str, str]]:
    place = 0
    while found := _FIELD.match(body, place):
        value, place = _value(body, found.end())
        if found[1].lower() in _WANTED:
            yield found[1].lower(), value
        while place < len(body) and body[place] in ", \t\r\n":
            place += 1


def _value(body: str, place: int) -> tuple[str, int]:
    """The value that begins at `place`, up to the comma on its level, and the place of that comma."""
    depth, quoted, start = 0, False, place
    for found in re.compile(r'[{}",]').finditer(body, place):
        mark = found[0]
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
        elif mark == '"' and depth == 0:
            quoted = not quoted
        elif mark == "," and depth == 0 and not quoted:
            return _bare(body[start : found.start()]), found.start()
    return _bare(body[start:]), len(body)


def _bare(value: str) -> str:
    value = value.strip()
    return value[1:-1] if value[:1] + value[-1:] in ("{}", '""') else value


def read_ris(text: str) -> Target:
    """What stands in the text of a RIS file."""
    target, fields, began = Target(), dict[str, str](), 0
    named = {"TI": "title", "T1": "title", "AU": "author", "A1": "author", "PY": "year", "Y1": "year", "DO": "doi",
             "AN": "eprint", "UR": "url", "ID": "key"}  # fmt: skip
    for line, content in enumerate(text.splitlines(), 1):
        tag, _, value = content.partition("  -")
        tag = tag.lstrip("\ufeff")
        if tag == "TY":
            if began:
                target.broken.append(f"line {began}: the record has no ER line")
            fields, began = {}, line
        elif tag == "ER" and began:
            target.add(fields.get("key", f"line {began}"), fields)
            began = 0
        elif name := named.get(tag):
            fields.setdefault(name, value.strip().rstrip(","))
    target.unclosed = began or None
    return target
