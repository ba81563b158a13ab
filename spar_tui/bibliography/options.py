"""Options of an export, checked before anything is looked up."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from spar_tui.bibliography.citation_key import key_pattern
from spar_tui.bibliography.entry import EXTRAS, Extra, Format, PreferredVersion
from spar_tui.bibliography.formats import APPENDABLE, ENDINGS, FORMATS, SUFFIXES, format_of_file
from spar_tui.bibliography.styles import DEFAULT_STYLE, STYLES
from spar_tui.errors import UsageError

JournalForm = Literal["abbreviated", "full"]
JOURNAL_FORMS: tuple[JournalForm, ...] = get_args(JournalForm)


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options for a bibliography. `format` None uses the dialect of the .bib file; `file` None is standard output.
    `style` is built in or the path of a .csl file, and "" unless the format is text. With `everything`, fields that the
    format lacks are written too. `journals` is the form of journal names (None: unchanged). With `rekey` all keys are
    made by the pattern; without `dedupe` each imported entry of a paper is written. Entries are sorted `by_key`, or
    stay in order.
    """

    format: Format | None
    pattern: str
    style: str = ""
    extras: tuple[Extra, ...] = ()
    everything: bool = False
    abstracts: bool = True
    journals: JournalForm | None = None
    rekey: bool = False
    dedupe: bool = True
    version: PreferredVersion = "published"
    ascii_only: bool | None = None
    most_names: int = 0
    bom: bool = False
    file: Path | None = None
    append: bool = False
    replace: bool = False
    by_key: bool = True


def export_options(
    *,
    format: str,
    style: str,
    keys: str,
    fields: str,
    preprint: bool,
    ascii_only: bool | None,
    bom: bool,
    output: str,
    append: bool,
    replace: bool,
    authors: int = 0,
    abstracts: bool = True,
    journals: str = "",
    rekey: bool = False,
    dedupe: bool = True,
    by_key: bool = True,
) -> ExportOptions:
    """Return the options of `spar export` as one value. Raises `UsageError` for unknown or contradictory ones."""
    file = Path(output) if output not in ("", "-") else None
    chosen_format = _format(format, style, output if file else "", append)
    _check_file_options(chosen_format, file, append, replace)
    if ascii_only is not None and chosen_format not in (None, "bibtex", "biblatex"):
        raise UsageError("--ascii and --unicode are for bibtex and biblatex; the other formats are always UTF-8.")
    if authors < 0 or (authors and chosen_format not in (None, "bibtex", "biblatex")):
        raise UsageError(
            "--authors N is for bibtex and biblatex, and N must be 1 or more; other formats name all authors."
        )
    if bom and (chosen_format != "csv" or append):
        raise UsageError("--bom is for --format csv.")
    everything = fields.strip().lower() == "all"
    extras = EXTRAS if everything else _extras(fields)
    if not abstracts and "abstract" in extras and not everything:
        raise UsageError("--no-abstract and --fields abstract cannot be combined.")
    if not abstracts:
        extras = tuple(name for name in extras if name != "abstract")
    if extras and chosen_format == "text":
        raise UsageError("--fields is not for --format text: the style decides what is written.")
    if style and chosen_format != "text":
        raise UsageError("--style is for --format text.")
    if chosen_format == "text":
        style = style or DEFAULT_STYLE
        if style not in STYLES and Path(style).suffix != ".csl":
            raise UsageError(f"unknown style {style!r}; choose from {', '.join(STYLES)}, or the path of a .csl file.")
    if journals not in ("", *JOURNAL_FORMS):
        raise UsageError(f"--journals: unknown form {journals!r}; choose from {', '.join(JOURNAL_FORMS)}.")
    form = next((option for option in JOURNAL_FORMS if option == journals), None)
    version: PreferredVersion = "preprint" if preprint else "published"
    return ExportOptions(
        chosen_format, key_pattern(keys), style, extras, everything, abstracts, form, rekey, dedupe, version,
        ascii_only, authors, bom, file, append, replace, by_key,
    )  # fmt: skip


_INSTEAD = {
    (".odt", ".html", ".rtf", ".pdf"): " For a list of references write a .json file and run: pandoc "
    "--citeproc --from=csljson FILE.json -o FILE.odt",
    (".enl", ".enlx", ".enw", ".xml", ".rdf", ".ciw"): " EndNote, Zotero and Mendeley import a .ris file.",
    (".yaml", ".yml"): " Write a .json file and run: pandoc --from=csljson --to=markdown -s FILE.json -o FILE.yaml",
}
"""Hints for suffixes that people ask for but no format has."""


def _format(text: str, style: str, output: str, append: bool) -> Format | None:
    if text:
        chosen_name = next((name for name in FORMATS if name == text.strip().lower()), None)
        if chosen_name is None:
            raise UsageError(f"unknown format {text!r}; choose from {', '.join(FORMATS)}.")
        check_ending(chosen_name, output)
        return chosen_name
    if append and Path(output).suffix.lower() == ".bib":
        return None
    format_name, ending = format_of_file(output), Path(output).suffix
    if ending and format_name is None:
        hint = next((hint for endings, hint in _INSTEAD.items() if ending.lower() in endings), "")
        raise UsageError(f"unknown ending {ending}; name a file with {', '.join(SUFFIXES)}, or give --format.{hint}")
    return format_name or ("text" if style else "biblatex")


def check_ending(format: Format, file: str) -> None:
    """Raise `UsageError` if the suffix of `file` belongs to another format; `.txt` and unknown ones fit any."""
    ending = Path(file).suffix.lower()
    entries: tuple[Format, ...] = ("bibtex", "biblatex")
    fitting = {".bib": entries, ".tex": (*entries, "text"), ".md": ("markdown", "text"), ".txt": FORMATS}
    promised = fitting.get(ending, (SUFFIXES[ending],) if ending in SUFFIXES else ())
    if (promised or any(ending in endings for endings in _INSTEAD)) and format not in promised:
        raise UsageError(f"{ending} is not an ending of {format} files; name a {ENDINGS[format]} file.")


def _check_file_options(format: Format | None, file: Path | None, append: bool, replace: bool) -> None:
    if (append or replace) and file is None:
        raise UsageError(f"--{'append' if append else 'replace'} needs -o FILE.")
    if append and replace:
        raise UsageError("--append and --replace cannot be combined.")
    if append and format is not None and format not in APPENDABLE:
        raise UsageError(f"--append is for {', '.join(APPENDABLE)}; a {format} file is written whole.")


def _extras(text: str) -> tuple[Extra, ...]:
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    if unknown_names := [name for name in names if name not in get_args(Extra)]:
        raise UsageError(f"--fields: unknown extra {unknown_names[0]!r}; choose from {', '.join(EXTRAS)}, or all.")
    return tuple(name for name in EXTRAS if name in names)
