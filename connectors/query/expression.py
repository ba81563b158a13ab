"""A query written with operators: AND, OR, NOT, parentheses, "phrases", truncation*, fields and proximity.

    smoking AND (school OR college) NOT adults
    "air pollution" AND asthma* AND year:2015..2020
    vaping[tiab] AND adolescents[MeSH] AND author:smith
    "sleep quality"~3                                   the words in any order, at most 3 others between them

Operators are in capitals. AND and OR are never mixed without parentheses: services read `a OR b AND c` in two ways.
Words side by side must all match.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

Field = Literal["title", "abstract", "title_abstract", "author", "venue", "year", "mesh"]
FIELD_WORDS: dict[str, Field] = {
    "title": "title", "ti": "title",
    "abstract": "abstract", "ab": "abstract",
    "tiab": "title_abstract", "title/abstract": "title_abstract",
    "author": "author", "au": "author",
    "venue": "venue", "journal": "venue", "ta": "venue",
    "year": "year", "dp": "year",
    "mesh": "mesh", "mh": "mesh", "mesh terms": "mesh",
}  # fmt: skip
"""The fields by name, before a word (`title:`) or after it (`[ti]`)."""
DEEPEST = 20
"""Maximum depth of parentheses."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The adjacent words of one term. `field` is where to match, None for anywhere; `truncated` makes the last word
    a prefix; `within` allows any order with this many other words between. For the field `year` the words are the
    first and the last year, "" for an open end."""

    words: tuple[str, ...]
    field: Field | None = None
    phrase: bool = False
    truncated: bool = False
    within: int | None = None


@dataclass(frozen=True, slots=True)
class Both:
    """All parts must match."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one part must match."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Without:
    """The part must not match."""

    part: "Node"


Node = Leaf | Both | Either | Without


class ExpressionError(ValueError):
    """The query is not a valid expression; `column` (from 1) is the position of the error."""

    def __init__(self, sentence: str, column: int) -> None:
        super().__init__(f"{sentence} (at character {column})")
        self.sentence, self.column = sentence, column


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


_TOKEN = re.compile(
    r"\s+"
    r'|(?P<phrase>"[^"]*")(?P<near>~[0-9]{1,2})?'
    r"|(?P<tag>\[[^\[\]]*\])"
    r"|(?P<open>\()|(?P<close>\))"
    r"|(?P<prefix>(?<![A-Za-z])[A-Za-z]+:)(?=\S)"
    r"|(?P<word>[^\s()\[\]\"]+)"
    r"|(?P<stray>.)"
)
_CURLY = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))
_HYPHENS = str.maketrans(dict.fromkeys("‐‑‒–−", "-"))
_QUOTED = re.compile(r'"[^"]*"')
_OPERATORS = {"AND": "and", "OR": "or", "NOT": "not", "ANDNOT": "not"}
_YEARS = re.compile(r"(?P<first>[0-9]{4})?(?:\.\.|:|-)(?P<last>[0-9]{4})?|(?P<one>[0-9]{4})")
_TRUNCATED = re.compile(r"\w\*+(?!\w)")
_EXCLUDED = re.compile(r"-[^\W\d_]")
_DISTANCE = re.compile(r"(?:NEAR|ADJ|adj|PRE|W|N)/?[0-9]+|NEAR")
"""Other databases' operators for words near each other."""
_FOREIGN = (
    (_DISTANCE, 'Words near each other are written "sleep quality"~3'),
    (re.compile(r"#[0-9]+"), "spar has no numbered lines of a search history: write the queries out, in parentheses"),
    (re.compile(r".+\.[a-z]{2}(?:,[a-z]{2})*\.?"), "A field is written after the word, as in PubMed: word[ti]"),
)
"""Syntax of other databases, each with the equivalent here."""
_NEAR_TAG = re.compile(r"(.*?):~([0-9]{1,2})$")


@lru_cache(maxsize=64)
def has_operators(text: str) -> bool:
    """Whether `text` is an expression: operators in capitals, `-word`, a field, or a truncated word. A question with
    a question mark is plain words."""
    if text.rstrip().endswith("?"):
        return False
    tokens = list(_tokens(text))
    return (
        (len(tokens) > 1 and any(token.kind == "word" and _is_operator(token.text) for token in tokens))
        or any(token.kind == "tag" and _field_of(token.text[1:-1]) is not None for token in tokens)
        or any(token.kind == "prefix" and token.text[:-1].lower() in FIELD_WORDS for token in tokens)
        or any(token.kind == "word" and _TRUNCATED.search(token.text) for token in tokens)
    )


