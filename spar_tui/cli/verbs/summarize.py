"""`spar summarize`: divide a topic into a tree of facets, and write a text in which every sentence cites papers."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from connectors.paper import Paper, WorkId
from connectors.records.clean import clean_text
from spar_tui.cli.arguments import (
    RunFlags,
    SearchedOption,
    SinceOption,
    StrictFlag,
    UntilOption,
    dates_of,
    joined,
    list_exit_code,
    only_one,
    question_of,
    refuse_late,
    searched_names,
)
from spar_tui.cli.corpus_flags import CorpusFlags
from spar_tui.errors import UsageError
from spar_tui.phrases import cost_lines, counted, operators_as_words, papers_text
from spar_tui.settings import Settings
from spar_tui.shown_list import note_list
from spar_tui.terminal import note, remark, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.summary.state import SummaryState
    from spar_tui.reports.summary_text import CitationStyle

MOST_COLUMNS = 6
_KEYS = "better-bibtex"
_TEX_NAME = re.compile(r"[\w.+-]+", re.ASCII)


def summarize(
    about: Annotated[list[str] | None, "<TOPIC>", "The topic of the summary."] = None,
    depth: Annotated[int | None, "D", "Levels of facets below the topic (0 to 3; 2 unless set)."] = None,
    branch: Annotated[int | None, "B", "Facets of each node (1 to 8; 4 unless set)."] = None,
    words: Annotated[int | None, "W", "Approximate length of the text in words (50 to 20000; 1000 unless set)."] = None,
    outline: Annotated[bool, "Stop after the tree and list its papers."] = False,
    table: Annotated[
        str | None,
        "A,B",
        "Columns that compare the cited papers (by default method,data,result or a model's choice), or none.",
    ] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    source: SearchedOption = None,
    *,
    corpus: CorpusFlags,
    cite: Annotated[
        str | None,
        "STYLE",
        ("Cite by numbers, by keys ([@key]), as latex (\\cite{key}) or, for biblatex, as autocite (\\autocite{key})."),
    ] = None,
    output: Annotated[
        str | None, "FILE", "Write the text to FILE; .tex (with --bib) is a LaTeX document, .docx needs pandoc."
    ] = None,
    bib: Annotated[str | None, "FILE.bib", "Add the cited papers to this file; its entries stay."] = None,
    resume: Annotated[str | None, "RUN", "Resume an interrupted summary (`last` for the last one)."] = None,
    strict: StrictFlag = False,
    flags: RunFlags,
) -> int:
    """Summarize a topic.

    spar divides the topic into facets and these into finer ones, checks each and searches for it. Then it writes
    Markdown from the finest facets upwards. Every sentence cites papers with a quote from them or, if a paper has no
    abstract, with spar's own note, marked as such. Ctrl-C keeps the run; --resume continues it."""
    topic = joined(about)
    if (topic is None) == (resume is None):
        raise UsageError('a TOPIC is needed: spar summarize "dense retrieval"; or an earlier summary: --resume RUN.')
    if resume is not None:
        refuse_late(
            {"--depth": depth, "--branch": branch, "--words": words, "--outline": outline, "--table": table}
            | {"--source": source, "--seed": flags.seed, "--since": since, "--until": until, **corpus.by_flag},
            "a resumed summary",
        )
    only_one(corpus.by_flag | {"--source": source})
    first, last = dates_of(since, until)

    from agents.summary.kind import SUMMARY
    from agents.summary.options import SummaryOptions
    from spar_tui.cli.running import VerbRun
    from spar_tui.cli.summary_progress import SummaryProgress
    from spar_tui.reports.summary_size import Size

    settings = read_settings()
    sizes = {"depth": depth, "branch": branch, "words": words}
    size = Size(**{name: number for name, number in sizes.items() if number is not None})
    options = SummaryOptions(
        depth=size.depth,
        branch=size.branch,
        words=size.words,
        outline=outline,
        table=_columns(table),
        since=first,
        until=last,
        choose_sources=not source,
        source_seconds=settings.preferences.source_seconds,
        **corpus.corpus(settings, flags.offline),
        **flags.bounds,
    )
    files = _Files(settings, output, bib, _style(cite, output))
    run = VerbRun(SUMMARY, SummaryProgress, settings, flags)
    topic_text = _topic_of(topic or "") if resume is None else ""
    names = searched_names(source or [])
    state = run.carry_out(topic_text, options, names or settings.preferences.sources, resume)
    return _end(state, run.id, files, names, flags, strict)


