"""The options of `spar export`, before anything is looked up."""

from pathlib import Path
from typing import Any

import pytest

from spar_tui.bibliography.options import ExportOptions, export_options
from spar_tui.errors import UsageError
from tests.rows import each

DEFAULTS: dict[str, Any] = {
    "format": "", "style": "", "keys": "better-bibtex", "fields": "", "preprint": False, "ascii_only": None,
    "bom": False, "output": "", "append": False, "replace": False,
}  # fmt: skip


def made(**options: Any) -> ExportOptions:
    return export_options(**{**DEFAULTS, **options})


@each(
    "options",
    [
        {"format": "docx"},
        {"style": "harvard"},
        {"format": "ris", "style": "apa"},
        {"keys": "{nobody}"},
        {"fields": "colour"},
        {"format": "text", "fields": "note"},
        {"append": True},
        {"replace": True},
        {"output": "x.json", "append": True},
        {"output": "x.bib", "append": True, "replace": True},
        {"format": "ris", "ascii_only": True},
        {"bom": True},
        {"authors": -1},
        {"format": "bibtex", "output": "x.xml"},
        {"format": "csv", "output": "x.ris"},
        {"format": "ris", "output": "x.docx"},
        {"format": "csv", "authors": 3},
        {"format": "csv", "bom": True, "output": "x.csv", "append": True},
    ],
)
def test_options_that_are_unknown_or_contradict_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        made(**options)


@each(
    ("options", "format"),
    [
        ({}, "biblatex"),
        ({"output": "refs.ris"}, "ris"),
        ({"output": "refs.bib"}, "biblatex"),
        ({"output": "refs.bib", "append": True}, None),
        ({"output": "refs.bib", "format": "bibtex", "append": True}, "bibtex"),
        ({"output": "refs.txt", "format": "csv"}, "csv"),
        ({"style": "apa"}, "text"),
        ({"output": "-"}, "biblatex"),
        ({"output": "refs"}, "biblatex"),
        ({"output": "refs.tex", "format": "biblatex"}, "biblatex"),
    ],
)
def test_the_format_is_what_is_said_else_what_the_file_promises(options: dict[str, Any], format: str | None) -> None:
    assert made(**options).format == format


def test_extras_are_written_in_one_order_whatever_is_typed() -> None:
    assert made(fields="note, Abstract").extras == ("abstract", "note")


def test_text_is_in_apa_style_unless_another_is_said() -> None:
    assert made(format="text").style == "apa"
    assert made(style="/desk/me/own.csl").style == "/desk/me/own.csl"


def test_a_dash_is_standard_output() -> None:
    assert made(output="-").file is None
    assert made(output="a.bib").file == Path("a.bib")
