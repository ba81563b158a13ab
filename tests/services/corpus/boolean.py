"""Boolean search expressions as arXiv, OpenAlex and PubMed read them: parsed here, their terms judged by the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator

OPERATORS = {"AND", "OR", "NOT", "ANDNOT"}


class BadExpression(ValueError):
    """The expression does not parse; the text says why."""


class Expression:
    """Evaluates a list of tokens to the set of works it matches.

    A token is an operator (`AND OR NOT ANDNOT`), a parenthesis, or anything `matching` can turn into a set of numbers.
    A term for which it gives None is left out together with its operator. `implied` is the operator between two terms
    that stand side by side.
    """

    def __init__(
        self, tokens: list[str], matching: Callable[[str], set[int] | None], everything: set[int], implied: str = "AND"
    ):
        self._tokens, self._at = tokens, 0
        self._matching, self._everything, self._implied = matching, everything, implied

    def value(self) -> set[int]:
        """The numbers of the works. Raises BadExpression."""
        found = self._either()
        if self._at < len(self._tokens):
            raise BadExpression(f"unexpected {self._tokens[self._at]}")
        return found or set()

    def _next(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _accept(self, *wanted: str) -> str | None:
        if (token := self._next()) in wanted:
            self._at += 1
            return token
        return None

    def _either(self) -> set[int] | None:
        found = self._both()
        while self._accept("OR") or (self._implied == "OR" and self._starts_term()):
            found = _joined(found, self._both(), set.union)
        return found

    def _both(self) -> set[int] | None:
        found = self._one()
        while True:
            if self._accept("ANDNOT", "NOT"):
                found = _joined(found, self._one(), set.difference)
            elif self._accept("AND"):
                join = set.difference if self._accept("NOT") else set.intersection
                found = _joined(found, self._one(), join)
            elif self._implied == "AND" and self._starts_term():
                found = _joined(found, self._one(), set.intersection)
            else:
                return found

    def _starts_term(self) -> bool:
        token = self._next()
        return token is not None and token != ")" and token not in OPERATORS

    def _one(self) -> set[int] | None:
        token = self._next()
        if token is None or token == ")" or (token in OPERATORS and token != "NOT"):
            raise BadExpression(f"a term is missing before {token or 'the end'}")
        self._at += 1
        if token == "NOT":
            return _joined(self._everything, self._one(), set.difference)
        if token == "(":
            found = self._either()
            if not self._accept(")"):
                raise BadExpression("a parenthesis is not closed")
            return found
        return self._matching(token)


def _joined(
    left: set[int] | None, right: set[int] | None, join: Callable[[set[int], set[int]], set[int]]
) -> set[int] | None:
    if left is None or right is None:
        return right if left is None else left
    return join(left, right)


def split_outside_quotes(text: str, separator: str) -> Iterator[str]:
    """The pieces of `text` between separators that stand outside double quotes."""
    piece, quoted = "", False
    for letter in text:
        quoted ^= letter == '"'
        if letter == separator and not quoted:
            yield piece
            piece = ""
        else:
            piece += letter
    yield piece
