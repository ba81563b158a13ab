"""No regular expression of the project takes more than linear time, whatever text a stranger wrote for it.

Two forms make a search quadratic or worse. A repetition at the beginning, as in `\\s+,`, is tried anew from each
character of a run that it could match: it needs a look behind itself, `(?<!\\s)\\s+,`. Two repetitions of the same
characters side by side, as in `\\s*:?\\s*`, share a run in every possible way: the first is possessive, or what stands
between them belongs to it. Patterns that only read what a person types are left out: `LONGEST` bounds it.
"""

import ast
import importlib
import re
import re._constants as codes  # type: ignore[import-not-found]  # the trees that `re` itself makes of patterns
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tests.rows import each

ROOT = Path(__file__).parents[1]
PACKAGES = ("connectors", "cache", "agents", "spar_tui")
TYPED = ("agents.reading", "spar_tui.health.location")
"""Modules whose patterns read the person's own words, or the system's short list of mounts."""
LINEAR = {
    ("agents.builtin.query_expansion", "_WORD"): "fails only behind a letter that no other one follows in its run",
    ("cache.conditions.filters", "_TERM"): "a filter is read as far as 10,000 characters",
    ("cache.sql.reading", "_TOKEN"): "SQL has at most 10,000 characters",
}
UNBOUNDED = 1_000
ANCHORED = frozenset({"match", "fullmatch", "pattern", "flags"})
SAMPLE = [*map(chr, range(1, 256)), *"ЖéΩ漢–—…“”\u2028\u00a0٣"]
_CATEGORIES = {
    codes.CATEGORY_SPACE: r"\s", codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W", codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D",
}  # fmt: skip

Letters = frozenset[str]


class Part(NamedTuple):
    """A part of a pattern: one of `letters`; a `repeat` of what `ways` has; one of `ways`; a `look` behind or ahead; or
    an `anchor`."""

    kind: str
    letters: Letters = frozenset()
    ways: tuple[tuple["Part", ...], ...] = ()
    least: int = 0
    possessive: bool = False
    behind: bool = False
    at_word: bool = False


Parts = tuple[Part, ...]


def parts_of(tree: Any, flags: int) -> Parts:
    return tuple(part for code, value in tree for part in part_of(code, value, flags))


def part_of(code: Any, value: Any, flags: int) -> Sequence[Part]:
    if (letters := letters_of(code, value, flags)) is not None:
        return [Part("letters", letters)]
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        least, most, inner = value
        body = parts_of(inner, flags)
        if most >= UNBOUNDED:
            return [Part("repeat", ways=(body,), least=least, possessive=code is codes.POSSESSIVE_REPEAT)]
        return [Part("ways", ways=(body * least, body * (least + 1)))] if most > least else body * least
    if code is codes.SUBPATTERN:
        return parts_of(value[3], flags | value[1])
    if code is codes.ATOMIC_GROUP:
        parts = parts_of(value, flags)
        return [parts[0]._replace(possessive=True)] if [part.kind for part in parts] == ["repeat"] else parts
    if code is codes.BRANCH:
        return [Part("ways", ways=tuple(parts_of(branch, flags) for branch in value[1]))]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [Part("look", ways=(parts_of(value[1], flags),), behind=value[0] < 0)]
    if code is codes.AT:
        if value is codes.AT_BEGINNING and flags & codes.SRE_FLAG_MULTILINE:
            return [Part("letters", frozenset("\n"))]  # what stands before a line may belong to a run of line breaks
        begins = value in (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING)
        return [Part("anchor", behind=begins, at_word=value is codes.AT_BOUNDARY)]
    return [Part("anchor")]


def letters_of(code: Any, value: Any, flags: int) -> Letters | None:
    """Which characters of the sample an element of one character matches; None for any other."""
    if code is codes.ANY:
        return frozenset(letter for letter in SAMPLE if letter != "\n" or flags & codes.SRE_FLAG_DOTALL)
    if code is codes.IN:
        found = frozenset[str]().union(*(_in_set(*one) for one in value))
        found = frozenset(SAMPLE) - found if value[0][0] is codes.NEGATE else found
    elif code is codes.LITERAL:
        found = frozenset(chr(value))
    elif code is codes.NOT_LITERAL:
        found = frozenset(SAMPLE) - {chr(value)}
    else:
        return None
    return (
        frozenset(case for letter in found for case in (letter.lower(), letter.upper()))
        if flags & codes.SRE_FLAG_IGNORECASE
        else found
    )


