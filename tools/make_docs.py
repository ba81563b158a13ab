"""Write docs/{commands,settings,keys}.md and docs/spar.1 from the program: `python tools/make_docs.py [--check]`.

In docs/{sources,privacy,search}.md it writes the tables between `<!-- from the program: NAME -->` and `<!-- end -->`.
With --check nothing is written; the exit code is 1 if a page does not say what the program says.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import Any

from typer import Context
from typer.core import TyperGroup
from typer.main import get_command

from agents.llm.config import HOSTED
from cache.conditions.orders import OF_LIBRARY
from cache.conditions.orders import ROWS as ORDERS
from cache.conditions.scopes import SHELF
from cache.conditions.table import ROWS as CONDITIONS
from cache.conditions.table import Knows
from connectors.capability import Capability
from connectors.http.limits import RateLimit
from connectors.pdf.fetching import WHOLE as PDF
from connectors.registry import LOCATORS, SOURCES, is_searchable
from connectors.spec import SourceSpec
from connectors.zotero.client import ADDRESS as ZOTERO
from spar_tui.cli.app import app
from spar_tui.settings import Preferences, key_variables
from spar_tui.tui.commands import COMMANDS, context_title
from spar_tui.tui.keymap import SENT_ALIKE, normal

DOCS = Path(__file__).parents[1] / "docs"
GENERATED = "<!-- Written by tools/make_docs.py from the program; change the program, then run `make docs`. -->"


def commands_page() -> str:
    """Every verb's `--help`, one after the other."""
    command = get_command(app)
    assert isinstance(command, TyperGroup)
    parts = [GENERATED, "# Commands", "", *_help()]
    for called, _ in _verbs(command, ""):
        words = called.split()
        parts += ["", f"{'#' * (len(words) + 1)} spar {' '.join(words)}", "", *_help(*words)]
    return "\n".join(parts) + "\n"


def manual_page() -> str:
    """The page that `man spar` shows: every verb with its arguments and options, settings and exit codes."""
    command = get_command(app)
    assert isinstance(command, TyperGroup)
    lines = [
        r".\" Written by tools/make_docs.py from the program; change the program, then run `make docs`.",
        '.TH SPAR 1 "" "spar" "User Commands"',
        ".SH NAME",
        r"spar \- a research desk for the terminal",
        ".SH SYNOPSIS",
        ".B spar",
        ".br",
        ".B spar",
        r"\fIVERB\fR [\fIOPTION\fR ...] [\fIARGUMENT\fR ...]",
        ".SH DESCRIPTION",
        _roff(command.help or ""),
        "Alone it opens the app.",
        ".SH VERBS",
    ]
    for name, verb in _verbs(command, "spar"):
        with Context(verb, info_name=name) as context:
            lines += _manual_entry(name, verb, context)
    lines += [".SH EXIT STATUS"]
    for code, meaning in EXIT_CODES:
        lines += [".TP", f".B {code}", _roff(meaning)]
    lines += [".SH ENVIRONMENT"]
    for variable, meaning in ENVIRONMENT:
        lines += [".TP", f".B {variable}", _roff(meaning)]
    lines += [".SH FILES", "Where settings, database and log are:", '.BR "spar doctor" .']
    return "\n".join(lines) + "\n"


EXIT_CODES = (
    ("0", "Done."),
    ("1", "Failed."),
    ("2", "Wrong usage, or input that cannot be read."),
    ("3", "Nothing found, though every source that was asked answered."),
    ("4", "With --strict: some source failed."),
    ("130", "Interrupted; the run is kept, and its id is printed."),
)
ENVIRONMENT = (
    ("SPAR_HOME", "One folder for settings and database."),
    ("NO_COLOR", "No colors."),
    *((variable, "A key; see the page on settings.") for variable in key_variables().values()),
    ("SPAR_MODEL", "The language model's name."),
    ("OPENAI_BASE_URL", "The address of the language model's API."),
    *((spec.url_variable, f"Another address for {spec.title}.") for spec in SOURCES.values()),
)


def _verbs(command: TyperGroup, above: str) -> Iterator[tuple[str, Any]]:
    for name, verb in command.commands.items():
        yield f"{above} {name}", verb
        if isinstance(verb, TyperGroup):
            yield from _verbs(verb, f"{above} {name}")


