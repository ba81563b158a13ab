"""`spar lint`: do the cited papers say what a document says?"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from connectors.records.visible import first_words, visible
from spar_tui.bibliography.cited_in import cited_in
from spar_tui.cli.arguments import (
    EncodingOption,
    NoModelFlag,
    OfflineFlag,
    OutputFlags,
    SourceOption,
    UsdOption,
    source_names,
)
from spar_tui.cli.cited_documents import ReportFlags, citing_document, write_reports
from spar_tui.errors import UsageError
from spar_tui.phrases import cost_lines, counted, quotation
from spar_tui.terminal import Style, counting, note, remark, tell_row, wants_rows
from spar_tui.workspace import read_settings, unasked_model

if TYPE_CHECKING:
    from spar_tui.reports.source_report import NumbersFinding, SourceFinding

MOST = 5_000
"""Maximum number of citations of one document, counting each sentence that cites a paper."""
MOST_ENTRIES = 2_000
"""Maximum number of cited works: each may cost requests to several services."""
CALLS = 200
"""Maximum number of questions to the model for one document."""
_READ = (".tex", ".ltx", ".latex", ".md", ".markdown", ".qmd", ".rmd", ".typ")
_COLOURS = {"contradicts": "red", "speaks of something else": "yellow", "no text here": "dim"}
_SHOWN = 160
"""Maximum number of characters of a sentence to show."""


def lint(
    document: Annotated[Path, "<FILE>", "A LaTeX, Markdown or Typst document and the .bib files beside it."],
    source: SourceOption = None,
    everything: Annotated[bool, "--all", "Also list citations without a finding, and numbers."] = False,
    swap: Annotated[bool, "Self-test: compare each sentence with another paper that the document cites."] = False,
    no_model: NoModelFlag = False,
    usd: UsdOption = None,
    encoding: EncodingOption = "",
    offline: OfflineFlag = False,
    *,
    reports: ReportFlags,
    form: OutputFlags,
) -> int:
    """Check whether the cited papers say what a document says.

    Compares each citing sentence with the cited paper: its abstract or full text in the library, else the abstract
    of a source. Shows the nearest passage with its page. Without a language model, only a paper with almost none of
    the sentence's words is a finding, because words cannot tell whether two sentences say the same. A model judges
    whether the nearest passages say it, say it in part (close), do not say it, or say the opposite. The rest of a
    paper may still say it, so read the paper before you change a sentence. Counts the numbers of sentences that are
    in no available text; --all lists them. Never changes the files.

    Exits with 0 without findings, 1 if a source is about something else or says the opposite, 4 if there are no
    findings but the text of a cited paper is missing."""
    from agents.llm.budget import Budget
    from agents.run.events import Spent
    from spar_tui.bibliography.citing_sentences import citing_sentences
    from spar_tui.bibliography.source_linting import cited_entries, lint_sentences
    from spar_tui.cli.papers import in_workspace
    from spar_tui.cli.written_mends import patched_name
    from spar_tui.reports.source_report import lint_object, source_report

    if document.suffix.lower() not in _READ:
        raise UsageError(f"spar lint cannot read {document}; it reads LaTeX, Markdown and Typst ({', '.join(_READ)}).")
    if not document.exists():
        raise UsageError(f"no such file: {document}.")
    report_paths = reports.files(document)
    settings = read_settings(background=True)
    names = source_names(source or []) or settings.preferences.sources
    quiet = offline or settings.preferences.offline
    contents = citing_document(str(document), encoding, settings, names, quiet).found
    sentences = list(islice(citing_sentences(cited_in(document, outside=False).files), MOST + 1))
    if len(sentences) > MOST or sum(len(sentence.keys) for sentence in sentences) > MOST:
        raise UsageError(f"{document} has more than {MOST:,} citations; check it in parts.")
    entries, model = cited_entries(contents, sentences), not no_model
    if len(entries) > MOST_ENTRIES:
        raise UsageError(f"the document cites {len(entries):,} works; at most {MOST_ENTRIES:,} are checked at once.")
    if model and (why := unasked_model(settings, quiet)):
        remark(why)

    def done(findings: "Sequence[SourceFinding]") -> None:
        if findings and wants_rows():
            tell_row(lint_object(str(document), findings, ()))

    with counting("texts", len(entries), form.plain) as tell:
        outcome = in_workspace(
            lambda workspace: lint_sentences(
                workspace, sentences, entries, quiet, Budget(CALLS, usd), tell, patched_name, swap, done
            ),
            quiet, "interrupted; the answers of the sources and the model so far are stored.",
            settings=settings, names=names, model=model,
        )  # fmt: skip
    findings, numbers, judging = outcome.findings, outcome.numbers, outcome.judging
    name = patched_name(document)
    write_reports(report_paths, lambda kind: source_report(kind, name, findings, numbers), settings.places.locks)
    form.say(lint_object(str(document), findings, numbers), lambda style: _lines(findings, numbers, everything, style))
    if not (findings or form.as_json):
        remark(f"{document.name} has no sentence with a citation.")
    elif numbers and not (everything or form.as_json):
        remark("--all lists the sentences with a number that is in no available text.")
    if judging:
        remark(*judging.troubles)
        if judging.unanswered:
            remark(f"{counted(judging.unanswered, 'citation')} judged by words alone, without the model's answer.")
        note(*cost_lines(Spent.of("support", judging.usage)))
    elif findings:
        remark("without a model, spar finds only cited papers that are about something else.")
    grades = {finding.judgement.grade for finding in findings}
    if grades & {"contradicts", "speaks of something else"}:
        return 1
    return 4 if "no text here" in grades else 0


def _lines(
    findings: "Sequence[SourceFinding]", numbers: "Sequence[NumbersFinding]", everything: bool, style: Style
) -> Iterator[str]:
    from agents.evidence.source_check import SOURCE_GRADES
    from spar_tui.reports.source_report import GRADE_TITLES, LEVELS, lint_summary

    if findings:
        yield style.paint(lint_summary(findings, numbers), "bold")
    for grade in SOURCE_GRADES:
        group = [finding for finding in findings if finding.judgement.grade == grade]
        if not group or not (everything or grade in LEVELS):
            continue
        yield from ("", style.paint(f"{GRADE_TITLES[grade]} ({len(group)})", "bold", _COLOURS.get(grade, "green")))
        for finding in group:
            head = f"  {style.paint(finding.file)}:{finding.sentence.line}  {style.paint(finding.key, 'cyan')}  "
            yield from style.beside(head, _short(finding.sentence.text))
            for passage in finding.judgement.passages[:1]:
                yield from style.wrapped(f"{finding.title}: {quotation(passage.text, passage.page)}", "    ")
            yield from style.wrapped(finding.judgement.reason, "    ", "dim")
    if not (numbers and everything):
        return
    yield from ("", style.paint(f"Numbers in no available text ({len(numbers)})", "bold"))
    for lacking in numbers:
        head = f"  {style.paint(lacking.file)}:{lacking.sentence.line}  "
        yield from style.beside(head, _short(lacking.sentence.text))
        yield from style.wrapped(lacking.text, "    ")


def _short(text: str) -> str:
    return first_words(visible(text), _SHOWN)