def _in_set(code: Any, value: Any) -> Letters:
    if code is codes.LITERAL:
        return frozenset(chr(value))
    if code is codes.RANGE:
        return frozenset(letter for letter in SAMPLE if value[0] <= ord(letter) <= value[1])
    return frozenset(re.findall(_CATEGORIES[value], "".join(SAMPLE))) if code is codes.CATEGORY else frozenset()


def first_of(parts: Parts) -> tuple[Letters, bool]:
    """With what `parts` may begin, and whether they may be empty."""
    letters: Letters = frozenset()
    for part in parts:
        if part.kind == "letters":
            return letters | part.letters, False
        if part.kind in ("repeat", "ways"):
            firsts = [first_of(way) for way in part.ways]
            letters = letters.union(*(first for first, _ in firsts))
            if not any(empty for _, empty in firsts) and (part.kind == "ways" or part.least):
                return letters, False
    return letters, True


def may_fail(parts: Parts) -> bool:
    return any(
        part.kind in ("letters", "look", "anchor")
        or (part.kind == "repeat" and part.least > 0)
        or (part.kind == "ways" and all(map(may_fail, part.ways)))
        for part in parts
    )


def begins_anew(parts: Parts, before: tuple[Letters, ...] = ()) -> bool:
    """Whether a search tries an unbounded repetition anew within a run of it: all that stands `before` it fits into it,
    and what stands behind may fail."""
    for place, part in enumerate(parts):
        rest = parts[place + 1 :]
        if part.kind == "look" and part.behind:
            return False
        if part.kind == "anchor":
            word = part.at_word and all(re.match(r"\w", letter) for letter in first_of(rest)[0])
            if part.behind or word:
                return False
        if part.kind == "repeat":
            letters, _ = first_of(part.ways[0])
            if all(one & letters for one in before) and may_fail(rest):
                return True
            before = (*before, letters) if part.least else before
        if part.kind == "ways":
            return any(begins_anew((*way, *rest), before) for way in part.ways)
        if part.kind == "letters":
            before = (*before, part.letters)
            if len(before) > 3:  # a longer beginning is not made of a run
                return False
    return False


def shares_a_run(parts: Parts) -> bool:
    """Whether two unbounded repetitions side by side match the same characters."""
    for place, part in enumerate(parts):
        if part.kind != "letters" and any(map(shares_a_run, part.ways)):
            return True
        alone = part.kind == "repeat" and all(one.kind in ("letters", "ways") for one in part.ways[0])
        alone = alone and not part.possessive and _is_one_letter(part.ways[0])
        if alone and _meets(first_of(part.ways[0])[0], parts[place + 1 :]):
            return True
        if part.kind == "repeat" and all(one.kind == "repeat" for one in part.ways[0]) and not part.possessive:
            return True
    return False


def _is_one_letter(parts: Parts) -> bool:
    return len(parts) == 1 and (parts[0].kind == "letters" or all(map(_is_one_letter, parts[0].ways)))


def _meets(letters: Letters, rest: Parts) -> bool:
    for place, part in enumerate(rest):
        behind = rest[place + 1 :]
        if part.kind == "letters":
            return False
        if part.kind == "repeat":
            if _is_one_letter(part.ways[0]) and first_of(part.ways[0])[0] & letters and may_fail(behind):
                return True
            if part.least and not first_of(part.ways[0])[1]:
                return False
        if part.kind == "ways":
            return any(_meets(letters, (*way, *behind)) for way in part.ways)
    return False


