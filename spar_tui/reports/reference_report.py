"""The findings of `spar check` as files for other people and programs: Markdown, one HTML page, SARIF."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from html import escape
from typing import Any, Literal

from connectors.records.clean import visible
from spar_tui.bibliography.accepted import Acceptance
from spar_tui.bibliography.checking import VERDICTS, Finding, Verdict
from spar_tui.bibliography.markdown import escaped
from spar_tui.reports.reference_policies import DEFAULT_POLICY, ReferencePolicy
from spar_tui.reports.sarif import sarif_log, sarif_result

ReportForm = Literal["html", "markdown", "sarif"]
MEANINGS: Mapping[Verdict, str] = {
    "unreadable": "The entry cannot be read",
    "retracted": "The paper was retracted",
    "not found": "Not found anywhere",
    "fields differ": "Described wrongly",
    "expression of concern": "Expression of concern",
    "published since": "Published since",
    "duplicate": "There twice",
    "incomplete": "Incomplete",
    "could not check": "Cannot tell",
    "accepted": "Accepted",
    "ok": "As described",
}
"""What each verdict is called for a reader."""
_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.3em 0 1em}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left;
vertical-align:top}code{color:#555}li{margin-bottom:1em}"""


def reference_report(
    form: ReportForm, file: str, found: Sequence[Finding], policy: ReferencePolicy = DEFAULT_POLICY
) -> str:
    """The findings on the references of `file` in one of the forms, as grave as `policy` says."""
    return _WRITERS[form](file, found, policy)


def report_object(file: str, found: Sequence[Finding], policy: ReferencePolicy = DEFAULT_POLICY) -> dict[str, Any]:
    """The findings as the object of `--json`."""
    counts = Counter(finding.verdict for finding in found)
    outcomes = Counter(finding.outcome for finding in found)
    return {
        "file": file,
        "policy": policy.name or None,
        "entries": [asdict(finding) | {"level": policy.levels.get(finding.verdict)} for finding in found],
        "accepted": [asdict(why) for finding in found for why in finding.accepted],
        "counts": {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]},
        "outcomes": dict(outcomes),
    }


def summary_of(found: Sequence[Finding]) -> str:
    """Count the references of each verdict, in one sentence."""
    counts = Counter(finding.verdict for finding in found)
    parts = [f"{counts[verdict]:,} {MEANINGS[verdict].lower()}" for verdict in VERDICTS if counts[verdict]]
    partly = sum(bool(finding.accepted) and finding.verdict != "accepted" for finding in found)
    more = f"; {partly:,} of them with another finding accepted" if partly else ""
    total = f"{len(found):,} {'reference' if len(found) == 1 else 'references'}"
    return f"{total}: {', '.join(parts)}{more}." if found else "No references."


def heading(verdict: Verdict, count: int, policy: ReferencePolicy) -> str:
    """The heading over the findings of a verdict, with their level where a policy was chosen."""
    level = policy.levels.get(verdict) if policy.name else None
    return f"{MEANINGS[verdict]} ({count:,}{f', {level}' if level else ''})"


def _by_verdict(found: Sequence[Finding]) -> list[tuple[Verdict, list[Finding]]]:
    groups = [(verdict, [one for one in found if one.verdict == verdict]) for verdict in VERDICTS]
    return [(verdict, group) for verdict, group in groups if group]


def _as_markdown(file: str, found: Sequence[Finding], policy: ReferencePolicy) -> str:
    lines = [f"# References of {escaped(visible(file))}", "", summary_of(found)]
    for verdict, group in _by_verdict(found):
        lines += ["", f"## {heading(verdict, len(group), policy)}", ""]
        for one in group:
            key = escaped(visible(one.key or "(no key)"))
            lines.append(f"- line {one.line}, **{key}**: {escaped(visible(one.title))}")
            lines += [f"  - {escaped(visible(sentence))}" for sentence in (*one.details, *one.notes)]
    return "\n".join([*lines, ""])


def _as_html(file: str, found: Sequence[Finding], policy: ReferencePolicy) -> str:
    name = escape(visible(file))
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>References of {name}</title>',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>References of {name}</h1>\n<p>{escape(summary_of(found))}</p>",
    ]
    for verdict, group in _by_verdict(found):
        parts += [f"<h2>{heading(verdict, len(group), policy)}</h2>", "<ul>", *map(_item, group), "</ul>"]
    return "\n".join([*parts, "</body></html>", ""])


def _item(finding: Finding) -> str:
    sentences = "".join(f"<br>{escape(visible(sentence))}" for sentence in finding.details)
    key = escape(visible(finding.key or "(no key)"))
    head = f"<code>line {finding.line} · {key}</code> {escape(visible(finding.title))}{sentences}"
    rows = "".join(
        f"<tr><td>{escape(one.field)}</td><td>{escape(visible(one.yours))}</td><td>{escape(visible(one.theirs))}</td>"
        f"<td>{_linked(one.source, one.link)}</td></tr>"
        for one in finding.differences
    )
    if not rows:
        return f"<li>{head}</li>"
    titles = "<tr><th>field</th><th>yours</th><th>theirs</th><th>source</th></tr>"
    return f"<li>{head}<table>{titles}{rows}</table></li>"


def _linked(source: str, link: str) -> str:
    """The source as a link where its address is one of the web."""
    if not link.startswith(("https://", "http://")):
        return escape(visible(source))
    return f'<a href="{escape(visible(link))}" rel="noreferrer">{escape(visible(source))}</a>'


def _as_sarif(file: str, found: Sequence[Finding], policy: ReferencePolicy) -> str:
    def result(finding: Finding) -> dict[str, Any]:
        text = " ".join([f"{MEANINGS[finding.verdict]}: {finding.title}".rstrip(": "), *finding.details])
        return sarif_result(_rule(finding.verdict), policy.levels[finding.verdict], text, file, finding.line)

    def suppressed(finding: Finding, why: Acceptance) -> dict[str, Any]:
        verdict = next(verdict for verdict in policy.levels if verdict == why.finding)
        accepted = result(replace(finding, verdict=verdict, details=()))
        return accepted | {"suppressions": [{"kind": "external", "justification": why.reason}]}

    results = [result(one) for one in found if one.verdict in policy.levels]
    results += [suppressed(one, why) for one in found for why in one.accepted]
    rules = [{"id": _rule(verdict), "shortDescription": {"text": MEANINGS[verdict]}} for verdict in policy.levels]
    return sarif_log("spar check", rules, results)


def _rule(verdict: Verdict) -> str:
    return verdict.replace(" ", "-")


_WRITERS: Mapping[ReportForm, Callable[[str, Sequence[Finding], ReferencePolicy], str]] = {
    "html": _as_html, "markdown": _as_markdown, "sarif": _as_sarif,
}  # fmt: skip
