"""The findings of `spar lint`: whether sources support the sentences that cite them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.evidence.source_check import SOURCE_GRADES, SourceGrade, SourceJudgement
from spar_tui.bibliography.citing_sentences import CitingSentence
from spar_tui.phrases import counted, quotation
from spar_tui.reports.finding_reports import FindingItem, FindingPage, ReportForm, sarif_log, sarif_result

GRADE_TITLES: Mapping[SourceGrade, str] = {
    "contradicts": "The source says the opposite",
    "speaks of something else": "The source is about something else",
    "no text here": "Cannot tell: no text here",
    "close": "Close",
    "says so": "The source says so",
    "says too little": "The sentence says too little",
}
"""The name of each grade for a reader."""
LEVELS: Mapping[SourceGrade, str] = {
    "contradicts": "error", "speaks of something else": "warning", "no text here": "note",
}  # fmt: skip
"""The level of each finding; the other grades have none."""
NUMBERS_RULE = "number-in-no-text"
_NUMBERS_TITLE = "A number is in no text of the cited papers"


@dataclass(frozen=True, slots=True)
class SourceFinding:
    """A sentence, a key that it cites, the title of the paper, and the judgement; `file` is the sentence's file."""

    file: str
    sentence: CitingSentence
    key: str
    title: str
    judgement: SourceJudgement


@dataclass(frozen=True, slots=True)
class NumbersFinding:
    """The `numbers` of a sentence that occur in no available text of the papers that it cites."""

    file: str
    sentence: CitingSentence
    numbers: tuple[str, ...]

    @property
    def text(self) -> str:
        """The message about them."""
        return f"No available text of what the sentence cites has {', '.join(self.numbers)}."


def lint_summary(graded: Sequence[SourceFinding], numbers: Sequence[NumbersFinding]) -> str:
    """Count the citations of each grade, in one sentence."""
    counts = Counter(finding.judgement.grade for finding in graded)
    parts = [f"{counts[grade]:,} {grade}" for grade in SOURCE_GRADES if counts[grade]]
    text = f"{counted(len(graded), 'citation')} in {counted(len({finding.sentence for finding in graded}), 'sentence')}"
    lacking = f"; {counted(len(numbers), 'sentence')} with a number in no available text" if numbers else ""
    return f"{text}: {', '.join(parts)}{lacking}."


def lint_object(file: str, graded: Sequence[SourceFinding], numbers: Sequence[NumbersFinding]) -> dict[str, Any]:
    """Return the findings as the object of `--json`."""
    counts = Counter(finding.judgement.grade for finding in graded)
    return {
        "file": file,
        "citations": [
            {
                **_place(finding), "key": finding.key, "title": finding.title,
                "grade": finding.judgement.grade, "reason": finding.judgement.reason,
                "by_model": finding.judgement.by_model,
                "passages": [{"text": part.text, "page": part.page} for part in finding.judgement.passages],
            }
            for finding in graded
        ],
        "numbers": [{**_place(finding), "numbers": finding.numbers} for finding in numbers],
        "counts": {grade: counts[grade] for grade in SOURCE_GRADES if counts[grade]},
    }  # fmt: skip


def _place(finding: SourceFinding | NumbersFinding) -> dict[str, Any]:
    sentence = finding.sentence
    return {"file": finding.file, "line": sentence.line, "sentence": sentence.text}


def source_report(
    form: ReportForm, file: str, graded: Sequence[SourceFinding], numbers: Sequence[NumbersFinding]
) -> str:
    """Return the findings on `file` in one of the forms. Citations without a finding are only counted."""
    if form == "sarif":
        return _as_sarif(graded, numbers)
    groups = (
        (GRADE_TITLES[grade], [_item(finding) for finding in graded if finding.judgement.grade == grade])
        for grade in LEVELS
    )
    lacking = [
        FindingItem(_position(number), ", ".join(number.sentence.keys), number.sentence.text, [number.text])
        for number in numbers
    ]
    sections = [(f"{title} ({len(items)})", items) for title, items in (*groups, (_NUMBERS_TITLE, lacking)) if items]
    page = FindingPage(f"Citations of {file}", lint_summary(graded, numbers) if graded else "No citations.", sections)
    return page.html() if form == "html" else page.markdown()


def _item(finding: SourceFinding) -> FindingItem:
    passages = [f"{finding.title}: {quotation(part.text, part.page)}" for part in finding.judgement.passages[:1]]
    sentences = [*passages, *filter(None, [finding.judgement.reason])]
    return FindingItem(_position(finding), finding.key, finding.sentence.text, sentences)


def _position(finding: SourceFinding | NumbersFinding) -> str:
    return f"{finding.file}:{finding.sentence.line}"


def _as_sarif(findings: Sequence[SourceFinding], numbers: Sequence[NumbersFinding]) -> str:
    rules = [{"id": _rule(grade), "shortDescription": {"text": GRADE_TITLES[grade]}} for grade in LEVELS]
    rules.append({"id": NUMBERS_RULE, "shortDescription": {"text": _NUMBERS_TITLE}})
    results = [
        sarif_result(_rule(grade), LEVELS[grade], _message(finding), finding.file, finding.sentence.line)
        for finding in findings
        if (grade := finding.judgement.grade) in LEVELS
    ]
    results += [
        sarif_result(NUMBERS_RULE, "note", number.text, number.file, number.sentence.line) for number in numbers
    ]
    return sarif_log("spar lint", rules, results)


def _message(finding: SourceFinding) -> str:
    nearest = f" Nearest: “{finding.judgement.passages[0].text}”" if finding.judgement.passages else ""
    return f"{GRADE_TITLES[finding.judgement.grade]}: {finding.key}. {finding.judgement.reason}{nearest}"


def _rule(grade: SourceGrade) -> str:
    return grade.replace(" ", "-")
