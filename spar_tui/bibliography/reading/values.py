"""Evaluate BibTeX values: text in braces or quotation marks and abbreviations, joined by `#`; and file paths as JabRef,
Zotero and Mendeley write them."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from spar_tui.bibliography.braces import is_braced

FIELD_CAP = 500_000
"""Maximum length of a field after expansion: abbreviations can double repeatedly. Plain text is not cut."""
PARTS_CAP = 100
"""Maximum number of parts, separated by `#`, that are read of a value."""


def value_of(raw: str, strings: Mapping[str, str]) -> str:
    """Evaluate `"Proc. " # acm # { 2020}`: join the parts without their delimiters. Blanks inside them stay, because an
    abbreviation may begin or end with one."""
    if "#" not in raw:
        return _part(raw.strip(), strings)
    values = (_part(part.strip(), strings)[:FIELD_CAP] for part in islice(parts(raw[:FIELD_CAP]), PARTS_CAP))
    return "".join(values)[:FIELD_CAP]


def parts(raw: str) -> Iterator[str]:
    """Split `raw` at each `#` outside braces and quotation marks."""
    if is_braced(raw):
        yield raw
        return
    depth, quoted, start = 0, False, 0
    for index, character in enumerate(raw):
        if character in "{}" and raw[index - 1 : index] != "\\":
            depth += 1 if character == "{" else -1
        elif character == '"' and depth == 0:
            quoted = not quoted
        elif character == "#" and depth == 0 and not quoted:
            yield raw[start:index]
            start = index + 1
    yield raw[start:]


def _part(part: str, strings: Mapping[str, str]) -> str:
    if len(part) > 1 and (part[0], part[-1]) in (("{", "}"), ('"', '"')):
        return part[1:-1]
    return strings.get(part.lower(), part)


def attached_files(value: str) -> list[str]:
    r"""Return the paths in `path`, `description:path:type`, or several of these separated by semicolons; PDFs first.

    Colons and semicolons in paths are escaped (`C\:\\papers`), and Mendeley omits the first slash.
    """
    if not value:
        return []
    paths: list[str] = []
    for attachment in re.split(r"(?<!\\);", value.replace(r"$\backslash$", "\\").strip()):
        parts = [
            re.sub(r"\{\\([_%&#])\}|\\([:;\\_%&#{}])", r"\1\2", part)
            for part in re.split(r"(?<!\\):(?!\\\\|//)", attachment)
        ]
        path = parts[-2] if len(parts) >= 3 else parts[0]
        if len(parts) == 3 and not parts[0] and re.match(r"(?:home|Users|mnt|media|Volumes)/", path):
            path = f"/{path}"
        if len(parts) == 4:
            path = ":".join(parts[1:3])  # the colon of a drive was not escaped
        paths.append(path.strip())
    local_paths = [path for path in paths if path and not path.startswith(("http://", "https://"))]
    return sorted(local_paths, key=lambda path: not path.lower().endswith(".pdf"))


def identifier_in(value: str) -> str:
    r"""Return an identifier without LaTeX escapes such as `\_` and `\%`, which people add as in text, and braces."""
    return without_codes(as_printed(value).replace("{", "").replace("}", ""))


def without_codes(address: str) -> str:
    """Return an address without percent codes for blanks, backslashes and braces."""
    return _PERCENT.sub(lambda code: chr(int(code[0][1:], 16)), address).strip()


def as_printed(value: str) -> str:
    r"""Return an address as LaTeX would print it."""
    if not _SPOILED.search(value):
        return value.strip()
    value = _SIGNS_IN_LATEX.sub(lambda sign: sign[1] or sign[3] or _NAMED_SIGNS[sign[2] or sign[4]], value)
    value = re.sub(r"\{\\?([_%&#~^])\}|\{\\textasciitilde\}", lambda match: match[1] or "~", value)
    value = re.sub(r"\\([_%&#$~{}])", r"\1", value)
    value = re.sub(r"^\\url\{(.*)\}$", r"\1", value.strip())
    while is_braced(value):
        value = value[1:-1].strip()
    return value


_PERCENT = re.compile(r"%(?:20|5[cC]|7[bBdD])")
_SPOILED = re.compile(r"[\\{}%$]")
_NAMED_SIGNS = {"less": "<", "greater": ">", "underscore": "_", "asciitilde": "~", "sim": "~"}
_SIGNS_IN_LATEX = re.compile(
    r"\$\s*([<>_])\s*\$|\$\s*\\(sim)\s*\$|\{?\\([~^])\{\}\}?|\\text(less|greater|underscore|asciitilde)\b(?:\{\}|\s)?"
)


def names_in(raw: str) -> Iterator[str]:
    """Yield the abbreviations in a value, in lower case."""
    if raw[:1] not in ('"', "{") or "#" in raw:
        for part in islice(parts(raw[:FIELD_CAP]), PARTS_CAP):
            name = part.strip()
            if name and name[0] not in '"{' and not name.isdigit():
                yield name.lower()