def modules() -> Iterator[tuple[str, ModuleType, ast.Module]]:
    """The modules of the project that have patterns, with their trees."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if file.stem == "__main__" or name.startswith(TYPED):
                continue
            try:
                module = importlib.import_module(name)
            except ImportError:  # of an extra that is not installed
                continue
            if any(value is re or isinstance(value, re.Pattern) for value in list(vars(module).values())):
                yield name, module, ast.parse(file.read_text("utf-8"))


def patterns() -> Iterator[tuple[str, str, re.Pattern[Any], bool]]:
    """Module and name of each pattern, and whether it is searched for and not only matched from a place on."""
    for name, module, tree in modules():
        uses: dict[str, set[str]] = {}
        nodes = list(ast.walk(tree))
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                uses.setdefault(node.value.id, set()).add(node.attr)
        for variable, value in list(vars(module).items()):
            if isinstance(value, re.Pattern):
                used = uses.get(variable, set())
                yield name, variable, value, not used or bool(used - ANCHORED)
        for node in nodes:
            if isinstance(node, ast.Call) and (pattern := _inline(node, module)) is not None:
                yield name, f"line {node.lineno}", pattern, ast.unparse(node.func).split(".")[-1] not in ANCHORED


def _inline(call: ast.Call, module: ModuleType) -> re.Pattern[Any] | None:
    """The pattern of a call such as `re.sub("…", …)`, if it is not made of what only the call knows."""
    if not (isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "re" and call.args):
        return None
    if call.func.attr in ("escape", "compile"):  # what is compiled has a name
        return None
    try:
        source = eval(compile(ast.Expression(call.args[0]), "pattern", "eval"), dict(vars(module)))
    except (NameError, AttributeError):
        return None
    return source if isinstance(source, re.Pattern) else re.compile(source)


def matches_everywhere(tree: Any) -> bool:
    """Whether no possessive repeat has more than one character in it: Python before 3.11.5 gives up such a group where
    it should match (gh-106052). An atomic group, `(?>(?:…)*)`, does the same and matches."""
    for code, value in tree:
        if code is codes.POSSESSIVE_REPEAT and _is_group(value[2]):
            return False
        trees = [value] if isinstance(value, parser.SubPattern) else value if isinstance(value, tuple | list) else []
        trees = [*trees, *(value[1] if code is codes.BRANCH else [])]
        if not all(matches_everywhere(inner) for inner in trees if isinstance(inner, parser.SubPattern)):
            return False
    return True


def _is_group(tree: Any) -> bool:
    return len(tree) > 1 or any(letters_of(code, value, 0) is None for code, value in tree)


def is_linear(pattern: re.Pattern[Any], searched: bool) -> bool:
    flags = pattern.flags & ~codes.SRE_FLAG_UNICODE if isinstance(pattern.pattern, str) else pattern.flags
    parts = parts_of(parser.parse(pattern.pattern, flags), flags)
    return not (shares_a_run(parts) or (searched and begins_anew(parts)))


@each(
    ("pattern", "linear"),
    [
        (r"\s+,", False), (r"(?<!\s)\s+,", True), (r"(?:(?<!\s)\s+)?,", True), (r"#{2,}\s*system", False),
        (r"(?<!#)#{2,}+\s*+system", True), (r"<[^>]*>", False), (r"<[^<>]*>", True), (r"a\s*:?\s*b", False),
        (r"a(?:\s*:)?\s*b", True), (r"a[ :.]*+[ :]*b", True), (r"(?:a+)+b", False), (r"^\s*a", True), (r"\w+", True),
        (r"\b\w+:", True), (r"\d+\.\d", False), (r"(?:\s|x)+y", False),
        (r"(?m)^\s*a", False), (r"(?m)^[ \t]*a", True), (r"(?m)^a\s*b", True),
    ],
)  # fmt: skip
def test_the_check_tells_what_is_linear(pattern: str, linear: bool) -> None:
    assert is_linear(re.compile(pattern), searched=True) == linear


@each(
    ("pattern", "everywhere"),
    [
        (r"(?:ab|\w)*+c", False), (r"a(?P<b>(?:x|[^x])++)", False), (r"(?=(?:a b)?+)", False), (r"a|(?:b c)*+", False),
        (r"\s*+[ab]++.?+", True), (r"(?>(?:ab|c)*)", True), (r"(?:a)*+", True),
    ],
)  # fmt: skip
def test_the_check_tells_what_python_matches_everywhere(pattern: str, everywhere: bool) -> None:
    assert matches_everywhere(parser.parse(pattern)) == everywhere


def test_every_pattern_matches_alike_in_all_supported_versions_of_python() -> None:
    trees = {(module, name): parser.parse(pattern.pattern, pattern.flags & codes.SRE_FLAG_VERBOSE)
             for module, name, pattern, _ in patterns()}  # fmt: skip
    assert not [name for name, tree in trees.items() if not matches_everywhere(tree)]


def test_every_pattern_that_foreign_text_meets_is_linear() -> None:
    every = list(patterns())
    assert len(every) > 400
    slow = {
        (module, name): pattern.pattern for module, name, pattern, searched in every if not is_linear(pattern, searched)
    }
    assert slow.keys() == LINEAR.keys(), {name: slow[name] for name in slow.keys() - LINEAR.keys()}
