"""The 16 items of PRISMA-S (Rethlefsen et al. 2021), answered from the log of a search and by the person, who fills in
a form."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from agents.search.refchain import LEAST_SEEDS
from cache.conditions.wording import listed
from connectors.registry import SOURCES
from spar_tui.phrases import counted
from spar_tui.reports.search_flow import OTHER_METHODS


class FormField(NamedTuple):
    """An item of PRISMA-S: its title, what to write, and the report's text while the answer is empty."""

    title: str
    asks: str
    empty: str


FIELDS: Mapping[int, FormField] = {
    3: FormField(
        "Study registries", "Which registries did you search, when, and with which words?", "None searched by spar."
    ),
    4: FormField(
        "Online resources and browsing",
        "Which websites, tables of contents or other resources did you search or browse, and how?",
        "None searched by spar.",
    ),
    6: FormField(
        "Contacts", "Which authors, experts or manufacturers did you ask for studies?", "spar contacted nobody."
    ),
    7: FormField("Other methods", "Which other methods did you use?", "No others used by spar."),
    9: FormField("Limits and restrictions", "Why did you set these limits?", "No reason was added."),
    10: FormField(
        "Search filters",
        "Which published filters did you use, and how did you change them? Cite them.",
        "spar used no published filter.",
    ),
    11: FormField(
        "Prior work", "Which review's strategies did you reuse? Cite it.", "spar reused no earlier strategy."
    ),
    12: FormField(
        "Updates", "When did you repeat the search, or which alerts repeat it?", "spar did not update this search."
    ),
    14: FormField("Peer review", "Who reviewed the strategies, and how (PRESS)?", "No peer review was recorded."),
}
"""The fields by the number of their item."""
_HEADING = re.compile(r"\[(\d+)\] ")


def form_text(run: str, question: str, answers: Mapping[int, str]) -> str:
    """Return the form with the `answers` so far, to be edited."""
    lines = [
        f"Report of search {run}: {' '.join(question.split())}",
        "",
        "Write below each heading. Leave it empty if you did nothing. Do not change the headings.",
    ]
    for item, form_field in FIELDS.items():
        lines += ["", f"[{item}] {form_field.title}: {form_field.asks}", *answers.get(item, "").splitlines()]
    return "\n".join([*lines, ""])


def missing_headings(text: str) -> list[int]:
    """Return the items whose heading is missing in a form, so that their text would belong to the previous item."""
    there = {int(heading[1]) for line in text.splitlines() if (heading := _HEADING.match(line))}
    return [item for item in FIELDS if item not in there]


def answers_in(text: str) -> dict[int, str]:
    """Return what was written below each heading of a form; empty answers are left out."""
    answers: dict[int, list[str]] = {}
    item = 0
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading and int(heading[1]) in FIELDS:
            item = int(heading[1])
        elif item:
            answers.setdefault(item, []).append(line.rstrip())
    return {item: text for item, lines in answers.items() if (text := "\n".join(lines).strip())}


ITEMS: Mapping[int, str] = {
    1: "Databases and platforms",
    2: "Multi-database searching",
    5: "Citation searching",
    8: "Full search strategies",
    13: "Dates of searches",
    15: "Total records",
    16: "Deduplication",
    **{item: form_field.title for item, form_field in FIELDS.items()},
}
"""The titles of the items by their numbers."""
_ANSWERED = ("answered", "empty", "partial")


