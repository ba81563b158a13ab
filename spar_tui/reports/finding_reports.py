"""Findings on a document as a page for other people, in Markdown or HTML, and as SARIF, which editors and CI show."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import PurePath
from typing import Any, Literal
from urllib.parse import quote

from connectors.records.visible import visible
from spar_tui.bibliography.comparing.differences import FieldDifference
from spar_tui.bibliography.markdown import escaped

ReportForm = Literal["html", "markdown", "sarif"]
_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.3em 0 1em}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left;
vertical-align:top}code{color:#555}li{margin-bottom:1em}"""


@dataclass(frozen=True, slots=True)
class FindingItem:
    """One finding: `position` is such as `line 3`, `key` that of the entry, `aside` a remark after `text`, and
    `sentences` explain the finding. HTML shows `rows` as a table; Markdown shows `notes` instead."""

    position: str
    key: str
    text: str
    sentences: Sequence[str]
    aside: str = ""
    rows: Sequence[FieldDifference] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FindingPage:
    """The findings on a document: a `title`, a `summary` in one sentence, and items under headings."""

    title: str
    summary: str
    sections: Sequence[tuple[str, Sequence[FindingItem]]]

    def markdown(self) -> str:
        """Return the page as Markdown."""
        lines = [f"# {_plain(self.title)}", "", _plain(self.summary)]
        for heading, items in self.sections:
            lines += ["", f"## {heading}", ""]
            for item in items:
                aside = f" ({item.aside})" if item.aside else ""
                lines.append(f"- {_plain(item.position)}, **{_plain(item.key)}**: {_plain(item.text)}{aside}")
                lines += [f"  - {_plain(sentence)}" for sentence in (*item.sentences, *item.notes)]
        return "\n".join([*lines, ""])

    def html(self) -> str:
        """Return the page as one HTML file that loads nothing."""
        title = _safe(self.title)
        parts = [
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
            f"<style>{_STYLE}</style></head><body>",
            f"<h1>{title}</h1>\n<p>{_safe(self.summary)}</p>",
        ]
        for heading, items in self.sections:
            parts += [f"<h2>{heading}</h2>", "<ul>", *map(_item, items), "</ul>"]
        return "\n".join([*parts, "</body></html>", ""])


def _item(item: FindingItem) -> str:
    sentences = "".join(f"<br>{_safe(sentence)}" for sentence in item.sentences)
    aside = f" <em>{_safe(item.aside)}</em>" if item.aside else ""
    head = f"<code>{_safe(item.position)} · {_safe(item.key)}</code> {_safe(item.text)}{aside}{sentences}"
    rows = "".join(
        f"<tr><td>{_safe(row.field)}</td><td>{_safe(row.yours)}</td><td>{_safe(row.theirs)}</td>"
        f"<td>{_linked(row.source, row.link)}</td></tr>"
        for row in item.rows
    )
    if not rows:
        return f"<li>{head}</li>"
    titles = "<tr><th>field</th><th>yours</th><th>theirs</th><th>source</th></tr>"
    return f"<li>{head}<table>{titles}{rows}</table></li>"


def _linked(source: str, link: str) -> str:
    if not link.startswith(("https://", "http://")):
        return _safe(source)
    return f'<a href="{_safe(link)}" rel="noreferrer">{_safe(source)}</a>'


def _safe(text: str) -> str:
    return escape(visible(text))


def _plain(text: str) -> str:
    return escaped(visible(text))


_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(program: str, rules: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]]) -> str:
    """Return one run of `program` as a file."""
    driver = {"name": program, "rules": rules}
    return json.dumps(
        {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]},
        ensure_ascii=False, indent=2,
    ) + "\n"  # fmt: skip


def sarif_result(rule: str, level: str, text: str, file: str, line: int) -> dict[str, Any]:
    """Return a result at a line of `file`, whose name is relative to the current folder."""
    location = {
        "artifactLocation": {"uri": quote(PurePath(file).as_posix())}, "region": {"startLine": max(line, 1)}
    }  # fmt: skip
    return {
        "ruleId": rule, "level": level, "message": {"text": visible(text)},
        "locations": [{"physicalLocation": location}],
    }  # fmt: skip