def _topic_of(raw: str) -> str:
    if not any(map(str.isalnum, raw)):
        raise UsageError('the topic has no words; name one: spar summarize "dense retrieval".')

    if as_words := operators_as_words(raw, "spar search reads them"):
        remark(f"{as_words}.")
    return question_of(raw)


def _style(raw: str | None, output: str | None) -> "CitationStyle":
    """Return the citation style of the text; LaTeX documents have their own. Raises `UsageError`."""
    from spar_tui.reports.summary_text import CITATION_STYLES

    style = next((style for style in CITATION_STYLES if style == raw), None)
    if raw is not None and style is None:
        raise UsageError(f"--cite {raw!r} is unknown; choose from {', '.join(CITATION_STYLES)}.")
    if _is_latex(output) and style in ("numbers", "keys"):
        raise UsageError(f"--cite {raw} is for Markdown; {output} cites as latex or autocite.")
    return style or ("latex" if _is_latex(output) else "numbers")


def _is_latex(output: str | Path | None) -> bool:
    return output is not None and Path(output).suffix.lower() == ".tex"


def _columns(raw: str | None) -> tuple[str, ...]:
    from agents.summary.options import USUAL_COLUMNS

    if raw is None:
        return USUAL_COLUMNS
    if raw.strip().lower() == "none":
        return ()
    columns = tuple(dict.fromkeys(name for part in raw.split(",") if (name := clean_text(part, 40))))
    if not 0 < len(columns) <= MOST_COLUMNS:
        raise UsageError(f"--table {raw!r} names {len(columns)} columns; use 1 to {MOST_COLUMNS}.")
    return columns


