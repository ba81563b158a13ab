"""Format references in any CSL style, and Word documents, with pandoc if it is installed."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from spar_tui.bibliography.names import OTHERS
from spar_tui.errors import Failure

_SECONDS, _SECONDS_EACH = 30.0, 0.05
_TEXT = {"Space": " ", "SoftBreak": " ", "LineBreak": " "}
_VERBATIM = ("Code", "Math", "RawInline")
_MARGIN = "csl-left-margin"
_WITH_ET_AL = (2, 18)
_SHOWS_LAST = b'et-al-use-last="true"'


class PandocReference(NamedTuple):
    """The text of one reference, and the index of its item."""

    item: int
    text: str


def has_pandoc() -> bool:
    """Whether pandoc is installed."""
    return shutil.which("pandoc") is not None


def need_pandoc() -> None:
    """Raise `Failure` unless pandoc is installed, which writes Word documents."""
    if not has_pandoc():
        raise Failure("Word files need pandoc, which is not installed. Install it, or name a .md file.")


def docx(text: str) -> bytes:
    """Convert a Markdown text to a Word document. Raises `Failure`."""
    with tempfile.TemporaryDirectory(prefix="spar-") as folder:
        file = Path(folder) / "text.docx"
        # CommonMark with tables only: raw HTML or TeX in a title stays literal text.
        command = ["pandoc", "--from=commonmark+pipe_tables+strikeout", "--to=docx", f"--output={file}"]
        try:
            ran = subprocess.run(
                command, input=text, capture_output=True, encoding="utf-8", errors="replace", timeout=2 * _SECONDS
            )
            if ran.returncode:
                raise Failure(f"pandoc could not write the document: {ran.stderr.strip()[:300]}")
            return file.read_bytes()
        except subprocess.TimeoutExpired:
            raise Failure(f"pandoc took more than {2 * _SECONDS:.0f} seconds.") from None
        except OSError as error:
            raise Failure(f"pandoc could not be run ({error.strerror}).") from None


def pandoc_version() -> str:
    """Return the version of the installed pandoc, such as `2.17.1.1`; "" if unknown."""
    return _version_of(shutil.which("pandoc") or "")


@cache
def _version_of(program: str) -> str:
    try:
        ran = subprocess.run([program, "--version"], capture_output=True, encoding="utf-8", timeout=_SECONDS)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    match = re.match(r"pandoc\S* ([0-9]+(?:\.[0-9]+)+)", ran.stdout)
    return match[1] if match else ""


def _check_et_al(items: Sequence[Mapping[str, Any]], csl: Path) -> None:
    """Raise `Failure` if an old pandoc would join "others" to the last name (jgm/citeproc#102)."""
    version = pandoc_version()
    older = version and tuple(map(int, version.split("."))) < _WITH_ET_AL
    if older and _SHOWS_LAST in csl.read_bytes() and any(OTHERS in (item.get("author") or ()) for item in items):
        needed_version = ".".join(map(str, _WITH_ET_AL))
        raise Failure(f"pandoc {version} cannot write “et al.” in the style {csl.stem}; pandoc {needed_version} can.")


def pandoc_references(items: Sequence[Mapping[str, Any]], csl: Path) -> list[PandocReference]:
    """Return the references of CSL items in the style of a file, in the style's order. Raises `Failure`."""
    _check_et_al(items, csl)
    numbered = [{**item, "id": str(index)} for index, item in enumerate(items)]
    command = ["pandoc", "--citeproc", f"--csl={csl.resolve()}", "--from=csljson", "--to=json"]
    seconds = _SECONDS + _SECONDS_EACH * len(items)
    document = json.dumps(numbered)
    try:
        ran = subprocess.run(
            command, input=document, capture_output=True, encoding="utf-8", errors="replace", timeout=seconds
        )
        if ran.returncode:
            raise Failure(f"pandoc {pandoc_version()} could not use {csl}: {ran.stderr.strip()[:300]}")
        references = list(_written(json.loads(ran.stdout)["blocks"]))
    except subprocess.TimeoutExpired:
        raise Failure(f"pandoc took more than {seconds:.0f} seconds.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(f"pandoc's answer could not be read: {error}") from None
    if sorted(reference.item for reference in references) != list(range(len(items))):
        raise Failure(
            f"pandoc wrote {len(references)} of {len(items)} references with {csl}; styles for footnotes have none."
        )
    return references


def _written(blocks: Any) -> Iterator[PandocReference]:
    """Yield the references in pandoc's document; each is a division."""
    for block in blocks:
        if block["t"] == "Div":
            (name, _, _), inside = block["c"]
            if name.startswith("ref-"):
                yield PandocReference(int(name.removeprefix("ref-")), " ".join(_text(inside).split()))
            else:
                yield from _written(inside)


def _text(node: Any) -> str:
    """Return the plain text of a node of pandoc's document."""
    if isinstance(node, list):
        return "".join(map(_text, node))
    if not isinstance(node, dict):
        return ""
    kind: str = node["t"]
    content: Any = node.get("c")
    if kind == "Str":
        return str(content)
    if kind in _TEXT:
        return _TEXT[kind]
    if kind in _VERBATIM:
        return str(content[1])
    if kind == "Quoted":
        marks = "“”" if content[0]["t"] == "DoubleQuote" else "‘’"
        return marks[0] + _text(content[1]) + marks[1]
    if kind in ("Span", "Div", "Link"):
        separator = " " if kind == "Div" or _MARGIN in content[0][1] else ""
        return _text(content[1]) + separator
    return _text(content)
