"""Translate expressions for each source, by the table of the syntax that it supports.

A source that does not support a part gets a wider query, and the part is reported, so that it can be applied to the
answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from connectors.errors import NotAskable
from connectors.query.expression import Both, Either, Field, Leaf, Node, Without, parse_expression, positive_words
from connectors.source import Query


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a source writes terms and operators; "" for unsupported ones.

    `terms` has a template for a term in each field, None for a term anywhere. `years` is a template for `first` and
    `last`, `open_years` are the values for open ends. `within` is a template for a phrase and a distance.
    """

    terms: Mapping[Field | None, str]
    both: str = " AND "
    either: str = " OR "
    without: str = " NOT "
    truncation: str = "*"
    within: str = ""
    years: str = ""
    open_years: tuple[str, str] = ("1500", "2100")


_TITLE_ABS = "TITLE_ABS:{}"
DIALECTS: Mapping[str, Dialect] = {
    "pubmed": Dialect(
        {None: "{}", "title": "{}[ti]", "abstract": "{}[ab]", "title_abstract": "{}[tiab]", "author": "{}[au]",
         "venue": "{}[ta]", "mesh": "{}[mh]"},
        within="{}[tiab:~{}]",
        years="{}:{}[dp]",
    ),
    "europepmc": Dialect(
        {None: _TITLE_ABS, "title": "TITLE:{}", "abstract": "ABSTRACT:{}", "title_abstract": _TITLE_ABS,
         "author": "AUTH:{}", "venue": "JOURNAL:{}", "mesh": "KW:{}"},
        years="PUB_YEAR:[{} TO {}]",
    ),
    "arxiv": Dialect(
        {None: "all:{}", "title": "ti:{}", "abstract": "abs:{}", "author": "au:{}", "venue": "jr:{}"},
        without=" ANDNOT ",
        truncation="",
        years="submittedDate:[{}01010000 TO {}12312359]",
        open_years=("1991", "2100"),
    ),
    "openalex": Dialect({None: "{}"}, truncation=""),
    "google": Dialect(
        {None: "{}", "title": "intitle:{}", "author": "author:{}", "venue": "source:{}"},
        both=" ", without=" -", truncation="",
    ),
}  # fmt: skip
"""The sources that support operators. The others get the words, and the whole expression is applied to their
answers."""


@dataclass(frozen=True, slots=True)
class Translation:
    """An expression as sent to a source; `left` are the parts that it does not support."""

    text: str
    left: tuple[Node, ...] = ()


@lru_cache(maxsize=256)
def translated(source: str, text: str) -> Translation:
    """Translate the expression `text` for `source`. Raises `ExpressionError`."""
    tree, dialect = parse_expression(text), DIALECTS.get(source)
    if dialect is None:
        return Translation(" ".join(positive_words(tree)), (tree,))
    writer = _ExpressionWriter(dialect)
    unsupported = []
    parts_written = []
    for part in tree.parts if isinstance(tree, Both) else (tree,):
        writer.exact = True
        parts_written.append((part, writer.write(part)))
        if not writer.exact:
            unsupported.append(part)
    if not any(text for part, text in parts_written if not isinstance(part, Without)):
        return Translation(_any_word(tree, dialect), (tree,))
    return Translation(writer.chain(parts_written), tuple(unsupported))


def _any_word(tree: Node, dialect: Dialect) -> str:
    """Return a query for papers with any needed word of an expression that the source cannot take in part; "" if
    papers without these words may match."""
    return dialect.either.join(dialect.terms[None].format(word) for word in _needed_words(tree))


def _needed_words(node: Node) -> tuple[str, ...]:
    """Return words of which every matching paper has at least one; () if papers without any may match."""
    match node:
        case Leaf():
            return positive_words(node)
        case Without():
            return ()
    words_of_parts = [_needed_words(part) for part in node.parts]
    if isinstance(node, Either) and not all(words_of_parts):
        return ()
    return tuple(dict.fromkeys(word for words in words_of_parts for word in words))


