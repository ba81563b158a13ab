"""What documents in Markdown, Typst and Org cite, and the files that they take in."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple


class Markup(NamedTuple):
    """How a language writes: what is no text, what cites (the group `key`, or `keys` with something between them),
    what takes in a file (the group `file`), and what names a place in the document itself (the group `label`). Where
    citations are `bracketed`, what stands in brackets with one belongs to it."""

    unread: re.Pattern[str]
    citing: re.Pattern[str]
    labels: re.Pattern[str] | None = None
    bracketed: bool = False


class TakenIn(NamedTuple):
    """A file that a document takes in, with the folder that it names for it; one that is `optional` may be missing."""

    name: str
    folder: str = ""
    optional: bool = False


_PANDOC = Markup(
    re.compile(
        r"^(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^(?P=fence)|\Z)|(?<!`)(?P<tick>`++).*?(?<!`)(?P=tick)(?!`)"
        r"|<!--(?:(?!<!--).)*?-->"
        r"|<https?://[^<>\s]*>|\]\([^()\s]*\)",
        re.DOTALL | re.MULTILINE,
    ),
    re.compile(
        r"(?<![\w\\@./])@(?:\{(?P<braced>[^{}\s]+)\}|(?P<key>\*|\w(?:[\w]|[:.#$%&+?<>~/-](?=\w))*))"
        r"|\{\{<\s*include\s+(?P<file>[^\s>]+)\s*>\}\}",
    ),
    re.compile(r"\{#(?P<label>[\w:.-]+)"),
    bracketed=True,
)
_TYPST = Markup(
    re.compile(
        r"/\*(?:(?!/\*).)*?\*/|(?<!:)//[^\n]*|(?<!`)(?P<tick>`{3,}+).*?(?P=tick)|`[^`]*`|https?://\S+",
        re.DOTALL,
    ),
    re.compile(
        r"(?<![\w\\@./])@(?P<key>\w(?:[\w]|[:.-](?=\w))*)(?:\[[^\[\]]*\])?"
        r"|(?:#|\b)cite\(\s*(?:<(?P<braced>[^<>\s]+)>|label\(\"(?P<keys>[^\"]+)\"\))(?:[^()]*\))?"
        r"|#include\s+\"(?P<file>[^\"]+)\"",
    ),
    re.compile(r"(?<!cite\()<(?P<label>[\w:.-]+)>"),
)
_ORG = Markup(
    re.compile(
        r"^[ \t]*#\+begin_(?P<block>src|example|comment|export)\b(?:(?!#\+begin_).)*?^[ \t]*#\+end_(?P=block)\b"
        r"|^[ \t]*#(?:[ \t][^\n]*|$)"
        r"|(?<![\w=])=[^\s=](?:[^=\n]*[^\s=])?=(?!\w)|(?<![\w~])~[^\s~](?:[^~\n]*[^\s~])?~(?!\w)",
        re.DOTALL | re.MULTILINE | re.IGNORECASE,
    ),
    re.compile(
        r"\[cite(?:/[\w/-]+)?:(?P<cited>[^\[\]]*)\]"
        r"|\[\[[a-z]*cite[a-z]*\*?:(?P<linked>[^\[\]]*&[^\[\]]*)\]"
        r"|\b(?:[a-zA-Z]*cite[a-zA-Z]*\*?):(?P<keys>&?[\w:./-]+(?:[,;]&?[\w:./-]+)*)"
        r"|^[ \t]*#\+include:[ \t]*\"?(?P<file>[^\s\"]+)",
        re.MULTILINE | re.IGNORECASE,
    ),
)
_IN_ORG = re.compile(r"[@&]([^\s;\]@&,]*[^\s;\]@&,.:?!])")
MARKUPS = {
    **dict.fromkeys((".md", ".markdown", ".qmd", ".rmd"), _PANDOC), ".typ": _TYPST, ".org": _ORG,
}  # fmt: skip
"""The languages by the endings of their files."""
_CROSS_REFERENCE = re.compile(r"(?:fig|tbl|tab|sec|eq|lst|thm|lem|cor|prp|cnj|def|exm|exr|nte|tip|wrn|imp|cau)[-:]")
"""What Quarto and pandoc-crossref call places in the document."""


def parts_in_markup(text: str, markup: Markup) -> Iterator[str | TakenIn]:
    """The lists of keys that a document cites, and the files that it takes in, in their order."""
    for _, _, part in parts_with_places(markup_text(text, markup), markup):
        yield part


def markup_text(text: str, markup: Markup) -> str:
    """`text` without what is no text; every line keeps its number."""
    return markup.unread.sub(lambda found: " " + "\n" * found[0].count("\n"), text)


def parts_with_places(bare: str, markup: Markup) -> Iterator[tuple[int, int, str | TakenIn]]:
    """As `parts_in_markup`, each with its begin and its end in what `markup_text` made of the document."""
    labels = {found["label"] for found in markup.labels.finditer(bare)} if markup.labels else set[str]()
    for found in markup.citing.finditer(bare):
        if part := _part(found, markup, labels):
            yield found.start(), found.end(), part


def _part(found: re.Match[str], markup: Markup, labels: Collection[str]) -> str | TakenIn:
    """The keys or the file of one place, "" for a place in the document itself."""
    told = {name: value for name, value in found.groupdict().items() if value}
    if "file" in told:
        return TakenIn(told["file"])
    if words := told.get("cited") or told.get("linked"):
        return ",".join(_IN_ORG.findall(words))
    if "keys" in told:
        return told["keys"].replace("&", "").replace(";", ",").rstrip(".:")
    if "braced" in told:
        return told["braced"]
    key = told.get("key", "")
    return "" if key in labels or (markup is _PANDOC and _CROSS_REFERENCE.match(key)) else key