class _Files:
    """The output files of the text and its bibliography, checked before anything is asked."""

    def __init__(self, settings: Settings, output: str | None, bib: str | None, style: "CitationStyle") -> None:
        from spar_tui.files import read_old
        from spar_tui.reports.text_file import check_document_file

        self.settings, self._style = settings, style
        self.output = Path(output) if output else None
        self.bib = Path(bib) if bib else None
        for file in filter(None, (self.output, self.bib)):
            if not file.parent.is_dir():
                raise UsageError(f"{file.parent} is not a folder, so {file.name} cannot be written there.")
            read_old(file)
        if self.bib and self.bib.suffix != ".bib":
            raise UsageError(f"--bib {bib!r} must end in .bib.")
        if not self.output:
            return
        if not _is_latex(self.output):
            check_document_file("markdown", self.output)
        elif not self.bib:
            raise UsageError(f"{output} needs a bibliography for its citations: add --bib FILE.bib.")
        elif self.output.parent.resolve() != self.bib.parent.resolve():
            raise UsageError(f"{bib} must be in the folder of {output}, where LaTeX looks for it.")
        elif not _TEX_NAME.fullmatch(self.bib.stem):
            raise UsageError(f"LaTeX finds no bibliography called {self.bib.name}; use letters, digits, . _ - and +.")

    def write(self, text: str) -> list[str]:
        """Write the text to its file; return remarks on it. Raises `UserError`."""
        from spar_tui.bibliography.latex_document import remarks
        from spar_tui.files import write_file
        from spar_tui.reports.text_file import document_content

        assert self.output is not None
        is_latex = _is_latex(self.output)
        content = text.encode("utf-8", "replace") if is_latex else document_content(text, "markdown", self.output)
        write_file(self.output, content, self.settings.places.locks)
        return remarks(text) if is_latex else []

    def text(self, state: "SummaryState") -> str:
        """Return the text with citations in the chosen style. Raises `CacheError`."""
        from spar_tui.bibliography.latex_document import latex_document
        from spar_tui.reports.summary_markdown import markdown
        from spar_tui.reports.summary_text import Marks

        marks = Marks(state, self._style, self._keys(state) if self._style != "numbers" else None)
        if not _is_latex(self.output) or self.bib is None:
            return "\n".join([*markdown(state, marks), ""])
        lines = markdown(state, marks, listed=False)
        if not state.cited:
            return latex_document(lines)
        entries = self.bib.read_text("utf-8", "replace")
        return latex_document(lines, self.bib.stem, entries, biblatex=self._style == "autocite")

    def _keys(self, state: "SummaryState") -> dict[WorkId, str]:
        """Return the citation key of each work that the text cites, which its bibliography has too."""
        from cache import papers
        from spar_tui.bibliography.citation_key import key_pattern, keys_for

        by_work = {work: state.findings.found[work].paper for work in state.cited}
        with open_store(self.settings) as store:
            numbers = dict(zip(by_work, papers.remember(store, list(by_work.values())), strict=True))
            by_number: dict[int, Paper] = {numbers[work]: paper for work, paper in by_work.items()}
            keys = keys_for(store, by_number, key_pattern(_KEYS))
        return {work: keys[number] for work, number in numbers.items()}

    def write_bibliography(self, state: "SummaryState", run: str) -> list[str]:
        """Add the cited works to the .bib file; return sentences about it. Raises `UserError`."""
        from cache import papers
        from spar_tui.bibliography.exporting import ExportedPaper, export_papers
        from spar_tui.bibliography.options import export_options

        dialect = "biblatex" if self._style == "autocite" else "bibtex"
        options = export_options(
            format=dialect if _is_latex(self.output) else "", style="", keys=_KEYS, fields="", preprint=False,
            ascii_only=None, bom=False, output=str(self.bib), append=True, replace=False,
        )  # fmt: skip
        records = [state.findings.found[work].paper for work in state.cited]
        with open_store(self.settings) as store:
            numbers = papers.remember(store, records)
            selection: dict[int, ExportedPaper] = {
                number: ExportedPaper(paper, run) for number, paper in zip(numbers, records, strict=True)
            }
            return export_papers(store, selection, options, self.settings.places.locks).notes


def _end(
    state: "SummaryState", run: str, files: _Files, chosen_sources: tuple[str, ...], flags: RunFlags, strict: bool
) -> int:
    from agents.summary.events import ROOT
    from spar_tui.cli.running import print_gaps
    from spar_tui.reports.json_summary import summary_object
    from spar_tui.source_phrases import is_out_of_time, is_unanswered, nothing_found_text

    # The bibliography first, because the text cites by its keys.
    lines = files.write_bibliography(state, run) if files.bib else []
    text = files.text(state)
    if files.output:
        lines += files.write(text)
    if flags.as_json:
        say_json(summary_object(run, state))
    elif not flags.as_jsonl and not files.output:
        say(*text.splitlines())
    if state.cited and not files.output:
        with open_store(files.settings) as store:
            note_list(store, run)
    remark(*lines)
    print_gaps(state.findings, chosen_sources)
    papers = state.works_below(ROOT)
    if not papers:
        remark(nothing_found_text(state, "; try other words"))
    elif is_out_of_time(state):
        remark("the time is up; these are the results so far.")
    note(
        f"{counted(len(state.nodes) - 1, 'facet')} of {len(state.facets):,} planned, {papers_text(len(papers))} in the "
        f"tree, {len(state.cited):,} cited; run {run}"
    )
    steps = ", ".join(f"{step} {calls}" for step, calls in state.findings.calls.items() if calls)
    note(*cost_lines(state.findings.cost, f" ({steps})"))
    return list_exit_code(bool(papers), bool(state.findings.failed_sources), strict, is_unanswered(state))