def operators_in(text: str) -> tuple[str, ...]:
    """Return the distinct operators in capitals between words of `text`, outside phrases."""
    words = _QUOTED.sub(" ", text).split()
    return tuple(dict.fromkeys(word for word in words if word in _OPERATORS)) if len(words) > 1 else ()


@lru_cache(maxsize=64)
def parse_expression(text: str) -> Node:
    """Parse `text` to a tree. Raises `ExpressionError` with the position of the error."""
    return _Parser(text).whole()


def expression_of(text: str) -> Node | None:
    """Return the tree of `text`; None if it is plain words. Raises `ExpressionError`."""
    return parse_expression(text) if has_operators(text) else None


TEXT_FIELDS: frozenset[Field | None] = frozenset({None, "title", "abstract", "title_abstract", "mesh"})
"""The fields about a paper's subject."""


def positive_words(node: Node) -> tuple[str, ...]:
    """Return the distinct words that papers should have, including names, without excluded ones."""
    return _words(node, TEXT_FIELDS | {"author", "venue"})


def subject_words(node: Node) -> tuple[str, ...]:
    """Return the positive words about a subject."""
    return _words(node, TEXT_FIELDS)


def _words(node: Node, fields: frozenset[Field | None]) -> tuple[str, ...]:
    match node:
        case Leaf():
            return node.words if node.field in fields else ()
        case Without():
            return ()
    return tuple(dict.fromkeys(word for part in node.parts for word in _words(part, fields)))


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text.translate(_CURLY)):
        kind = next((name for name, value in match.groupdict().items() if value and name != "near"), "")
        if kind:
            yield _Token(kind, match[0], match.start())


def _is_operator(word: str) -> bool:
    return word in _OPERATORS or _EXCLUDED.match(word) is not None or _DISTANCE.fullmatch(word) is not None


