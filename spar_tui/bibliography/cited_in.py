"""Find what a document cites: the keys in LaTeX, Markdown, Typst or Org files and the files that they include, in an
.aux file, or in biber's .bcf."""

import functools
import heapq
import html
import itertools
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from cache.paths import resolved
from spar_tui.bibliography.reading.files import standard_input
from spar_tui.errors import Failure, UsageError
from spar_tui.terminal import DASH


class Markup(NamedTuple):
    """Syntax of a markup language: patterns for what is not text, for citations (group `key`, or `keys` with
    separators), for included files (group `file`), and for labels in the document (group `label`). If citations are
    `bracketed`, all text in their brackets belongs to them."""

    unread: re.Pattern[str]
    citing: re.Pattern[str]
    labels: re.Pattern[str] | None = None
    bracketed: bool = False


class TakenIn(NamedTuple):
    """A file that a document includes, and its folder, if given; an `optional` file may be missing."""

    name: str
    folder: str = ""
    optional: bool = False


_PANDOC = Markup(
    re.compile(
        r"^(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^(?P=fence)|\Z)|(?<!`)(?P<tick>`++).*?(?<!`)(?P=tick)(?!`)"
        r"|<!--(?:(?!<!--).)*?-->"
        r"|<https?://[^<>\s]*>|\]\([^()\s]*\)",
        re.DOTALL | re.MULTILINE,
    ),
    re.compile(
        r"(?<![\w\\@./])@(?:\{(?P<braced>[^{}\s]+)\}|(?P<key>\*|\w(?:[\w]|[:.#$%&+?<>~/-](?=\w))*))"
        r"|\{\{<\s*include\s+(?P<file>[^\s>]+)\s*>\}\}"
    ),
    re.compile(r"\{#(?P<label>[\w:.-]+)"),
    bracketed=True,
)
_TYPST_COMMENT = functools.reduce(lambda inner, _: rf"/\*(?>(?:{inner}|(?!\*/).)*)(?:\*/|\Z)", range(6), r"(?!)")
"""A comment, which may contain comments; if it is not closed, it ends with the text."""
_TYPST = Markup(
    re.compile(
        rf"{_TYPST_COMMENT}|(?<!:)//[^\n]*|(?<!`)(?P<tick>`{{3,}}+).*?(?P=tick)|`[^`]*`|https?://\S+"
        r"|#import\s+\"[^\"\n]*\"",
        re.DOTALL,
    ),
    re.compile(
        r"(?<![\w\\@./])@(?P<key>\w(?:[\w]|[:.-](?=\w))*)(?:\[[^\[\]]*\])?"
        r"|(?:#|\b)cite\(\s*(?:<(?P<braced>[^<>\s]+)>|label\(\"(?P<keys>[^\"]+)\"\))(?:[^()]*\))?"
        r"|#include\s+\"(?P<file>[^\"]+)\""
    ),
    re.compile(r"(?<!cite\()<(?P<label>[\w:.-]+)>"),
)
_ORG = Markup(
    re.compile(
        r"^[ \t]*#\+begin_(?P<block>src|example|comment|export)\b(?:(?!#\+begin_).)*?^[ \t]*#\+end_(?P=block)\b"
        r"|^[ \t]*[#:](?:[ \t][^\n]*|$)"
        r"|(?<![\w=])=[^\s=](?:[^=\n]*[^\s=])?=(?!\w)|(?<![\w~])~[^\s~](?:[^~\n]*[^\s~])?~(?!\w)",
        re.DOTALL | re.MULTILINE | re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\[)\[cite(?:/[\w/-]+)?:(?P<cited>[^\[\]]*)\]"
        r"|\[\[[a-z]*cite[a-z]*\*?:(?P<linked>[^\[\]]*&[^\[\]]*)\]"
        r"|\b(?:[a-zA-Z]*cite[a-zA-Z]*\*?):(?P<keys>&?[\w:./-]+(?:[,;]&?[\w:./-]+)*)"
        r"|^[ \t]*#\+include:[ \t]*\"?(?P<file>[^\s\"]+)",
        re.MULTILINE | re.IGNORECASE,
    ),
)
_IN_ORG = re.compile(r"[@&]([^\s;\]@&,]*[^\s;\]@&,.:?!])")
MARKUPS = {
    **dict.fromkeys((".md", ".markdown", ".qmd", ".rmd"), _PANDOC), ".typ": _TYPST, ".org": _ORG,
}  # fmt: skip
"""The languages by file suffix."""
_CROSS_REFERENCE = re.compile(r"(?:fig|tbl|tab|sec|eq|lst|thm|lem|cor|prp|cnj|def|exm|exr|nte|tip|wrn|imp|cau)[-:]")
"""Labels of places in a document in Quarto and pandoc-crossref."""


