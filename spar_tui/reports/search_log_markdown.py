"""The search log to be read and printed: Markdown with PRISMA-S's items, the flow of records drawn in text."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agents.run.events import Spent
from spar_tui.phrases import compared_text, cost_lines, counted, reason_text

AGAIN = "spar-search"
"""Names the block of a Markdown log from which the search can be run again."""
_ANSWERED = ("answered", "empty", "partial")


def log_markdown(log: Mapping[str, Any]) -> str:
    """The whole log; the numbers in brackets are the items of the PRISMA-S checklist."""
    parts = [
        f"# Search log {log['run']}",
        "\n".join(_head(log)),
        "## Flow of records [15, 16]\n\n```text\n" + flow_picture(log["flow"]) + "\n```",
        "## Sources and dates [1, 2, 13]\n\n" + "\n".join(_sources(log)),
        "## Full search strategies [8, 9]\n\n" + "\n".join(_strategies(log["searches"])),
        "## Citation searching [5]\n\n" + "\n".join(_links(log["links"])),
        "## Screening\n\n" + "\n".join(_screening(log)),
        *_personal(log["personal"]),
        f"## Included ({len(log['included'])})\n\n" + _table(log["included"], ("rank", "relevance", "judged_by")),
        f"## Excluded ({len(log['excluded'])})\n\n" + _table(log["excluded"], ("relevance", "excluded_because")),
        f"## Run it again\n\n{_again(log)}",
    ]
    return "\n\n".join(parts) + "\n"


def flow_picture(flow: Mapping[str, Any]) -> str:
    """PRISMA 2020's flow diagram, 78 columns wide at most."""
    width = 34
    excluded = sum(flow["excluded"].values())
    left = [
        [f"Records identified (n = {flow['identified']:,})", *(f"  {name} {n:,}" for name, n in flow["by"].items())],
        [f"Records screened (n = {flow['screened']:,})", *_of_person(flow["by_person"])],
        [f"Papers included (n = {flow['included']:,})", *_of_person(flow["included_by_person"])],
    ]
    right = [
        [f"Duplicates removed (n = {flow['duplicates']:,})"],
        [f"Records excluded (n = {excluded:,})", *(f"  {why} {n:,}" for why, n in flow["excluded"].items())],
        [],
    ]
    lines: list[str] = []
    for mine, beside in zip(left, right, strict=True):
        if lines:
            lines += [f"{' ' * (width // 2)}│", f"{' ' * (width // 2)}▼"]
        lines += _side_by_side(_box(mine, width), _box(_fitted(beside, width), width) if beside else [])
    return "\n".join(line.rstrip() for line in lines)


def _again(log: Mapping[str, Any]) -> str:
    block = json.dumps({name: log[name] for name in ("question", "wishes")}, ensure_ascii=False)
    return f"Save this file and give it to `spar search --from-log FILE`.\n\n```json {AGAIN}\n{block}\n```"


def _of_person(many: int) -> list[str]:
    return [f"  by a person {many:,}"] if many else []


def _fitted(lines: Sequence[str], width: int) -> list[str]:
    import textwrap

    return [part for line in lines for part in textwrap.wrap(line, width - 4, subsequent_indent="    ")]


def _box(lines: Sequence[str], width: int) -> list[str]:
    inner = width - 4
    return [
        f"┌{'─' * (width - 2)}┐",
        *(f"│ {line[:inner]:<{inner}} │" for line in lines),
        f"└{'─' * (width - 2)}┘",
    ]


def _side_by_side(left: Sequence[str], right: Sequence[str]) -> Iterator[str]:
    for row in range(max(len(left), len(right))):
        mine = left[row] if row < len(left) else " " * len(left[0])
        arrow = " ──►  " if row == 1 and right else "      "
        yield mine + arrow + (right[row] if row < len(right) else "")


def _head(log: Mapping[str, Any]) -> Iterator[str]:
    yield f"- Question: {_text(log['question'])}"
    yield f"- Run {log['run']}, {log['state']}, begun {log['started']}, ended {log['finished'] or 'not yet'}"
    yield f"- Made by spar {log['spar']}"
    yield f"- Language model: {_text(log['model'] or 'none, built-in reasoning only')}"
    if told := compared_text(log["compared"]["papers"], _text(log["compared"]["by"] or "")):
        yield f"- {told[:1].upper()}{told[1:]}"
    if log["prompts"]:
        told = ", ".join(f"{name} version {version}" for name, version in sorted(log["prompts"].items()))
        yield f"- Prompts: {told}"
    yield from (f"- Cost: {line.removeprefix('model: ')}" for line in cost_lines(Spent(**{**log["cost"], "step": ""})))
    if log["state"] != "finished":
        yield "- **This search was not finished: the numbers are those of what it did.**"


