"""Write references in the CSL styles that citeproc-py formats like pandoc, within this process.

Known errors are corrected: quotation marks and tags (shown literally), given names in scripts without capitals
(abbreviated), the case of `Ed.`, and a full stop after a question mark. Three kinds of works are not passed to it,
because it spoils them: works without an author, whose title or editors it prints twice; lists of authors with "others",
which it treats as a person; and given names that start with a small letter.
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
"""A loaded style stores the text that it is writing, so only one thread may use it."""
_LABEL_CASE = re.compile(rb'(<label [^>]*)text-case="title"')


def citeproc_texts(items: Sequence[Mapping[str, Any]], csl: Path) -> list[str | None]:
    """Format each CSL item in the style of a file, with number 1 in numbered styles. None stands for items that
    citeproc-py formats badly, and for all if it is not installed.
    """
    if find_spec("citeproc") is None:
        return [None] * len(items)
    with _ONE_AT_A_TIME:
        return [_text(item, csl) if _fits(item) else None for item in items]


def _fits(item: Mapping[str, Any]) -> bool:
    given_names = [name.get("given", "") for role in _ROLES for name in item.get(role, ())]
    small = any(word[0].islower() for words in given_names for word in re.findall(r"[^\s.-]+", words))
    return bool(item.get("author") and item.get("title")) and not small and OTHERS not in item["author"]


def _text(item: Mapping[str, Any], csl: Path) -> str | None:
    from citeproc import Citation, CitationItem, CitationStylesBibliography
    from citeproc.formatter import plain
    from citeproc.source import VariableError
    from citeproc.source.json import CiteProcJSON

    try:
        bibliography = CitationStylesBibliography(_loaded(csl), CiteProcJSON([_mended(item)]), plain)
        bibliography.register(Citation([CitationItem("work")]))
        text = " ".join(str(bibliography.bibliography()[0]).split())
    except (VariableError, LookupError, TypeError, ValueError, AttributeError):  # it hardly validates its input
        return None
    return re.sub(r"([?!])\.(?=\s|$)", r"\1", text)


@lru_cache
def _loaded(csl: Path) -> "CitationStylesStyle":
    from citeproc import CitationStylesStyle

    # It applies title case only to English, but does not recognize the language label of English.
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
    given_name = name.get("given", "")
    if given_name and not has_case(given_name):
        return {"literal": name.get("family", "") + given_name}
    return {part: curled(text) for part, text in name.items()}