def parts_in_markup(text: str, markup: Markup) -> Iterator[str | TakenIn]:
    """Yield the lists of keys that a document cites and the files that it includes, in order."""
    for _, _, part in parts_with_places(markup_text(text, markup), markup):
        yield part


def markup_text(text: str, markup: Markup) -> str:
    """Return `text` without what is not text, such as code and comments; line numbers stay the same."""
    bare = markup.unread.sub(lambda match: " " + "\n" * match[0].count("\n"), text)
    return _without_indented_code(bare) if markup is _PANDOC else bare


_CONTAINER = re.compile(
    r"(?:[-*+]|\(?(?:\d{1,9}|[#@A-Za-z]|[ivxlc]{1,6})[.)])[ ]{1,4}(?=\S)|(?:\[\^[^\[\]]+\]:|[:~]) *"
)
"""The start of a list item, of a footnote, or of a definition, which may go on in indented paragraphs."""
_MOST_INDENTED = 4


def _without_indented_code(text: str) -> str:
    """Empty the lines of indented code: after a blank line, four columns deeper than the text of the list item that
    they could belong to."""
    lines, inside, blank, code = text.expandtabs(_MOST_INDENTED).split("\n"), [0], True, False
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(" "))
        if depth == len(line):
            blank = True
            continue
        while blank and len(inside) > 1 and depth < inside[-1]:
            inside.pop()
        code = depth >= inside[-1] + _MOST_INDENTED and (blank or code)
        if code:
            lines[number] = ""
        elif item := _CONTAINER.match(line, depth):
            inside = [column for column in inside if column <= depth]
            inside.append(depth + _MOST_INDENTED if item[0][0] in "[:~" else item.end())
        blank = False
    return "\n".join(lines)


def parts_with_places(bare: str, markup: Markup) -> Iterator[tuple[int, int, str | TakenIn]]:
    """Like `parts_in_markup`, with the start and end of each part in the result of `markup_text`."""
    labels = {match["label"] for match in markup.labels.finditer(bare)} if markup.labels else set[str]()
    for match in markup.citing.finditer(bare):
        if part := _part(match, markup, labels):
            yield match.start(), match.end(), part


def _part(match: re.Match[str], markup: Markup, labels: Collection[str]) -> str | TakenIn:
    """Return the keys or the file of a match; "" for a label in the document itself."""
    groups = {name: value for name, value in match.groupdict().items() if value}
    if "file" in groups:
        return TakenIn(groups["file"])
    if words := groups.get("cited") or groups.get("linked"):
        return ",".join(_IN_ORG.findall(words))
    if "keys" in groups:
        return groups["keys"].replace("&", "").replace(";", ",").rstrip(".:")
    if "braced" in groups:
        return groups["braced"]
    key = groups.get("key", "")
    return "" if key in labels or (markup is _PANDOC and _CROSS_REFERENCE.match(key)) else key