def _sources(log: Mapping[str, Any]) -> Iterator[str]:
    if not log["sources"]:
        yield "No source was asked yet."
    for name, source in log["sources"].items():
        mine = [one for one in log["searches"] if one["source"] == name]
        days = sorted({one["answered"][:10] for one in mine if one["outcome"] in _ANSWERED})
        when = f", searched {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
        why = ((log["understanding"] or {}).get("sources") or {}).get(name, "") if source["asked"] else ""
        yield f"- **{_text(name)}** {_text(source['sentence'])}{when}{_because(why)}"


def _because(why: str) -> str:
    return f"; asked because: {_text(why.rstrip('.'))}" if why else ""


def _strategies(searches: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not searches:
        yield "None."
    for one in searches:
        origin = f", new query on a {one['direction']}" if one["direction"] else ""
        when = f"{one['answered']}: " if one["outcome"] not in ("not asked", "waiting") else ""
        yield f"- {_text(one['source'])}, round {one['round']}{origin}: {_text(one['query'])}"
        yield f"  - {when}{_text(one['sentence'])}"
        if one["outcome"] != "not asked":
            yield from (f"  - `{_code(sent)}`" for sent in one["sent"])
        yield from (f"  - {_text(told)}" for told in one["notes"])


def _links(links: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not links:
        yield "No reference list was followed."
    for one in links:
        told = f"{one['listed']:,} listed, {one['new']:,} new" if one["listed"] else _text(one["error"] or "")
        by = f" (from {', '.join(map(_text, one['sources']))})" if one["sources"] else ""
        yield f"- {_text(one['link'])} of {_text(one['of'])}: {told}{by}"


def _screening(log: Mapping[str, Any]) -> Iterator[str]:
    read = log["understanding"]
    if read is None:
        yield "The question was not read yet."
        return
    conditions = [
        f"since {read['since']}" if read["since"] else "",
        f"until {read['until']}" if read["until"] else "",
        f"by {' or '.join(read['authors'])}" if read["authors"] else "",
        f"in {read['venue']}" if read["venue"] else "",
        f"cited at least {read['min_citations']} times" if read["min_citations"] else "",
        "open access" if read["open_access"] else "",
    ]
    by = "a language model" if read["by"] == "model" else "built-in rules"
    yield f"The question was read by {by}. Conditions: {_text(', '.join(filter(None, conditions)) or 'none')}."
    options = log["wishes"]
    mode = _text(str(options.get("mode")))
    yield f"Mode {mode}, seed {options.get('seed')}. Papers judged 0.5 or more were included."
    if log["screening"]:
        yield _by_person(log["screening"])
    yield from (f"- {_text(sentence)}" for sentence in log["warnings"])


def _by_person(told: Mapping[str, Any]) -> str:
    """What a person decided of records one by one."""
    reasons = ", ".join(f"{reason} {many:,}" for reason, many in told["reasons"].items())
    parts = [f"{told['included']:,} included", f"{told['excluded']:,} excluded{f' ({reasons})' if reasons else ''}"]
    later = f"; {told['later']:,} left for later" if told["later"] else ""
    screened = f"A person screened {told['screened']:,} of {counted(told['records'], 'record')}"
    return _text(f"{screened}: {', '.join(parts)}{later}.")


def _personal(personal: Mapping[str, Any] | None) -> Iterator[str]:
    """The section on the person's taste, if that was asked for: it is no part of the search that others can repeat."""
    if personal is not None:
        told = [f"- {_text(one['id'])} {_text(one['because'])}" for one in personal["moved"]]
        yield "## Order by taste\n\n" + "\n".join([_text(personal["sentence"]), *told])


def _table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    if not rows:
        return "None."
    names = (*columns, "id", "year", "title", "reason")
    head = f"| {' | '.join(name.replace('_', ' ') for name in names)} |\n|{'---|' * len(names)}"
    told = [{**row, "reason": reason_text(row["reason"], row["proven"] is not False)} for row in rows]
    return "\n".join([head, *(f"| {' | '.join(_cell(row[name]) for name in names)} |" for row in told)])


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else _text("" if value is None else str(value))


def _text(text: str) -> str:
    """`text` as Markdown that shows it and does nothing else."""
    return "".join(f"\\{one}" if one in "\\`*_[]<>|#!~" else one for one in " ".join(text.split()))


def _code(text: str) -> str:
    return " ".join(text.split()).replace("`", "'")
