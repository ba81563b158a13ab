"""`spar log`: print the log of a search, to report and repeat it, or the steps of another run."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cache.conditions.wording import listed
from connectors.records.visible import visible
from spar_tui.cli.arguments import OutputFlags
from spar_tui.errors import Failure, UsageError
from spar_tui.phrases import with_article
from spar_tui.settings import Settings
from spar_tui.terminal import answer_style, dump, say
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from cache.runs import Event, Run


_ENDINGS = (".md", ".json", ".docx")


def log(
    run: Annotated[str, "<RUN>", "The run's id, its beginning, or `last` for the last search."] = "last",
    edit: Annotated[
        bool, "Open your editor to answer the items of PRISMA-S that spar cannot; the answers are stored."
    ] = False,
    output: Annotated[
        str, "FILE", "Write the log to FILE: .md, .json, or .docx if pandoc is installed; - prints it."
    ] = "",
    *,
    form: OutputFlags,
) -> int:
    """Print the log of a run.

    A run is a search, summary, answer, recommendation or conversation. The log of a search answers the 16 items of
    PRISMA-S: sources, dates, queries, limits, counts, duplicates and more, with PRISMA's flow of records. Add what
    only you know with --edit; `spar search --from-log FILE` runs the search again. Other logs list every step with
    its time, agent and scores."""
    from agents.run.kinds import kind_named
    from agents.search.kind import SEARCH
    from cache import runs
    from spar_tui.bibliography.pandoc import docx, need_pandoc
    from spar_tui.files import write_file
    from spar_tui.reports.board_log import MESSAGES, board_log, log_lines
    from spar_tui.reports.search_log import search_log
    from spar_tui.reports.search_log_markdown import log_markdown
    from spar_tui.reports.text_file import named_file

    ending = Path(output).suffix.lower() if output else ".json" if form.as_json else ".md"
    if ending not in _ENDINGS:
        raise UsageError(f"{output} must end in {listed(_ENDINGS, 'or')}.")
    if form.as_json and ending != ".json":
        raise UsageError(f"--json writes a .json file, not {output}.")
    if ending == ".docx":
        need_pandoc()
    settings = read_settings()
    with open_store(settings) as store:
        record = runs.get(store, runs.resolve(store, run, SEARCH.name))
        rows = runs.events(store, record.id)
    if edit:
        return _edit(settings, record, rows)
    log = board_log(record, rows) if record.kind in MESSAGES else search_log(record, rows)
    if record.kind in MESSAGES and not output:
        form.say(log, lambda style: log_lines(kind_named(record.kind), rows, style))
        return 0
    if ending == ".json":
        text = dump(log)
    elif record.kind in MESSAGES:
        steps = log_lines(kind_named(record.kind), rows, answer_style(plain=True))
        # As code, which nothing in a line can end.
        text = "\n".join([f"# The log of {record.id}", "", *(f"    {visible(line)}" for line in steps)])
    else:
        text = "\n".join(visible(line) for line in log_markdown(log).rstrip("\n").split("\n"))
    if output:
        content = docx(text) if ending == ".docx" else f"{text}\n".encode("utf-8", "replace")
        write_file(named_file(output), content, settings.places.locks)
        say(f"{output}: the log of {record.id}")
    else:
        say(*text.split("\n"))
    return 0


def _edit(settings: Settings, run: "Run", rows: "Sequence[Event]") -> int:
    """Store the person's answers in the form of a search's report."""
    from agents.search.events import ReportEdited
    from agents.search.kind import SEARCH
    from cache import runs
    from spar_tui.editor import check_terminal, edited, editor
    from spar_tui.reports.search_items import FIELDS, answers_in, form_text, missing_headings

    if run.kind != SEARCH.name:
        raise UsageError(f"--edit is for searches; {run.id} is {with_article(run.kind)}.")
    check_terminal("write the log with --output FILE and add your answers to that file")
    before = SEARCH.replayed(rows).report
    form = edited(editor(), form_text(run.id, run.question, before), f"report {run.id}")
    if missing := missing_headings(form):
        say(form)
        headings = ", ".join(f"[{item}]" for item in missing)
        raise Failure(f"the form lacks the headings {headings}, so nothing was changed. Your text is printed above.")
    after = answers_in(form)
    if after == before:
        say("nothing was changed.")
        return 0
    event = ReportEdited(tuple(sorted(after.items())))
    with open_store(settings) as store:  # opened anew, because a person may write for hours
        runs.extend(store, run.id, [runs.Post(*SEARCH.codec.encode(event))])
    items = ", ".join(map(str, after)) or "none"
    say(f"{run.id}: you answer {len(after)} of {len(FIELDS)} items of PRISMA-S (items {items}).")
    return 0