LARGEST = 20_000_000
"""Maximum number of bytes read from one file."""
MOST_FILES = 2_000

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
_UNREAD = re.compile(r"\\begin\{(verbatim\*?|lstlisting|minted|comment|Verbatim)\}|\\(iffalse)\b")
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^\w\s{*])[^\n]*?\1")
_TAKEN_IN = re.compile(
    r"\\(?:InputIfFileExists|input|include|subfile|subfileinclude|loadglsentries)(?![A-Za-z@])\s*(?:\{([^{}]*)\}|([^\s{}\\]+))"
    r"|\\(?:sub)?(?:import|includefrom|inputfrom)(?![A-Za-z@])\*?\s*\{([^{}]*)\}\s*\{([^{}]*)\}"
)
_MAY_BE_MISSING = re.compile(r"\\(Input)?IfFileExists\s*\{([^{}]*)\}")
_CITING = re.compile(
    r"\\(?:([A-Za-z]*[Cc]ite[A-Za-z]*|[a-z]*(?:text|block)cquote|bibentry)\*?|begin\{display(cquote)\*?\})(?=[\s\[{(<])"
)
"""A citation command of biblatex, natbib, apacite or csquotes, or a person's own command with such a name."""
_NO_CITING = re.compile(
    r"(?:declare|at(?:every|next)|if|set|new|renew|provide|mkbib|mcite|bib(?!entry)).*|.*(?:style|delim|punct|setup|counter|reset)"
    r"|cite(?:text|numfont|form|left|right|mid|sort|skip|command)|citeindex(?:true|false)|citetracker(?:true|false)",
    re.IGNORECASE,
)
"""Commands with such names that take no keys: `\\citetext` prints text, `\\AtEveryCite` runs code."""
_KEY_IS_SECOND = re.compile(r"(?:[pfsta]|ft)?volcites?|(?:foreign|hyphen)(?:text|block)cquote", re.IGNORECASE)
"""The commands with a volume or a language before the keys."""
_OPTION = re.compile(r"\s*(?:\[(?:[^\[\]{}]|\{[^{}]*\}|\[[^\[\]]*\])*\]|\([^(){}]*\)|<[^<>]*>)")
_KEYS = re.compile(r"\s*\{([^{}]*)\}")
_COMMAND = re.compile(r"\\([A-Za-z@]+)\*?(?=[\s\[{(<])")
_ARGUMENT = re.compile(r"\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
OwnCommands = dict[str, tuple[int, ...]]
"""The commands that a document defines to cite, with the places (from 0) of the arguments that are keys."""
_IN_AUX = re.compile(r"\\citation\{([^{}]*)\}|\\abx@aux@cite(?:\{\d+\})?\{([^{}]*)\}|\\@input\{([^{}]*)\}")
_IN_BCF = re.compile(r"<bcf:citekey\b([^>]*)>([^<]*)</bcf:citekey>")
_CONTROLS = ("biblatex-control", "REVTEX41Control", "REVTEX42Control", "apsrev41Control", "apsrev42Control")


@dataclass(slots=True)
class CitedKeys:
    """The keys that a document cites, in order, without duplicates; `everything` if it cites the whole bibliography
    (`\\nocite{*}`). `missing` maps included files that cannot be read to the reason."""

    keys: dict[str, None] = field(default_factory=dict)
    everything: bool = False
    missing: dict[str, str] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)

    def add(self, key_text: str) -> None:
        for key in (raw.strip() for raw in key_text.split(",")):
            if key == "*":
                self.everything = True
            elif key and "#" not in key and key not in _CONTROLS:  # "#1" occurs in definitions of commands
                self.keys.setdefault(" ".join(key.split()))


def cited_in(file: Path, *, outside: bool = True) -> CitedKeys:
    """Return the keys that the document `file` cites; `-` is standard input. The suffix selects the parser; for
    standard input, the text selects it, and included files are read from the current folder. Set `outside` to False for
    an untrusted document: then no file outside its folder is opened. Raises `UsageError`, `Failure`."""
    suffix = file.suffix.lower()
    if str(file) != DASH and suffix not in (".tex", ".ltx", ".latex", ".aux", ".bcf", *MARKUPS):
        suffixes = ", ".join((".tex", ".aux", ".bcf", *MARKUPS))
        raise UsageError(f"citations can be read from {suffixes} files, not from {file}.")
    keys = CitedKeys()
    text = _decoded(standard_input()) if str(file) == DASH else document_text(file)
    if str(file) == DASH:
        suffix = ".bcf" if "<bcf:controlfile" in text else ".aux" if text.startswith("\\relax") else ".tex"
    if suffix == ".bcf":
        for kind, key in _IN_BCF.findall(text):
            if 'type="set"' not in kind:
                keys.add(html.unescape(key))
    else:
        _follow(file, text, keys, suffix, outside)
    return keys


def is_inside(folder: Path, file: Path) -> bool:
    """Whether `file`, after following links, is in `folder` or below it."""
    try:
        return resolved(file).is_relative_to(resolved(folder))
    except (OSError, ValueError):
        return False