def _manual_entry(name: str, command: Any, context: Any) -> list[str]:
    """A section of the manual: how the verb is called, what it does, and its parameters one by one."""
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f'.SS "{_roff(name)}"', rf"\fB{_roff(name)}\fR {_roff(usage)}", ".PP"]
    lines += [_roff(" ".join(part.split())) + "\n.PP" for part in (command.help or "").split("\n\n")][:-1]
    lines += [_roff(" ".join((command.help or "").split("\n\n")[-1].split()))]
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            lines += [".TP", rf"\fB{_roff(record[0])}\fR", _roff(" ".join(record[1].split()))]
    return lines


def _roff(text: str) -> str:
    """`text` as roff shows it: no letter of it is a command, a dash is one that can be copied, and all are ASCII, which
    is what every roff reads."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq")
    escaped = "".join(letter if letter.isascii() else rf"\[u{ord(letter):04X}]" for letter in escaped)
    return r"\&" + escaped if escaped[:1] in (".", "'") else escaped


def settings_page() -> str:
    """Settings, keys and addresses with their meaning."""
    default = Preferences()
    titles = {service.name: service.title for spec in SOURCES.values() for service in spec.services}
    lines = [GENERATED, "# Settings", ""]
    lines += [
        "A flag overrides the environment, the environment overrides `config.toml`, and that overrides the default.",
        "",
    ]
    lines += ["| in `config.toml` | default | meaning |", "|---|---|---|"]
    for setting in fields(Preferences):
        value = _toml(getattr(default, setting.name))
        lines.append(f"| `{setting.name}` | {f'`{value}`' if value else 'unset'} | {setting.metadata['says']} |")
    lines += ["", "| in the environment | meaning |", "|---|---|"]
    lines.append("| `SPAR_HOME` | one folder for settings and database |")
    lines.append(
        "| `SPAR_MANNERS` | the folder in which all your `spar` processes, whatever their `SPAR_HOME`, note how often "
        "each service may be asked; without it your platform's folder for a program's state |"
    )
    lines.append("| `NCBI_EMAIL` | your mail address, as `ncbi_email` above |")
    lines += [
        f"| `{variable}` | key for {titles.get(name, 'the language model')} (or in the keyring, service `spar`) |"
        for name, variable in key_variables().items()
    ]
    lines.append("| `SPAR_MODEL` | the language model's name, as `model` above |")
    lines.append("| `SPAR_EMBEDDING_MODEL` | the model for text vectors, as `embedding_model` above |")
    lines.append(
        "| `SPAR_SEMANTIC_FOLDER` | the folder of a model that compares meanings, as `semantic_folder` above |"
    )
    lines.append("| `OPENAI_BASE_URL` | the address of the language model's API, as `model_url` above |")
    lines += [
        f"| `{spec.url_variable}` | another address for {_answerer(spec)}: a proxy, a mirror, a test |"
        for spec in (*SOURCES.values(), *LOCATORS.values())
    ]
    lines.append("| `SPAR_ZOTERO_URL` | another address for the Zotero on this machine |")
    lines.append("| `NO_COLOR` | no colors |")
    lines.append("| `BROWSER` | the program that `spar open` hands addresses to |")
    lines += ["", "Keys of the app are changed in a table `[keys]`; see [keys](keys.md)."]
    return "\n".join(lines) + "\n"


def _answerer(spec: SourceSpec) -> str:
    """Whom an address is of: the source itself, or the provider that answers for it."""
    return f"{spec.title}'s provider" if len(spec.services) > 1 else spec.title


def keys_page() -> str:
    """Every command of the app with its keys, by where it can be used."""
    lines = [GENERATED, "# Keys of the app", ""]
    lines += [
        "`?` in the app shows the same, for the pane you are in first; `ctrl+p` finds a command by a few letters.",
        "",
        "Any command can have other keys, by its name in `config.toml`:",
        "",
        "```toml",
        "[keys]",
        '"search.pause" = "Z"',
        '"app.help" = ["f1", "ctrl+b"]',
        "```",
        "",
        "A name that is unknown, two commands on one key in the same place, and keys that terminals cannot tell apart",
        f"({', '.join(sorted(map(_shown, SENT_ALIKE)))}) are named when the app starts; the other keys work.",
    ]
    for context, commands in COMMANDS.items():
        lines += ["", f"## {context_title(context)}", "", "| keys | does | name |", "|---|---|---|"]
        for command in commands:
            keys = " ".join(f"`{_shown(key)}`" for key in command.keys) or "by the palette"
            lines.append(f"| {keys} | {command.help} | `{command.id}` |")
    return "\n".join(lines) + "\n"


def _shown(key: str) -> str:
    """A key as it is written on it; `|` would end the column of a table."""
    modifiers, _, name = key.rpartition("+")
    character = next((letter for letter in map(chr, range(33, 127)) if normal(letter) == name), name)
    return (f"{modifiers}+" if modifiers else "") + character.replace("|", "pipe")


def hosts_table() -> str:
    """Every service that spar can contact, its address, and the variable that changes the address."""
    rows = [
        (service.title, f"`{service.address}`", f"`{spec.url_variable}`")
        for spec in (*SOURCES.values(), *LOCATORS.values())
        for service in spec.services
    ]
    rows += [
        (
            "a language model, if you set one up",
            f"the address you give, else `{HOSTED}`",
            "`OPENAI_BASE_URL`, `model_url`",
        ),
        ("hosts of open-access PDFs", "the address in the paper's record, or `https://arxiv.org`", ""),
        ("Zotero on this machine, if you use it", f"`{ZOTERO}`", "`SPAR_ZOTERO_URL`"),
    ]
    return _table(("service", "address", "changed by"), rows)


def sources_table() -> str:
    """What each source is called and can be asked for."""
    rows = [
        (
            f"[{spec.title}](#{_anchor(spec.title)})",
            f"`{spec.name}`",
            ", ".join(_REQUESTS.get(one, one) for one in Capability if one in spec.capabilities),
            ", ".join(spec.schemes) or "none",
            _asked_of(spec),
        )
        for spec in SOURCES.values()
    ]
    return _table(("source", "name", "requests", "identifiers", "asked about"), rows)


_REQUESTS = {
    Capability.SEARCH_ADDED: "search by day of addition",
    Capability.LAST_LOOKUP: "lookup as a last resort",
    Capability.LISTS_REFERENCES: "reference lists in looked-up records",
    Capability.CITING_ANY: "papers citing any of several",
}


def pace_table() -> str:
    """The rate limit of each source, its timeout and tries, and its pauses."""
    rows = [
        (f"{spec.title}{whose}", _pace(limit), f"{_seconds(limit.deadline)}, {_times(limit.tries)}", _rest(limit))
        for spec in (*SOURCES.values(), *LOCATORS.values())
        for whose, limit in _limits(spec)
    ]
    rows.append(("PDFs, each host", _pace(PDF), f"{_seconds(PDF.deadline)}, {_times(PDF.tries)}", _rest(PDF)))
    return _table(("source", "rate limit", "timeout, tries", "pause"), rows)


def keys_table() -> str:
    """The key of each service, and what works without it."""
    rows = [
        (service.title, f"`{variable}`" if (variable := service.key_variable) else "no keys", _without(spec, variable))
        for spec in SOURCES.values()
        for service in spec.services
    ]
    return _table(("service", "variable", "without a key"), rows)


def _without(spec: SourceSpec, variable: str) -> str:
    if not variable:
        return "works"
    if spec.needs_key:
        return "off" + (", unless the other has a key" if len(spec.services) > 1 else "")
    return "works, more slowly" if spec.rate_limit_with_key else "works, with a lower limit"


def _asked_of(spec: SourceSpec) -> str:
    scope = spec.scope
    if not is_searchable(spec.name):
        return "not searched"
    named = ["papers named by title or DOI"] if scope.named_paper else []
    named += ["papers named by its identifiers"] if scope.own_identifier else []
    unclear = ["unclear ones"] if scope.unclear_field else []
    vague = ["vague questions"] if scope.vague_question else []
    fields = [*([scope.subjects] if scope.subjects else []), *scope.fields]
    subjects = "all" if scope.always else "; ".join([", ".join([*fields, *unclear]), *vague, *named]).lstrip("; ")
    return f"{subjects}, only if you name it" if spec.optional else subjects


def _limits(spec: SourceSpec) -> Iterator[tuple[str, RateLimit]]:
    yield "", spec.rate_limit
    if spec.rate_limit_with_key:
        yield ", with a key", spec.rate_limit_with_key
    if spec.rate_limit_with_email:
        yield ", with your mail address", spec.rate_limit_with_email


def _pace(limit: RateLimit) -> str:
    if limit.window:
        return f"{limit.in_flight} requests in any {limit.window:g} s, {limit.gap:g} s apart"
    if limit.in_flight > 1:
        return f"a request every {limit.gap:g} s, {limit.in_flight} at a time"
    gaps = [f"{gap:g} s after {part}" for part, gap in limit.gaps.items()] or [f"{limit.gap:g} s after the last"]
    return "one at a time, " + ", ".join(gaps)


def _rest(limit: RateLimit) -> str:
    slow = f"; {_seconds(limit.rate_limited_rest)} after a rate-limit error" if limit.rate_limited_rest else ""
    failures = "a failure" if limit.failures == 1 else f"{limit.failures} failures in a row"
    return f"{_seconds(limit.rest)} after {failures}{slow}"


def _seconds(seconds: float) -> str:
    return f"{seconds / 60:g} min" if seconds >= 120 else f"{seconds:g} s"


def _times(tries: int) -> str:
    return "1 try" if tries == 1 else f"{tries} tries"


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def conditions_table() -> str:
    """What a filter can say, each condition with where it can be asked."""
    rows = [
        ('`words` `"a phrase"`', f"Each word, or these words in a row, in {SHELF.texts}.", _ASKED["paper"]),
        *((f"`{_cell(row.example)}`", _cell(row.meaning), _ASKED[row.knows]) for row in CONDITIONS if row.example),
        ("`-term`", "Papers that do not match the term.", _ASKED["paper"]),
        ("`author:a\\|b`", "One of several values; works in every term with a value.", _ASKED["paper"]),
    ]  # fmt: skip
    return _table(("term", "papers", "where"), rows)


_ASKED: dict[Knows, str] = {
    "paper": "everywhere", "shelf": "everywhere", "search": "in a search", "library": "shelf, library",
}  # fmt: skip


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def orders_table() -> str:
    """In which orders papers are listed, with their other names."""
    rows = [
        (f"`{row.name}`", row.first, row.last, " ".join(f"`{other}`" for other, _ in row.others))
        for row in ORDERS
        if row.name in OF_LIBRARY
    ]
    return _table(("order", "sorts", "with `--reverse`", "other names"), rows)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    first, *others = (f"| {' | '.join(row)} |" for row in (head, *rows))
    return "\n".join([first, "|" + "---|" * len(head), *others])


def with_tables(page: str) -> str:
    """A page as it stands in docs, its tables written anew. Raises `KeyError` for one that nobody makes."""
    text = (DOCS / page).read_text("utf-8")
    return BETWEEN.sub(lambda match: f"{match[1]}\n{TABLES[match[2]]()}\n{match[3]}", text)


BETWEEN = re.compile(r"(<!-- from the program: (\w+) -->)\n.*?(<!-- end -->)", re.DOTALL)
TABLES = {"hosts": hosts_table, "sources": sources_table, "pace": pace_table, "keys": keys_table,
          "conditions": conditions_table, "orders": orders_table}  # fmt: skip
WITH_TABLES = ("sources.md", "privacy.md", "search.md")
PAGES = {"commands.md": commands_page, "settings.md": settings_page, "keys.md": keys_page, "spar.1": manual_page}


def _toml(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')


def _help(*verb: str) -> list[str]:
    output = StringIO()
    with redirect_stdout(output):
        app([*verb, "--help"], prog_name="spar", standalone_mode=False)
    return ["```text", output.getvalue().strip(), "```"]


def main() -> int:
    os.environ["COLUMNS"] = "100"  # so that no page depends on the terminal it is written from
    DOCS.mkdir(exist_ok=True)
    pages = {DOCS / name: make() for name, make in PAGES.items()}
    pages |= {DOCS / name: with_tables(name) for name in WITH_TABLES}
    if "--check" in sys.argv:
        stale = [path.name for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text]
        print("out of date: " + ", ".join(stale) if stale else "docs agree with the program")
        return bool(stale)
    for path, text in pages.items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
