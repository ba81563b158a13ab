"""Format references for readers; every caller, from a file to a copied line, uses `reference_list`.

Each style has a CSL file and rules of our own. pandoc is the reference implementation of CSL, and is used if installed;
else citeproc-py formats the styles in which it agrees with pandoc; else our own rules do. docs/formats.md lists
their limits.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from connectors.records.letters import to_ascii
from spar_tui.bibliography.citeproc_py import citeproc_texts
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.pandoc import has_pandoc, pandoc_references, pandoc_version
from spar_tui.bibliography.styles import apa, chicago, ieee, mla, nature, vancouver
from spar_tui.bibliography.styles.items import reference_of, shown, style_item
from spar_tui.bibliography.styles.parts import FormattedReference, Reference, absent_parts
from spar_tui.errors import Failure, UsageError

_OWN = "spar's own rules; docs/formats.md names their limits"


class CitationStyle(NamedTuple):
    """A style: `write` formats a reference; `number` is its prefix, or "" in styles sorted by author.

    `csl` is the name of the style's file in the folder `csl`.
    """

    title: str
    write: Callable[[Reference], str]
    csl: str
    number: str = ""
    lettered: bool = False
    """Whether letters distinguish works of the same authors and year."""
    by_citeproc: bool = False
    """Whether citeproc-py agrees with pandoc: for 93 of the tests' 102 references in APA, and 98 in Nature."""
    doi_as_url: bool = False
    """Whether the style's file prints only addresses and no DOI."""

    @property
    def file(self) -> Path:
        return Path(__file__).with_name("csl") / f"{self.csl}.csl"


STYLES: Mapping[str, CitationStyle] = {
    "apa": CitationStyle("APA, 7th edition", apa.reference, "apa", lettered=True, by_citeproc=True),
    "ieee": CitationStyle("IEEE", ieee.reference, "ieee", "[{}] "),
    "nature": CitationStyle("Nature", nature.reference, "nature", "{}. ", by_citeproc=True),
    "vancouver": CitationStyle("Vancouver (NLM)", vancouver.reference, "vancouver", "{}. ", doi_as_url=True),
    "chicago": CitationStyle(
        "Chicago author-date, 17th edition", chicago.reference, "chicago-author-date", lettered=True
    ),
    "mla": CitationStyle("MLA, 9th edition", mla.reference, "modern-language-association"),
}  # fmt: skip
DEFAULT_STYLE = "apa"


class ReferenceList(NamedTuple):
    """A line for each reference, and notes: which program wrote them, and which data they omit."""

    lines: list[str]
    notes: list[str]


def reference_list(entries: Sequence[Entry], style: str) -> ReferenceList:
    """Format `entries` in one of `STYLES`, or in the style of a .csl file.

    Raises `UsageError` if the file cannot be used, `Failure` if pandoc fails with it.
    """
    if not entries:
        return ReferenceList([], [])
    references = list(map(reference_of, entries))
    if built_in := STYLES.get(style):
        lines, notes = _in_style(references, built_in)
    else:
        lines, notes = _by_pandoc(references, _file(style)), [_by_which(style)]
    return ReferenceList([line.text for line in lines], [*notes, *absent_parts(lines)])


def _file(style: str) -> Path:
    if not has_pandoc():
        raise UsageError(f"--style {style} needs pandoc, which is not installed; the built-in styles do not need it.")
    if not Path(style).is_file():
        raise UsageError(f"--style {style}: there is no such file.")
    return Path(style)


def _by_pandoc(references: Sequence[Reference], csl: Path, doi_as_url: bool = False) -> list[FormattedReference]:
    items = [style_item(reference, doi_as_url) for reference in references]
    return [FormattedReference(references[index], shown(text)) for index, text in pandoc_references(items, csl)]


def _by_which(style: str) -> str:
    return f"written by {f'pandoc {pandoc_version()}'.strip()} in the style of {style}."


def _in_style(references: Sequence[Reference], style: CitationStyle) -> tuple[list[FormattedReference], list[str]]:
    """Return the lines in a built-in style, and notes on which program wrote them."""
    failed = []
    if has_pandoc():
        try:
            lines = _by_pandoc(references, style.file, style.doi_as_url)
            return lines, [_by_which(style.title)]
        except Failure as error:  # for example, a pandoc too old for these styles
            failed.append(str(error))
    ordered = references if style.number else sorted(references, key=_order)
    ordered = _lettered(ordered) if style.lettered else ordered
    texts = by_citeproc(ordered, style) if style.by_citeproc else [None] * len(ordered)
    lines = [
        FormattedReference(reference, style.number.format(number) + (text or style.write(reference)))
        for number, (reference, text) in enumerate(zip(ordered, texts, strict=True), 1)
    ]
    return lines, [*failed, _engine(style, len(texts), texts.count(None))]


def by_citeproc(references: Sequence[Reference], style: CitationStyle) -> list[str | None]:
    """Format each reference with citeproc-py, without its number; None for those that it formats badly."""
    texts = citeproc_texts([style_item(reference, style.doi_as_url) for reference in references], style.file)
    return [text and shown(text).removeprefix(style.number.format(1).strip()).strip() for text in texts]


def _engine(style: CitationStyle, count: int, own: int) -> str:
    if own == count:
        return f"written in the style of {style.title} by {_OWN}."
    rest = f", {own} of {count} that it cannot write well by {_OWN}" if own else ""
    return f"written by citeproc-py in the style of {style.title}{rest}."


def _order(reference: Reference) -> tuple[str, str, str, str]:
    people, title = " ".join(name.inverted for name in reference.makers), to_ascii(reference.entry.title).casefold()
    return to_ascii(people).casefold() or title, reference.entry.year or "9999", title, reference.entry.key


def _lettered(ordered: Sequence[Reference]) -> list[Reference]:
    """Add letters to works of the same authors and year: 2020a, 2020b."""
    groups: dict[object, list[int]] = defaultdict(list)
    for index, reference in enumerate(ordered):
        groups[(reference.makers, reference.entry.year)].append(index)
    references = list(ordered)
    for places in groups.values():
        if len(places) > 1 and references[places[0]].makers:
            for nth, index in enumerate(places):
                references[index] = replace(references[index], letter=_letters(nth))
    return references


def _letters(nth: int) -> str:
    return (_letters(nth // 26 - 1) if nth >= 26 else "") + chr(ord("a") + nth % 26)