def _follow(main: Path, text: str, keys: CitedKeys, suffix: str, outside: bool) -> None:
    """Read `main` and, at the place where it is included, each further file once."""
    seen = {resolved(main)}
    keys.files.append(main)
    commands: OwnCommands = {}
    parts = [_parts(text, suffix, commands)]
    while parts:
        part = next(parts[-1], None)
        if part is None:
            parts.pop()
        elif isinstance(part, str):
            keys.add(part)
        else:
            file = _found(main.parent, part, suffix)
            if not outside and not is_inside(main.parent, file):
                keys.missing[part.name] = f"{part.name} is outside the folder of {main.name}, so spar does not open it."
                continue
            if resolved(file) in seen:
                continue
            if len(seen) >= MOST_FILES:
                raise Failure(f"{main} includes more than {MOST_FILES:,} files.")
            seen.add(resolved(file))
            try:
                parts.append(_parts(document_text(file), suffix, commands))
                keys.files.append(file)
            except (Failure, UsageError) as error:
                if not (part.optional and not file.exists()):
                    keys.missing[part.name] = str(error)


def _parts(text: str, suffix: str, commands: OwnCommands) -> Iterator[str | TakenIn]:
    """Yield the lists of keys and the included files, in the order of the text. Adds its definitions to `commands`."""
    if markup := MARKUPS.get(suffix):
        yield from parts_in_markup(text, markup)
        return
    if suffix == ".aux":
        for citation, newer, file in _IN_AUX.findall(text):
            yield TakenIn(file) if file else citation or newer
        return
    bare = tex_text(text)
    optional = {name.strip() for _, name in _MAY_BE_MISSING.findall(bare)}
    commands |= own_commands(bare)
    for match in heapq.merge(_TAKEN_IN.finditer(bare), _citing(bare), key=re.Match.start):
        if match.re is not _TAKEN_IN:
            yield from (keys[1] for keys in _keys_of(match, bare, commands))
        elif name := (match[1] or match[2] or match[4] or "").strip(' "'):
            yield TakenIn(name, (match[3] or "").strip(' "'), bool({name, f"{name}.tex"} & optional))


def tex_text(text: str) -> str:
    """Return the text that LaTeX typesets: without comments and verbatim text, up to the end of the document. Line
    numbers stay the same; a line with only a comment does not become empty, because it ends no paragraph."""
    bare = _without_unread("\n".join(map(_without_comment, text.splitlines())))
    return bare.partition("\\end{document}")[0]


