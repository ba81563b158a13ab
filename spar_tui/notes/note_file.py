"""The Markdown file of a saved paper: spar's part, a mark, and the person's part below it.

The front matter holds a digest of spar's part. If that part was edited by hand, the digest differs, and the file is not
overwritten.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from cache.shelf import Shelved
from connectors.paper import short_authors
from connectors.records.web_address import web_address
from spar_tui.bibliography.markdown import escaped

MARK = "<!-- spar writes all above this line anew; below it is yours -->"
_KEY, _DIGEST = "key", "spar"
_FIELD = re.compile(r"^(\w+): (.*)$")
_MARKED = re.compile(rf"\r?\n{re.escape(MARK)}(?:\r?\n|\Z)")
_LIVE = re.compile(r"<|(?<=\[)\[|(?<=\])\(|\{(?=[{%])")
_NO_TAG = re.compile(r"[^\w/-]+")


@dataclass(frozen=True, slots=True)
class NoteEvidence:
    """Words of a paper that a judge quoted, the question they were quoted for, and the page if they are from its
    PDF."""

    quote: str
    question: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Links:
    """Links to the saved papers that a paper cites and to those that cite it: titles by file stem."""

    cites: dict[str, str]
    cited_by: dict[str, str]


@dataclass(frozen=True, slots=True)
class Existing:
    """A file in a folder of notes: the key of its paper ("" if spar did not write it), whether the part above the mark
    is unchanged, and the part below the mark."""

    key: str
    untouched: bool
    below: str


def written(
    shelved: Shelved,
    key: str,
    links: Links,
    evidence: Sequence[NoteEvidence],
    below: str,
    wiki: bool,
    imported: Collection[str] = (),
) -> str:
    """Return the whole file: front matter, paper, note, quotes, links, the mark, and `below` unchanged.

    Lines of the note that are `imported` are quoted, so that no viewer runs or renders them.
    """
    fields = _fields(shelved, key)
    body = "\n\n".join(filter(None, _sections(shelved, links, evidence, wiki, imported)))
    digest = _digest(fields, body)
    front = "\n".join([*fields, f"{_DIGEST}: {digest}"])
    return f"---\n{front}\n---\n\n{body}\n\n{MARK}\n{below}"


def read(data: bytes) -> Existing:
    """Parse a file of a folder of notes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Existing("", False, "")
    marked = _MARKED.search(text)
    head = (text[: marked.start()] if marked else text).replace("\r\n", "\n")
    below = text[marked.end() :] if marked else ""
    front, _, body = head.removeprefix("---\n").partition("\n---\n")
    fields = front.split("\n")
    values = {match[1]: match[2] for line in fields if (match := _FIELD.match(line))}
    if not head.startswith("---\n") or _DIGEST not in values or _KEY not in values:
        return Existing("", False, "")
    own = [line for line in fields if not line.startswith(f"{_DIGEST}: ")]
    untouched = marked is not None and _digest(own, body.strip("\n")) == values[_DIGEST]
    return Existing(_unquoted(values[_KEY]), untouched, below)


def _fields(shelved: Shelved, key: str) -> list[str]:
    paper = shelved.paper
    values: dict[str, object] = {
        _KEY: key,
        "title": paper.title,
        "aliases": [paper.title],
        "authors": [author.name for author in paper.authors],
        "year": paper.year,
        "venue": paper.venue or None,
        **{scheme: paper.identifier(scheme) for scheme in ("doi", "arxiv", "pmid")},
        "url": web_address(paper.url),
        "tags": [tag for raw in shelved.tags if (tag := _NO_TAG.sub("-", raw).strip("-"))],
        "saved": f"{shelved.saved:%Y-%m-%d}",
        "read": f"{shelved.read:%Y-%m-%d}" if shelved.read else None,
        "rating": {1: "liked", -1: "disliked"}.get(shelved.rating),
        "retracted": paper.retracted or None,
    }
    # YAML reads every quoted string of JSON as the same string.
    present = {name: value for name, value in values.items() if value not in (None, [])}
    return [f"{name}: {_inert(json.dumps(value, ensure_ascii=False))}" for name, value in present.items()]


def _inert(text: str) -> str:
    """Return JSON with the same values in which no viewer finds HTML, a link or a template."""
    return _LIVE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _sections(
    shelved: Shelved, links: Links, evidence: Sequence[NoteEvidence], wiki: bool, imported: Collection[str]
) -> list[str]:
    paper = shelved.paper
    facts = [short_authors(paper), str(paper.year or ""), paper.venue]
    quotes = [
        f"{_block(quote.quote)}\n>\n> — {_place(quote)}for the question “{escaped(quote.question)}”"
        for quote in evidence
    ]
    return [
        f"# {escaped(paper.title)}",
        " · ".join(escaped(fact) for fact in facts if fact),
        "**Retracted.**" if paper.retracted else "",
        f"## Note\n\n{_note(shelved.note, imported)}" if shelved.note.strip() else "",
        f"## Abstract\n\n{_block(paper.abstract)}" if paper.abstract else "",
        f"## spar's note\n\n{escaped(paper.described)}" if paper.described and not paper.abstract else "",
        "## Quotes\n\n" + "\n\n".join(quotes) if quotes else "",
        _listed("Cites", links.cites, wiki),
        _listed("Cited by", links.cited_by, wiki),
    ]


def _place(quoted: NoteEvidence) -> str:
    return f"p. {quoted.page:,} of its PDF, " if quoted.page else ""


def _listed(heading: str, notes: Mapping[str, str], wiki: bool) -> str:
    lines = [f"- {link(stem, title, wiki)}" for stem, title in notes.items()]
    return f"## {heading}\n\n" + "\n".join(lines) if lines else ""


def link(stem: str, title: str, wiki: bool) -> str:
    """Return a link to another note of the folder: `[[stem|title]]`, or a Markdown link."""
    if wiki:
        return f"[[{stem}|{re.sub(r'[][|#^<{]', ' ', title).strip() or stem}]]"
    return f"[{escaped(title)}]({re.sub(r'[^A-Za-z0-9._-]', _percent, stem)}.md)"


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


def _note(note: str, imported: Collection[str]) -> str:
    """Return the person's lines unchanged, except that a line like the mark is escaped, and `imported` lines are
    quoted. A blank line belongs to the lines before it.
    """
    parts: list[tuple[bool, list[str]]] = []
    for line in note.strip().splitlines():
        quoted = line.strip() in imported if line.strip() else bool(parts) and parts[-1][0]
        if not parts or parts[-1][0] != quoted:
            parts.append((quoted, []))
        parts[-1][1].append(line)
    return "\n\n".join(_quoted(lines) if quoted else _own(lines) for quoted, lines in parts)


def _own(lines: Sequence[str]) -> str:
    return "\n".join(line.replace("<!--", "&lt;!--") if line.strip() == MARK else line for line in lines).rstrip()


def _quoted(lines: Sequence[str]) -> str:
    return "\n".join(f"> {escaped(line.strip())}".rstrip() for line in lines).removesuffix("\n>")


def _block(text: str) -> str:
    return "> " + escaped(" ".join(text.split()))


def _digest(fields: Sequence[str], body: str) -> str:
    return sha256("\n".join([*fields, body]).encode()).hexdigest()[:16]


def _unquoted(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str) else text