def asked_in(source: str, query: Query) -> Query:
    """Return the query in the form that `source` supports: as words if it has no operators."""
    if query.form != "expression" or source in DIALECTS:
        return query
    return replace(query, text=translated(source, query.text).text, form="words")


def sent_text(source: str, query: Query) -> str | None:
    """Return the text sent to `source` for a query that is not plain words; None for plain words. Raises
    `NotAskable` if the source supports no part of it."""
    if query.form == "words":
        return None
    text = query.text if query.form == "verbatim" else translated(source, query.text).text
    if not any(map(str.isalnum, text)):
        raise NotAskable(source, "it cannot search for any part of this query.")
    return text


@dataclass(slots=True)
class _ExpressionWriter:
    """Writes a tree in a dialect. An unsupported part makes the query wider and `exact` False."""

    dialect: Dialect
    exact: bool = True

    def write(self, node: Node, negated: bool = False) -> str:
        """Return `node` in the dialect; "" if it is unsupported, which lets every paper through. Inside a NOT the
        part must not get wider."""
        match node:
            case Leaf():
                return self._leaf(node, negated)
            case Without() if negated:
                return self._not_written()
            case Without():
                return self.write(node.part, negated=True) if self.dialect.without else self._not_written()
            case Both():
                parts_written = [(part, self.write(part, negated)) for part in node.parts]
                if negated and not all(text for _, text in parts_written):
                    return self._not_written()
                return self.chain(parts_written)
        texts = [self._alternative(part, negated) for part in node.parts]
        if not all(texts):
            self.exact = False
            if not negated:
                return ""
        return self.dialect.either.join(filter(None, texts))

    def _alternative(self, part: Node, negated: bool) -> str:
        """Return a part of an OR, in which no source accepts a NOT alone."""
        return "" if isinstance(part, Without) else self._bracketed(part, self.write(part, negated))

    def chain(self, parts_written: list[tuple[Node, str]]) -> str:
        """Join the written parts, all of which must hold, with the excluding ones last."""
        sure = [self._bracketed(part, text) for part, text in parts_written if text and not isinstance(part, Without)]
        excluded = [(part.part, text) for part, text in parts_written if text and isinstance(part, Without)]
        if excluded and not sure:
            return self._not_written()
        text = self.dialect.both.join(sure)
        return text + "".join(self.dialect.without + self._bracketed(part, inner) for part, inner in excluded)

    def _bracketed(self, node: Node, text: str) -> str:
        operators = (self.dialect.both, self.dialect.either, self.dialect.without)
        several = isinstance(node, Both | Either) and any(operator in text for operator in operators)
        return f"({text})" if several else text

    def _leaf(self, leaf: Leaf, negated: bool) -> str:
        if leaf.field == "year":
            first, last = (year or end for year, end in zip(leaf.words, self.dialect.open_years, strict=True))
            return self.dialect.years.format(first, last) if self.dialect.years else self._not_written()
        template = self.dialect.terms.get(leaf.field, "")
        if not template and leaf.field in ("title", "abstract", "title_abstract") and not negated:
            self.exact, template = False, self.dialect.terms[None]
        if not template:
            return self._not_written()
        if leaf.within is not None:
            return self._near(leaf, template, negated)
        text = " ".join(leaf.words)
        if leaf.truncated:
            if not self.dialect.truncation:
                return self._not_written()
            text += self.dialect.truncation
        plain = len(leaf.words) == 1 and all(letter.isalnum() or letter in "-*" for letter in text)
        return template.format(text if plain and not leaf.phrase else f'"{text}"')

    def _near(self, leaf: Leaf, template: str, negated: bool) -> str:
        phrase = f'"{" ".join(leaf.words)}"'
        if self.dialect.within and leaf.field in (None, "title_abstract"):
            return self.dialect.within.format(phrase, leaf.within)
        if negated:
            return self._not_written()
        self.exact = False
        every = self.dialect.both.join(template.format(word) for word in leaf.words)
        return f"({every})" if len(leaf.words) > 1 else every

    def _not_written(self) -> str:
        self.exact = False
        return ""