def tex_citations(bare: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and keys of each citation in a result of `tex_text`. Commands that print no citation
    (`\\nocite`) are skipped."""
    commands = own_commands(bare)
    for match in _citing(bare):
        if keys := list(_keys_of(match, bare, commands)) if match[1] != "nocite" else []:
            yield match.start(), keys[-1].end(), ",".join(key[1] for key in keys)


def _without_comment(line: str) -> str:
    line_text = _COMMENT.sub(r"\1", line)
    return line_text if line_text.strip() or not line.strip() else "\N{NO-BREAK SPACE}"


def _without_unread(text: str) -> str:
    """Remove verbatim and skipped parts of `text`, except those without an end."""
    parts, position = list[str](), 0
    unended = set[str]()
    for opening in _UNREAD.finditer(text):
        end = f"\\end{{{opening[1]}}}" if opening[1] else "\\fi"
        if opening.start() < position or end in unended:
            continue
        end_at = text.find(end, opening.end())
        if end_at < 0:
            unended.add(end)
            continue
        parts.append(text[position : opening.start()] + "\n" * text.count("\n", opening.start(), end_at))
        position = end_at + len(end)
    return _VERB.sub(" ", " ".join((*parts, text[position:])))


def own_commands(bare: str) -> OwnCommands:
    """Return the commands defined in a result of `tex_text` that cite, with the places of their keys."""
    commands: OwnCommands = {}
    for name, required, body in definitions(bare):
        key_lists = (keys[1] for match in _citing(body) for keys in _keys_of(match, body, commands))
        cited_names = {key.strip() for keys in key_lists for key in keys.split(",")}
        alias = _CITING.match(f"{body} ")
        if alias and alias.end() == len(body):
            commands[name] = (0,)
        elif places := tuple(number for number, argument in enumerate(required) if argument in cited_names):
            commands[name] = places
    return commands


def _citing(bare: str) -> Iterator[re.Match[str]]:
    """Yield the commands that may cite, in the order of the text: those with names for citing, then every command,
    because the document may define it."""
    return heapq.merge(_CITING.finditer(bare), _COMMAND.finditer(bare), key=re.Match.start)


def _keys_of(match: re.Match[str], text: str, commands: OwnCommands) -> Iterator[re.Match[str]]:
    """Yield the key lists of a match of `_citing`, by its definition if it is one of the document's `commands`."""
    if match.re is _CITING and match[1] not in commands:
        yield from _keys_after(match[1] or match[2], text, match.end())
    elif match.re is _COMMAND and match[1] in commands:
        position = match.end()
        for number in range(max(commands[match[1]]) + 1):
            while option := _OPTION.match(text, position):
                position = option.end()
            if (argument := _ARGUMENT.match(text, position)) is None:
                return
            position = argument.end()
            if number in commands[match[1]]:
                yield argument


def _keys_after(command: str, text: str, position: int) -> Iterator[re.Match[str]]:
    """Yield the key lists of a command: one, or for `\\cites` and the like all that follow."""
    if _NO_CITING.fullmatch(command):
        return
    second, several = _KEY_IS_SECOND.fullmatch(command) is not None, command.lower().endswith("cites")
    for count in itertools.count(1):
        while option := _OPTION.match(text, position):
            position = option.end()
        keys = _KEYS.match(text, position)
        if keys is None:
            return
        position = keys.end()
        if second and count % 2:
            continue
        yield keys
        if not several:
            return


def _found(folder: Path, part: TakenIn, suffix: str) -> Path:
    """Return the path of an included file: LaTeX starts in the main file's folder, and adds the suffix."""
    file = folder / part.folder / part.name
    has_document_name = suffix == ".aux" or suffix in MARKUPS or (file.suffix and file.is_file())
    return file if has_document_name else file.with_name(f"{file.name}.tex")


def document_text(file: Path) -> str:
    """Return the text of a document's file. Raises `UsageError`, `Failure`."""
    try:
        if file.is_dir():
            raise UsageError(f"{file} is a folder.")
        with file.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise UsageError(f"no such file: {file}.") from None
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from None
    if len(data) > LARGEST:
        raise Failure(f"{file} is larger than {LARGEST // 1_000_000} MB, so it is not read.")
    return _decoded(data)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


_DEFINING = re.compile(
    r"\\(?:(?:(?:re)?new|provide)command\*?\s*+\{?\s*+\\(?P<name>[A-Za-z@]+)\s*+\}?\s*+"
    r"(?:\[(?P<number>\d)\]\s*+(?P<default>\[[^\[\]]*\])?)?"
    r"|(?:New|Renew|Provide|Declare)DocumentCommand\s*+\{?\s*+\\(?P<new>[A-Za-z@]+)\s*+\}?\s*+"
    r"\{(?P<kinds>(?>(?:[^{}]|\{[^{}]*\})*))\}"
    r"|(?:protected\s*+)?[gex]?def\s*+\\(?P<plain>[A-Za-z@]+)\s*+(?P<parameters>(?:#\d)*)"
    r"|let\s*+\\(?P<alias>[A-Za-z@]+)\s*+=?\s*+(?=\\[A-Za-z@]))\s*+(?P<body>\{|\\[A-Za-z@]+)"
)
_MARK = re.compile(r"\\[\\{}]|[{}]")
LONGEST = 1_000
"""Maximum number of characters of a definition."""


class Definition(NamedTuple):
    """A command, the names (`#2`) of its required arguments in order, and what it stands for."""

    name: str
    required: tuple[str, ...]
    body: str


def definitions(tex: str) -> Iterator[Definition]:
    """Yield the commands that `tex` defines."""
    for match in _DEFINING.finditer(tex):
        begin = match.start("body")
        body = match["body"] if match["body"] != "{" else _in_braces(tex[begin : begin + LONGEST])
        if match["new"]:
            kinds = re.findall(r"[A-Za-z]", re.sub(r"\{[^{}]*\}", "", match["kinds"]))
            required = tuple(f"#{number}" for number, kind in enumerate(kinds, 1) if kind in "mv")
        elif match["number"]:
            first = 2 if match["default"] else 1
            required = tuple(f"#{number}" for number in range(first, int(match["number"]) + 1))
        else:
            required = tuple(re.findall(r"#\d", match["parameters"] or ""))
        yield Definition(match["name"] or match["new"] or match["plain"] or match["alias"], required, body)


def _in_braces(text: str) -> str:
    """Return what the braces at the beginning of `text` enclose; "" if they are not closed."""
    depth = 0
    for mark in _MARK.finditer(text):
        depth += (mark[0] == "{") - (mark[0] == "}")
        if depth == 0:
            return text[1 : mark.start()]
    return ""
