"""The search log for reading and printing: Markdown with PRISMA-S's items and the flow of records as text."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agents.run.events import Spent
from spar_tui.phrases import AIMS, compared_text, cost_lines, counted, reason_text
from spar_tui.reports.search_flow import flow_picture
from spar_tui.reports.search_repetition import AGAIN, comparable


def log_markdown(log: Mapping[str, Any]) -> str:
    """Return the whole log; the numbers in brackets are the items of the PRISMA-S checklist."""
    flow = log["flow"]
    by_person = f"Included by a person ({flow['included']:,}), " if flow["screened"] else ""
    by_program = f"kept by the program's judgement ({flow['kept']:,})"
    parts = [
        f"# Search log {log['run']}",
        "\n".join(_head(log)),
        "## Flow of records\n\n```text\n" + flow_picture(log["flow"]) + "\n```",
        *(_item(number, item, log) for number, item in log["prisma_s"].items()),
        "## Screening\n\n" + "\n".join(_screening(log)),
        *_personal(log["personal"]),
        f"## {by_person}{by_program if by_person else by_program.capitalize()}\n\n"
        + _table(log["included"], ("rank", "relevance", "included_by", "judged_by")),
        f"## Excluded ({len(log['excluded'])})\n\n"
        + _table(log["excluded"], ("relevance", "excluded_by", "excluded_because")),
        f"## Run it again\n\n{_again(log)}",
    ]
    return "\n\n".join(parts) + "\n"


def _again(log: Mapping[str, Any]) -> str:
    block = json.dumps(
        {"run": log["run"], "question": log["question"], "wishes": log["wishes"], **comparable(log)}, ensure_ascii=False
    )
    return f"Save this file and give it to `spar search --from-log FILE`.\n\n```json {AGAIN}\n{block}\n```"


def _head(log: Mapping[str, Any]) -> Iterator[str]:
    yield f"- Question: {_text(log['question'])}"
    yield f"- Run {log['run']}, {log['state']}, begun {log['started']}, ended {log['finished'] or 'not yet'}"
    yield f"- Made by spar {log['spar']}"
    yield f"- Language model: {_text(log['model'] or 'none, built-in rules only')}"
    if text := compared_text(log["compared"]["papers"], _text(log["compared"]["by"] or "")):
        yield f"- {text[:1].upper()}{text[1:]}"
    if log["prompts"]:
        text = ", ".join(f"{name} version {version}" for name, version in sorted(log["prompts"].items()))
        yield f"- Prompts: {text}"
    yield from (f"- Cost: {line.removeprefix('model: ')}" for line in cost_lines(Spent(**{**log["cost"], "step": ""})))
    yield "- `spar log RUN --edit` adds your own work to the items of PRISMA-S"
    if log["state"] != "finished":
        yield "- **This search was not finished; the numbers cover only what it did.**"


def _item(number: str, item: Mapping[str, Any], log: Mapping[str, Any]) -> str:
    lines = [f"- {_text(line)}" for line in item["lines"]]
    if number == "8":
        lines += _strategies(log)
    if number == "5" and log["links"]:
        lines += _links(log["links"])
    return f"## [{number}] {item['title']}\n\n" + "\n".join(lines)


def _strategies(log: Mapping[str, Any]) -> Iterator[str]:
    if not log["searches"]:
        yield "None."
    for search in log["searches"]:
        origin = f", new query on {AIMS[search['direction']]}" if search["direction"] else ""
        origin += ", strategy written by the searcher" if search["by_person"] else ""
        when = f"{search['answered']}: " if search["outcome"] not in ("not asked", "waiting") else ""
        yield f"- {_text(search['source'])}, round {search['round']}{origin}: {_text(search['query'])}"
        yield f"  - {when}{_text(search['sentence'])}"
        if search["outcome"] != "not asked":
            codes = (" ".join(strategy.split()).replace("`", "'") for strategy in search["strategies"])
            yield from (f"  - `{code}`" for code in codes)
        yield from (f"  - {_text(note)}" for note in search["notes"])
    sources = [source for source in log["sources"].values() if source["search_page"] and source["asked"]]
    if pages := [f"{_text(source['title'])} {source['search_page']}" for source in sources]:
        yield f"- To try a strategy by hand: {', '.join(pages)}. `--json` has the requests as sent."


def _links(links: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for link in links:
        outcome = f"{link['listed']:,} listed, {link['new']:,} new" if link["listed"] else _text(link["error"] or "")
        by = f" (from {', '.join(map(_text, link['sources']))})" if link["sources"] else ""
        yield f"- {_text(link['link'])} of {_text(link['of'])}: {outcome}{by}"


def _screening(log: Mapping[str, Any]) -> Iterator[str]:
    reading = log["understanding"]
    if reading is None:
        yield "The question was not read yet."
        return
    by = "a language model" if reading["by"] == "model" else "built-in rules"
    yield f"The question was read by {by}. The program kept papers that it judged 0.50 or more."
    yield f"Seed {log['wishes'].get('seed')}."
    if reading["meaning"]:
        yield f"Papers were judged by what the question means: {_text(reading['meaning'])}"
    yield from (f"- Need {number}: {_text(need)}" for number, need in enumerate(reading["needs"], start=1))
    if log["screening"]:
        yield _by_person(log["screening"])
    yield from (f"- {_text(sentence)}" for sentence in log["warnings"])


def _by_person(counts: Mapping[str, Any]) -> str:
    """Summarize a person's decisions on records."""
    reasons = ", ".join(f"{reason} {many:,}" for reason, many in counts["reasons"].items())
    parts = [f"{counts['included']:,} included", f"{counts['excluded']:,} excluded{f' ({reasons})' if reasons else ''}"]
    later = f"; {counts['later']:,} left for later" if counts["later"] else ""
    screened = f"A person screened {counts['screened']:,} of {counted(counts['records'], 'record')}"
    return _text(f"{screened}: {', '.join(parts)}{later}.")


def _personal(personal: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield the section on the person's taste, if used; others cannot repeat this part of the search."""
    if personal is not None:
        lines = [f"- {_text(move['id'])} {_text(move['because'])}" for move in personal["moved"]]
        yield "## Order by taste\n\n" + "\n".join([_text(personal["sentence"]), *lines])


def _table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    if not rows:
        return "None."
    names = (*columns, "id", "year", "title", "reason")
    head = f"| {' | '.join(name.replace('_', ' ') for name in names)} |\n|{'---|' * len(names)}"
    rows_shown = [{**row, "reason": reason_text(row["reason"], row["proven"] is not False)} for row in rows]
    return "\n".join([head, *(f"| {' | '.join(_cell(row[name]) for name in names)} |" for row in rows_shown)])


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else _text("" if value is None else str(value))


def _text(text: str) -> str:
    """Return `text` as escaped Markdown."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#!~" else letter for letter in " ".join(text.split()))
