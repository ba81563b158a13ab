"""References in the CSL styles that citeproc-py writes as pandoc does, in this process.

What it is known to write wrongly is mended: quotation marks and tags (it shows them as they are), given names in
scripts without capitals (it makes initials of them), the case of `Ed.`, and a full stop behind a question mark. Works
without an author, whose title or editors it writes twice, lists of authors that go on, whose "others" it takes for a
person, and given names with a small letter, which it spoils, are not given to it.
"""

import io
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from spar_tui.bibliography.markup import curled, has_case
from spar_tui.bibliography.names import OTHERS

if TYPE_CHECKING:
    from citeproc import CitationStylesStyle

_VERBATIM = ("id", "type", "DOI", "URL")
_ROLES = ("author", "editor")
_ONE_AT_A_TIME = Lock()
"""A loaded style holds what it is writing."""
_LABEL_CASE = re.compile(rb'(<label [^>]*)text-case="title"')


def citeproc_texts(items: Sequence[Mapping[str, Any]], csl: Path) -> list[str | None]:
    """The text of each CSL item in the style of a file, with the number 1 where it numbers them.

    None stands for those that citeproc-py does not write well. Where it is not installed it writes none.
    """
    if find_spec("citeproc") is None:
        return [None] * len(items)
    with _ONE_AT_A_TIME:
        return [_text(item, csl) if _fits(item) else None for item in items]


def _fits(item: Mapping[str, Any]) -> bool:
    given = [name.get("given", "") for role in _ROLES for name in item.get(role, ())]
    small = any(word[0].islower() for words in given for word in re.findall(r"[^\s.-]+", words))
    return bool(item.get("author") and item.get("title")) and not small and OTHERS not in item["author"]


def _text(item: Mapping[str, Any], csl: Path) -> str | None:
    from citeproc import Citation, CitationItem, CitationStylesBibliography
    from citeproc.formatter import plain
    from citeproc.source import VariableError
    from citeproc.source.json import CiteProcJSON

    try:
        listed = CitationStylesBibliography(_loaded(csl), CiteProcJSON([_mended(item)]), plain)
        listed.register(Citation([CitationItem("work")]))
        text = " ".join(str(listed.bibliography()[0]).split())
    except (VariableError, LookupError, TypeError, ValueError, AttributeError):  # it checks little of what it gets
        return None
    return re.sub(r"([?!])\.(?=\s|$)", r"\1", text)


@lru_cache
def _loaded(csl: Path) -> "CitationStylesStyle":
    from citeproc import CitationStylesStyle

    # It title-cases English only and takes no label for English.
    style = _LABEL_CASE.sub(rb'\1text-case="capitalize-first"', csl.read_bytes())
    return CitationStylesStyle(io.BytesIO(style), validate=False)


def _mended(item: Mapping[str, Any]) -> dict[str, Any]:
    mended_item = {
        name: curled(value) if isinstance(value, str) and name not in _VERBATIM else value
        for name, value in item.items()
    }
    people = {role: [_name(name) for name in item[role]] for role in _ROLES if role in item}
    return {**mended_item, **people, "id": "work"}


def _name(name: Mapping[str, str]) -> dict[str, str]:
    given = name.get("given", "")
    if given and not has_case(given):
        return {"literal": name.get("family", "") + given}
    return {part: curled(text) for part, text in name.items()}