def prisma_s(log: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return each item with its title, the lines that answer it, and whether a person wrote some of them."""
    report: Mapping[str, str] = log["report"]
    return {
        str(item): {
            "title": ITEMS[item],
            "lines": _answers(item, log, report.get(str(item), "")),
            "by_person": str(item) in report,
        }
        for item in sorted(ITEMS)
    }


def _answers(item: int, log: Mapping[str, Any], by_person: str) -> list[str]:
    answers = list(_FROM_EVENTS[item](log)) if item in _FROM_EVENTS else []
    if by_person:
        return [*answers, *filter(str.strip, by_person.splitlines())]
    if item not in FIELDS or (answers and item in (11, 12)):
        return answers
    return [*answers, FIELDS[item].empty]


def is_database(name: str) -> bool:
    """Whether a source is a database, not another method of finding records."""
    return name not in OTHER_METHODS


def searched(log: Mapping[str, Any]) -> list[str]:
    """Return the databases that answered."""
    sources = {name: source for name, source in log["sources"].items() if is_database(name)}
    return [name for name, source in sources.items() if source["found"] or source["outcome"] in _ANSWERED]


def _databases(log: Mapping[str, Any]) -> Iterator[str]:
    sources = {name: source for name, source in log["sources"].items() if is_database(name)}
    if not sources:
        yield "No database was searched."
    for name, source in sources.items():
        title = name if source["title"] == name else f"{source['title']} ({name})"
        through = f", through the {source['interface']}" if source["asked"] and source["interface"] else ""
        why = ((log["understanding"] or {}).get("sources") or {}).get(name, "") if source["asked"] else ""
        because = f"; asked because: {why.rstrip('.')}" if why else ""
        yield f"{title}{through}: {source['sentence']}{_when(log, name)}{because}"


def _when(log: Mapping[str, Any], name: str) -> str:
    mine = [search for search in log["searches"] if search["source"] == name]
    days = sorted({search["answered"][:10] for search in mine if search["outcome"] in _ANSWERED})
    return f", searched {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""


def _together(log: Mapping[str, Any]) -> Iterator[str]:
    names = searched(log)
    if len(names) < 2:
        yield "No platform searched several databases at once."
        return
    yield f"spar {log['spar']} searched {listed(names)}, each separately through its own interface."


def _citations(log: Mapping[str, Any]) -> Iterator[str]:
    links, other = log["links"], log["flow"]["other_methods"]
    if not links:
        yield "No reference list or citing paper was followed."
        return
    followed = {
        link: [link_row for link_row in links if link_row["link"] == link] for link in ("references", "citations")
    }
    for link, label in (("references", "Backward: the reference lists of"), ("citations", "Forward: what cites")):
        if some := followed[link]:
            records = counted(other.get(link, {}).get("records", 0), "record")
            yield f"{label} {counted(len(some), 'paper')}, one step; {records} added."
    yield (
        f"Base set: in each round the best relevant papers so far and, if fewer than {LEAST_SEEDS}, the best others. "
        "Added: the papers with the most links to it."
    )


def _other(log: Mapping[str, Any]) -> Iterator[str]:
    methods = log["flow"]["other_methods"]
    for name in ("library", "starter"):
        if name in methods or log["sources"].get(name, {}).get("outcome") in _ANSWERED:
            method = methods.get(name, {"records": 0, "returned": 0})
            records = counted(method["records"], "record")
            yield f"{OTHER_METHODS[name]}: {records} ({method['returned']:,} returned)".capitalize()
    if not log["wishes"].get("library", True):
        yield "The searcher's own library was left out."


def _limits(log: Mapping[str, Any]) -> Iterator[str]:
    limits = log["limits"]
    if limits is None:
        yield "The question was not read yet."
        return
    yield f"Conditions: {', '.join(limits['conditions']) or 'none'}."
    yield f"At most {limits['records']:,} records for each query and source: the first ones by the source's relevance."
    yield (
        f"Mode {limits['mode']}: up to {counted(limits['queries'], 'query', 'queries')} in the first of up to "
        f"{counted(limits['rounds'], 'round')}; {limits['held']} run. "
        f"A source had {limits['seconds']:g} seconds for each query."
    )
    yield "No limit by language or by type of publication, unless a strategy in item 8 says so."


def _earlier(log: Mapping[str, Any]) -> Iterator[str]:
    if again := log["wishes"].get("again"):
        yield f"The strategies are those of search {again}, taken from its log."
    if watch := log["wishes"].get("watch"):
        yield f"The strategies are those of the stored search {watch}."


def _updates(log: Mapping[str, Any]) -> Iterator[str]:
    if again := log["wishes"].get("again"):
        yield f"This is search {again}, run again on {log['started'][:10]} from its log."
    if watch := log["wishes"].get("watch"):
        yield f"This is a rerun of the stored search {watch} on {log['started'][:10]}, which looks for what is new."


def _dates(log: Mapping[str, Any]) -> Iterator[str]:
    for name in log["sources"]:
        times = sorted(
            search["answered"]
            for search in log["searches"]
            if search["source"] == name and search["outcome"] in _ANSWERED
        )
        if times:
            yield f"{name}: {' to '.join(dict.fromkeys((times[0], times[-1])))}"
    yield f"The search began {log['started']} and ended {log['finished'] or 'not yet'}."


def _total(log: Mapping[str, Any]) -> Iterator[str]:
    flow = log["flow"]
    yield f"{counted(flow['identified'], 'record')} in all, each record of a source counted once."
    for name, method in {**flow["databases"], **flow["other_methods"]}.items():
        records = counted(method["records"], "record")
        yield f"{OTHER_METHODS.get(name, name)}: {records} ({method['returned']:,} returned)"


def _deduplication(log: Mapping[str, Any]) -> Iterator[str]:
    yield f"{counted(log['flow']['duplicates'], 'duplicate')} removed by spar {log['spar']}, without a person."
    yield (
        "Records are one work if they share a DOI, arXiv id, PMID or another identifier or, failing that, if title, "
        "first author and year (within one) agree. A preprint and its published version are one work."
    )


_FROM_EVENTS = {
    1: _databases,
    2: _together,
    5: _citations,
    7: _other,
    9: _limits,
    11: _earlier,
    12: _updates,
    13: _dates,
    15: _total,
    16: _deduplication,
}


def strategies(source: str, requests: Sequence[str]) -> list[str]:
    """Return the distinct strategies in the requests `requests` to `source`, decoded. Further pages repeat a strategy,
    and requests for records by id have none. If no request has one, all are returned as sent."""
    names = SOURCES[source].strategy if source in SOURCES else ()
    texts = [text for request in requests if (text := _strategy(names, _parameters(request)))]
    return list(dict.fromkeys(texts or requests))


def _strategy(names: Sequence[str], parameters: dict[str, str]) -> str:
    """Return the value of the first of `names`, then the others with their names."""
    if not names or not (text := parameters.get(names[0])):
        return ""
    if since := parameters.get("mindate"):  # Entrez takes it as a separate parameter, PubMed's page within the query
        text = f'({text}) AND ("{since}"[dp] : "{parameters.get("maxdate", "3000")}"[dp])'
    limits = [f"{name}={parameters[name]}" for name in names[1:] if parameters.get(name)]
    return " ".join(text.split()) + (f"  [{', '.join(limits)}]" if limits else "")


def _parameters(request: str) -> dict[str, str]:
    """Return the parameters of a request: of its address, of a form, or of a JSON object after the address."""
    _, post, rest = request.rpartition("POST ")
    target, _, body = rest.partition(" ") if post else (request, "", "")
    if body.startswith("{"):
        try:
            values = json.loads(body)
        except ValueError:
            return {}
        return {name: str(value) for name, value in values.items()} if isinstance(values, dict) else {}
    return dict(parse_qsl(body or urlsplit(target).query))
