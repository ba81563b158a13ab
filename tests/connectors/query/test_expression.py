"""Queries with operators are read into a tree, and a fault is told at its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.query.expression import (
    Both,
    Either,
    ExpressionError,
    Leaf,
    Node,
    Without,
    expression_of,
    has_operators,
    parse_expression,
    positive_words,
    subject_words,
)
from tests.rows import each


def leaf(*words: str) -> Leaf:
    return Leaf(words)


@each(
    ("text", "tree"),
    [
        ("smoking AND school", Both((leaf("smoking"), leaf("school")))),
        (
            "smoking cessation AND (school OR college) NOT adults",
            Both(
                (
                    leaf("smoking"),
                    leaf("cessation"),
                    Either((leaf("school"), leaf("college"))),
                    Without(leaf("adults")),
                )
            ),
        ),
        ("school -adults", Both((leaf("school"), Without(leaf("adults"))))),
        ("school AND NOT adults", Both((leaf("school"), Without(leaf("adults"))))),
        ("school ANDNOT adults", Both((leaf("school"), Without(leaf("adults"))))),
        ('"air pollution" OR smog', Either((Leaf(("air", "pollution"), phrase=True), leaf("smog")))),
        ("e-cigarette* OR vaping", Either((Leaf(("e-cigarette",), truncated=True), leaf("vaping")))),
        ("vaping[tiab] AND smith j[au]", Both((Leaf(("vaping",), "title_abstract"),
                                              Leaf(("smith", "j"), "author", phrase=True)))),
        ("heart attack[MeSH Terms] OR x-ray[mh]", Either((Leaf(("heart", "attack"), "mesh", phrase=True),
                                                         Leaf(("x-ray",), "mesh")))),
        ("title:(cat OR dog)", Either((Leaf(("cat",), "title"), Leaf(("dog",), "title")))),
        ("cat AND year:2015..2020", Both((leaf("cat"), Leaf(("2015", "2020"), "year")))),
        ("cat AND 2015:2020[dp]", Both((leaf("cat"), Leaf(("2015", "2020"), "year")))),
        ("cat AND year:2015..", Both((leaf("cat"), Leaf(("2015", ""), "year")))),
        ("cat AND year:2015", Both((leaf("cat"), Leaf(("2015", "2015"), "year")))),
        ('"sleep quality"~3', Leaf(("sleep", "quality"), phrase=True, within=3)),
        ('"sleep quality"[tiab:~3]', Leaf(("sleep", "quality"), "title_abstract", phrase=True, within=3)),
        ("“air pollution” AND smog", Both((Leaf(("air", "pollution"), phrase=True), leaf("smog")))),
        ("гриб AND лес", Both((leaf("гриб"), leaf("лес")))),
    ],
)  # fmt: skip
def test_an_expression_is_read_into_a_tree(text: str, tree: Node) -> None:
    assert parse_expression(text) == tree


@each(
    ("text", "column", "sentence"),
    [
        ("cat AND (dog OR", 16, "A word is missing here"),
        ("cat OR dog AND cow", 12, "AND and OR are mixed: use parentheses to group them"),
        ("cat OR dog NOT cow", 12, "AND and OR are mixed: use parentheses to group them"),
        ("(cat AND dog", 1, "This “(” is not closed"),
        ("cat AND dog)", 12, "There is no “(” for this “)”"),
        ("AND cat", 1, "A word is missing here"),
        ("cat AND AND dog", 9, "A word is missing here"),
        ("foo:cat AND dog", 1, "“foo:” is not a field; fields are title, abstract, tiab, author, venue, year and mesh"),
        (
            "cat[xyz] AND dog",
            4,
            "“[xyz]” is not a field; fields are title, abstract, tiab, author, venue, year and mesh",
        ),
        ("c*t AND dog", 1, "* can only replace the end of a word: cigar*"),
        ("cat AND [ti]", 9, "“[ti]” must follow a word"),
        ('"cat AND dog', 1, "A quote is open"),
        ("year:20 AND cat", 6, "A year is like 2020, 2015..2020 or 2015.."),
        ("cat AND year:2020..2015", 14, "The first year is after the last"),
        ("cat OR", 7, "A word is missing here"),
        ("NOT cat", 1, "A word that papers must have is missing"),
        ("year:2020 NOT cat", 1, "A word that papers must have is missing"),
        ("vaccin* NEAR/3 child*", 9, 'Words near each other are written "sleep quality"~3'),
        ("flu adj3 child", 5, 'Words near each other are written "sleep quality"~3'),
        ("#1 AND #2", 1, "spar has no numbered lines of a search history: write the queries out, in parentheses"),
        ("exp flu AND child.ti,ab.", 13, "A field is written after the word, as in PubMed: word[ti]"),
        ("(" * 30 + "cat" + ")" * 30, 21, "Too many parentheses are nested"),
    ],
)
def test_a_fault_is_told_at_its_place(text: str, column: int, sentence: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        parse_expression(text)
    assert (raised.value.column, raised.value.sentence) == (column, sentence)


@each(
    "text",
    [
        "smoking AND school",
        "HIV AND TB",
        "smog NOT winter",
        "vaping[tiab]",
        "title:vaping",
        "e-cigarette*",
        "cats OR dogs",
    ],
)
def test_operators_in_capitals_fields_and_open_words_make_an_expression(text: str) -> None:
    assert expression_of(text) is not None


@each(
    "text",
    [
        "smoking and school",
        "Is DPO better than PPO?",
        "does sleep NOT help memory?",
        "NOT",
        "covid -19 in schools",
        "BERT: pre-training of deep transformers",
        'papers like "Attention is all you need"',
        "graph (neural) networks",
        "methods [review]",
    ],
)
def test_plain_words_are_no_expression(text: str) -> None:
    assert not has_operators(text)
    assert expression_of(text) is None


def test_words_that_are_excluded_and_years_are_not_asked_for() -> None:
    tree = parse_expression("(smog OR haze) AND lung NOT (winter OR smog) AND year:2020")
    assert positive_words(tree) == ("smog", "haze", "lung")


def test_names_are_positive_words_and_no_subject() -> None:
    tree = parse_expression("title:smog AND author:lee AND venue:nature AND lungs[mh]")
    assert positive_words(tree) == ("smog", "lee", "nature", "lungs")
    assert subject_words(tree) == ("smog", "lungs")


NODES = st.recursive(
    st.builds(
        Leaf,
        st.tuples(st.sampled_from(["smog", "lung", "e-cigarette", "sleep"])),
        st.sampled_from([None, "title", "author", "mesh"]),
        truncated=st.booleans(),
    ),
    lambda inner: st.one_of(
        st.builds(Either, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Both, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Without, inner),
    ),
    max_leaves=8,
).filter(lambda node: bool(positive_words(node)))


def written(node: Node) -> str:
    match node:
        case Leaf():
            return f"{f'{node.field}:' if node.field else ''}{node.words[0]}{'*' if node.truncated else ''}"
        case Without():
            return f"NOT ({written(node.part)})"
    operator = " OR " if isinstance(node, Either) else " AND "
    return operator.join(f"({written(part)})" for part in node.parts)


def flat(node: Node) -> Node:
    """The tree without an AND that stands directly in an AND."""
    match node:
        case Without():
            return Without(flat(node.part))
        case Either():
            return Either(tuple(map(flat, node.parts)))
        case Both():
            parts = [flat(part) for part in node.parts]
            return Both(tuple(one for part in parts for one in (part.parts if isinstance(part, Both) else (part,))))
    return node


@given(NODES)
def test_what_is_written_out_is_read_as_it_was(tree: Node) -> None:
    assert parse_expression(written(tree)) == flat(tree)


@given(st.text(alphabet='ab AND OR NOT()[]"*:~ ti2', max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    column = 1
    try:
        parse_expression(text)
    except ExpressionError as error:
        column = error.column
    assert 1 <= column <= len(text) + 1