def _field_of(tag: str) -> Field | None:
    near = _NEAR_TAG.match(tag)
    return FIELD_WORDS.get((near[1] if near else tag).strip().lower())


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._combined()
        if self._next is not None:
            raise self._error("There is no “(” for this “)”")
        if not positive_words(node):
            raise self._error("A word that papers must have is missing", self._tokens[0] if self._tokens else None)
        return node

    @property
    def _next(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _operator(self) -> str:
        """Return the next operator; "" if the next token is none."""
        token = self._next
        return _OPERATORS.get(token.text, "") if token is not None and token.kind == "word" else ""

    def _error(self, sentence: str, token: _Token | None = None) -> ExpressionError:
        token = token or self._next
        return ExpressionError(sentence, (token.start if token else len(self._text)) + 1)

    def _combined(self) -> Node:
        """Parse operands with operators of one kind between them."""
        parts, kind = [self._operand()], ""
        while operator := self._operator():
            combination = "or" if operator == "or" else "and"
            if kind and combination != kind:
                raise self._error("AND and OR are mixed: use parentheses to group them")
            kind = combination
            if operator == "not":
                parts.append(self._operand())  # it parses the NOT
                continue
            self._at += 1
            parts.append(self._operand())
        if self._next is not None and self._next.kind != "close":
            raise self._error("This is not part of a query")
        if len(parts) == 1:
            return parts[0]
        return Either(tuple(parts)) if kind == "or" else Both(_flat(parts))

    def _operand(self) -> Node:
        if self._operator() == "not":
            self._at += 1
            return Without(self._operand())
        if self._operator() or self._next is None:
            raise self._error("A word is missing here")
        side_by_side: list[Node] = []
        while (token := self._next) is not None and token.kind != "close" and not self._operator():
            if token.kind == "word" and _EXCLUDED.match(token.text):
                self._at += 1
                side_by_side.append(Without(self._leaf(token)))
            else:
                side_by_side.append(self._item(token))
        if not side_by_side:
            raise self._error("A word is missing here")
        return side_by_side[0] if len(side_by_side) == 1 else Both(_flat(side_by_side))

    def _item(self, token: _Token) -> Node:
        if token.kind == "open":
            return self._tagged([self._group(token)], token)
        if token.kind == "prefix":
            return self._prefixed(token)
        if token.kind in ("tag", "stray"):
            raise self._error(f"“{token.text}” must follow a word" if token.kind == "tag" else "A quote is open")
        return self._terms(token)

    def _group(self, token: _Token) -> Node:
        if self._depth == DEEPEST:
            raise self._error("Too many parentheses are nested")
        self._at += 1
        self._depth += 1
        node = self._combined()
        if self._next is None:
            raise self._error("This “(” is not closed", token)
        self._at += 1
        self._depth -= 1
        return node

    def _terms(self, first: _Token) -> Node:
        """Parse adjacent words and phrases; a tag after them applies to all."""
        terms: list[Node] = []
        while (token := self._next) is not None and token.kind in ("word", "phrase") and not self._operator():
            if token.kind == "word" and _EXCLUDED.match(token.text):
                break
            for form, instead in _FOREIGN if token.kind == "word" else ():
                if form.fullmatch(token.text):
                    raise self._error(instead, token)
            self._at += 1
            if token.kind == "phrase" or any(map(str.isalnum, token.text)):
                terms.append(self._leaf(token))
        if not terms:
            raise self._error("There is no word here", first)
        return self._tagged(terms, first)

    def _tagged(self, terms: list[Node], first: _Token) -> Node:
        token = self._next
        if token is None or token.kind != "tag":
            return terms[0] if len(terms) == 1 else Both(_flat(terms))
        self._at += 1
        tag = token.text[1:-1]
        field, near = _field_of(tag), _NEAR_TAG.match(tag)
        if field is None and tag.strip().lower() not in ("all", "all fields"):
            raise self._error(f"“{token.text}” is not a field; fields are {_FIELDS_TOLD}", token)
        leaves = [term for term in terms if isinstance(term, Leaf)]
        if len(leaves) == len(terms) > 1 and not any(leaf.truncated for leaf in leaves[:-1]):  # one term, as in PubMed
            terms = [Leaf(tuple(word for leaf in leaves for word in leaf.words), phrase=True,
                          truncated=leaves[-1].truncated)]  # fmt: skip
        if near:
            terms = [replace(term, within=int(near[2])) if isinstance(term, Leaf) else term for term in terms]
        return self._in_field(terms[0] if len(terms) == 1 else Both(_flat(terms)), field, first)

    def _prefixed(self, token: _Token) -> Node:
        field = FIELD_WORDS.get(token.text[:-1].lower())
        if field is None:
            raise self._error(f"“{token.text}” is not a field; fields are {_FIELDS_TOLD}")
        self._at += 1
        of = self._next
        if of is None or of.kind not in ("word", "phrase", "open"):
            raise self._error(f"A word is missing after “{token.text}”")
        if of.kind == "open":
            return self._in_field(self._group(of), field, of)
        self._at += 1
        return self._in_field(self._leaf(of), field, of)

    def _in_field(self, node: Node, field: Field | None, token: _Token) -> Node:
        match node:
            case Leaf(field=None) if field == "year":
                return Leaf(self._years(node, token), "year")
            case Leaf(field=None):
                return replace(node, field=field)
            case Both() | Either():
                return replace(node, parts=tuple(self._in_field(part, field, token) for part in node.parts))
            case Without():
                return Without(self._in_field(node.part, field, token))
        return node

    def _years(self, leaf: Leaf, token: _Token) -> tuple[str, str]:
        text = token.text.strip('"') if token.kind in ("word", "phrase") else "".join(leaf.words)
        match = _YEARS.fullmatch(text)
        if match is None or not (match["first"] or match["last"] or match["one"]):
            raise self._error("A year is like 2020, 2015..2020 or 2015..", token)
        first, last = (match["one"],) * 2 if match["one"] else (match["first"] or "", match["last"] or "")
        if first and last and first > last:
            raise self._error("The first year is after the last", token)
        return first, last

    def _leaf(self, token: _Token) -> Leaf:
        near = re.search(r"~([0-9]+)$", token.text) if token.kind == "phrase" else None
        text = token.text[: near.start()].strip('"') if near else token.text.strip('"')
        truncated = text.rstrip().endswith("*")
        text = text.rstrip(" *").translate(_HYPHENS)
        if "*" in text or "?" in text.rstrip("?"):
            raise self._error("* can only replace the end of a word: cigar*", token)
        words = tuple(filter(None, ("".join(map(_kept, word)).strip("-.'/&+:") for word in text.split())))
        if not words:
            raise self._error("There is no word here", token)
        return Leaf(words, None, token.kind == "phrase", truncated, int(near[1]) if near else None)


def _flat(parts: list[Node]) -> tuple[Node, ...]:
    return tuple(operand for part in parts for operand in (part.parts if isinstance(part, Both) else (part,)))


def _kept(letter: str) -> str:
    return letter if letter.isalnum() or letter in "-.'/&+:" or unicodedata.category(letter)[0] == "M" else " "


_FIELDS_TOLD = "title, abstract, tiab, author, venue, year and mesh"
