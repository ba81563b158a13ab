"""A Markdown list in which titles are literal text."""

import re
from collections.abc import Sequence

from connectors.records.web_address import web_address
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.styles.parts import Reference, commas

_MARKS = re.compile(r"[\\\[\]*_<>|`~$&#!]")
_AT = re.compile(r"(?<![^\W_])@|@(?=[\w-]+\.\w)")
"""The “@” of a mention, a citation key or an e-mail address, but not of pass@1."""
_MOST_NAMES = 20


def markdown_file(entries: Sequence[Entry]) -> str:
    """One list item for each entry."""
    return "".join(f"- {markdown_item(entry)}\n" for entry in entries)


def markdown_item(entry: Entry) -> str:
    """`**key** Given Family (2017). [Title](address). *Venue*.`"""
    reference = Reference(entry)
    names = [escaped(name.display) for name in entry.names[:_MOST_NAMES]]
    more = " et al." if names and entry.et_al else ""
    more = f" and {len(entry.names) - _MOST_NAMES} more{more}" if len(entry.names) > _MOST_NAMES else more
    title = escaped(reference.title or "(untitled)")
    address = web_address(reference.link)
    quoted = re.sub(r"[(){}<>\[\]\\\s`|*_]", lambda match: f"%{ord(match[0]):02X}", address or "")
    link = f"[{title}]({quoted})" if address else title
    venue = f"*{escaped(reference.container)}*" if reference.container else ""
    volume = escaped(f"{reference.volume}({reference.number})" if reference.number else reference.volume)
    container = commas(venue, volume, escaped(reference.pages))
    who = " ".join(filter(None, [", ".join(names) + more, f"({reference.year})" if reference.year else ""]))
    parts = [f"**{escaped(entry.key)}**", "**Retracted.**" if entry.retracted else "", f"{who}." if who else ""]
    parts += [
        f"{link}.",
        f"{container}." if container else "",
        escaped(plain(entry.abstract)),
        escaped(plain(entry.note)),
    ]
    return " ".join(filter(None, [*parts, escaped(", ".join(entry.keywords))]))


def escaped(text: str) -> str:
    """Escape `text` for Markdown, HTML and template programs; addresses in it do not become links."""
    marked = _MARKS.sub(lambda match: "\\" + match[0], plain(text)).replace("\\<", "&lt;")
    opened = marked.replace("{{", "{&#123;").replace("{%", "&#123;%")
    return _AT.sub("&#64;", opened.replace("://", "&#58;//").replace("www.", "www&#46;"))
