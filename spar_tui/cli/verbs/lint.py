"""`spar lint`: do the cited papers say what a document says?"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectors.records.visible import first_words, visible
from spar_tui.cli.arguments import (
    EncodingOption,
    JsonFlag,
    NoModelFlag,
    OfflineFlag,
    PlainFlag,
    SourceOption,
    UsdOption,
    source_names,
)
from spar_tui.cli.cited_documents import HtmlOption, MarkdownOption, SarifOption, report_files, write_reports
from spar_tui.errors import UsageError
from spar_tui.phrases import cost_lines, counted, quotation
from spar_tui.settings import Settings
from spar_tui.terminal import answer_style, counting, note, remark, say, say_json
from spar_tui.workspace import read_settings, unasked_model

if TYPE_CHECKING:
    from agents.llm.budget import Budget
    from agents.summary.writing.source_support import ModelJudging
    from spar_tui.bibliography.citing_sentences import CitingSentence
    from spar_tui.bibliography.reading.entries_read import FileEntries
    from spar_tui.bibliography.source_linting import LintOutcome
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
    document: Annotated[
        Path, typer.Argument(metavar="FILE", help="A LaTeX, Markdown or Typst document and the .bib files beside it.")
    ],
    source: SourceOption = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also list citations without a finding, and numbers.")
    ] = False,
    html: HtmlOption = "",
    markdown: MarkdownOption = "",
    sarif: SarifOption = "",
    swap: Annotated[
        bool,
        typer.Option("--swap", help="Self-test: compare each sentence with another paper that the document cites."),
    ] = False,
    no_model: NoModelFlag = False,
    usd: UsdOption = None,
    encoding: EncodingOption = "",
    offline: OfflineFlag = False,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
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
    from spar_tui.bibliography.cited_in import cited_in
    from spar_tui.bibliography.citing_sentences import citing_sentences
    from spar_tui.cli.cited_documents import citing_document
    from spar_tui.cli.written_mends import patched_name
    from spar_tui.reports.source_report import lint_object, lint_summary, source_report

    if document.suffix.lower() not in _READ:
        raise UsageError(f"spar lint cannot read {document}; it reads LaTeX, Markdown and Typst ({', '.join(_READ)}).")
    if not document.exists():
        raise UsageError(f"no such file: {document}.")
    reports = report_files(document, html, markdown, sarif)
    names = source_names(source or [])
    settings = read_settings(background=True)
    preferences = settings.preferences
    names, quiet = names or preferences.sources, offline or preferences.offline
    contents = citing_document(str(document), encoding, settings, names, quiet).found
    sentences = list(islice(citing_sentences(cited_in(document, outside=False).files), MOST + 1))
    if len(sentences) > MOST or sum(len(sentence.keys) for sentence in sentences) > MOST:
        raise UsageError(f"{document} has more than {MOST:,} citations; check it in parts.")
    outcome = _linted(settings, contents, sentences, names, quiet, not no_model, Budget(CALLS, usd), plain, swap)
    findings, numbers = outcome.findings, outcome.numbers
    name = patched_name(document)
    write_reports(reports, lambda form: source_report(form, name, findings, numbers), settings.places.locks)
    if as_json:
        say_json(lint_object(str(document), findings, numbers))
    elif findings:
        say(answer_style(plain).paint(lint_summary(findings, numbers), "bold"))
        _print(findings, numbers, everything, plain)
        if numbers and not everything:
            remark("--all lists the sentences with a number that is in no available text.")
    else:
        remark(f"{document.name} has no sentence with a citation.")
    if outcome.judging:
        _tell_of_the_model(outcome.judging)
    elif findings:
        remark("without a model, spar finds only cited papers that are about something else.")
    return _exit_code(findings)


def _linted(
    settings: Settings, contents: "FileEntries", sentences: "Sequence[CitingSentence]", names: Sequence[str],
    offline: bool, model: bool, budget: "Budget", plain: bool, swap: bool,
) -> "LintOutcome":  # fmt: skip
    from spar_tui.bibliography.source_linting import cited_entries, lint_sentences
    from spar_tui.cli.papers import in_workspace
    from spar_tui.cli.written_mends import patched_name

    entries = cited_entries(contents, sentences)
    if len(entries) > MOST_ENTRIES:
        raise UsageError(f"the document cites {len(entries):,} works; at most {MOST_ENTRIES:,} are checked at once.")
    if model and (why := unasked_model(settings, offline)):
        remark(why)

    with counting("texts", len(entries), plain) as tell:
        return in_workspace(
            lambda workspace: lint_sentences(
                workspace, sentences, entries, offline, budget, tell, patched_name, swap
            ),
            offline, "interrupted; the answers of the sources and the model so far are stored.",
            settings=settings, names=names, model=model,
        )  # fmt: skip


def _exit_code(findings: "Sequence[SourceFinding]") -> int:
    grades = {finding.judgement.grade for finding in findings}
    if grades & {"contradicts", "speaks of something else"}:
        return 1
    return 4 if "no text here" in grades else 0


def _tell_of_the_model(judging: "ModelJudging") -> None:
    from agents.run.events import Spent

    remark(*judging.troubles)
    if judging.unanswered:
        remark(f"{counted(judging.unanswered, 'citation')} judged by words alone, without the model's answer.")
    note(*cost_lines(Spent.of("support", judging.usage)))


def _print(
    findings: "Sequence[SourceFinding]", numbers: "Sequence[NumbersFinding]", everything: bool, plain: bool
) -> None:  # fmt: skip
    from agents.evidence.source_check import SOURCE_GRADES
    from spar_tui.reports.source_report import GRADE_TITLES, LEVELS

    style = answer_style(plain)
    for grade in SOURCE_GRADES:
        mine = [finding for finding in findings if finding.judgement.grade == grade]
        if not mine or not (everything or grade in LEVELS):
            continue
        say("", style.paint(f"{GRADE_TITLES[grade]} ({len(mine)})", "bold", _COLOURS.get(grade, "green")))
        for finding in mine:
            where = f"  {style.paint(finding.file)}:{finding.sentence.line}"
            say(*style.beside(f"{where}  {style.paint(finding.key, 'cyan')}  ", _short(finding.sentence.text)))
            for passage in finding.judgement.passages[:1]:
                say(*style.wrapped(f"{finding.title}: {quotation(passage.text, passage.page)}", "    "))
            if finding.judgement.reason:
                say(*style.wrapped(finding.judgement.reason, "    ", "dim"))
    if not (numbers and everything):
        return
    say("", style.paint(f"Numbers in no available text ({len(numbers)})", "bold"))
    for lacking in numbers:
        head = f"  {style.paint(lacking.file)}:{lacking.sentence.line}  "
        say(*style.beside(head, _short(lacking.sentence.text)))
        say(*style.wrapped(lacking.text, "    "))


def _short(text: str) -> str:
    return first_words(visible(text), _SHOWN)
