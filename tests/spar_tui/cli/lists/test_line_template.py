"""`--format`: what a template may say, and that no value of a paper can say more."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.identifiers import Identifier
from connectors.paper import Author, Paper
from spar_tui.cli.lists.line_template import (
    PAPER_FIELDS,
    RUN_FIELDS,
    SEARCH_FIELDS,
    SHELF_FIELDS,
    line_template,
    paper_lines,
)
from spar_tui.errors import UsageError
from spar_tui.reports.json_objects import paper_object
from tests.rows import each
from tests.strategies import papers

PAPER = Paper("On\tengines", "An\nabstract.", (Author("Lovelace", "Ada"), Author("Babbage", "Charles")), "1843-09",
              "Memoirs", identifiers=(Identifier("doi", "10.1000/a"),), citation_count=0)  # fmt: skip


def line(raw: str, paper: Paper = PAPER) -> str:
    [made] = paper_lines(line_template(raw, PAPER_FIELDS), [paper_object(paper, 1)], lambda: ["lovelace43"])
    return made


@each(
    ("raw", "shown"),
    [
        (r"{key}\t{year}\t{title}", "lovelace43\t1843\tOn engines"),
        (r"{id}\n{doi}", "doi:10.1000/a\n10.1000/a"),
        (r"{title}\\n", "On engines\\n"),
        ("{{{key}}}", "{lovelace43}"),
        ("{authors} / {first_author}", "Ada Lovelace, Charles Babbage / Ada Lovelace"),
        ("{abstract}", "An abstract."),
        ("{citations}{arxiv}{pdf}{retracted}", "0no"),
    ],
)
def test_fields_and_escapes_are_put_in_and_the_unknown_is_empty(raw: str, shown: str) -> None:
    assert line(raw) == shown


@each(
    ("raw", "said"),
    [
        ("{titel}", "--format: unknown field {titel}; choose from rank, key, id, title"),
        ("{title.__class__}", "unknown field {title.__class__}"),
        ("{title[0]}", "unknown field {title[0]}"),
        ("{title!r}", "unknown field {title!r}"),
        ("{title:>9999999999}", "unknown field {title:>9999999999}"),
        ("{}", "unknown field {}"),
        ("{score}", "unknown field {score}"),
        ("{title", "has a single {"),
        ("title}", "has a single }"),
        ("title", "has no field; choose from rank"),
        ("", "has no field"),
    ],
)
def test_what_is_no_field_is_refused_and_the_known_are_named(raw: str, said: str) -> None:
    with pytest.raises(UsageError, match=r"--format") as refused:
        line_template(raw, PAPER_FIELDS)
    assert said in str(refused.value)


@given(st.text())
def test_any_template_is_read_or_refused(raw: str) -> None:
    try:
        line_template(raw, SEARCH_FIELDS)
    except UsageError:
        return


@given(papers(), st.text())
def test_no_paper_can_break_its_line_or_steer_the_terminal(paper: Paper, title: str) -> None:
    raw = "|".join(f"{{{name}}}" for name in PAPER_FIELDS)
    object_ = {**paper_object(paper, 1), "title": f"\x1b]52;c;eA==\x07{title}\x9b\r\n"}
    [made] = paper_lines(line_template(raw, PAPER_FIELDS), [object_], lambda: [None])
    assert not {unicodedata.category(one) for one in made} & {"Cc", "Zl", "Zp"}


def test_every_field_that_is_named_is_one_that_papers_have() -> None:
    told = {**paper_object(PAPER, 1), "shelf": dict.fromkeys(("tags", "note", "rating", "read", "saved", "file"), "x")}
    for known in (PAPER_FIELDS, SEARCH_FIELDS, SHELF_FIELDS):
        for name in known:
            template = line_template(f"{{{name}}}", known)
            [made] = paper_lines(template, [told], lambda: ["key"])
            if name in ("title", "authors", "year", "venue", "citations", "doi", "key", "note", "tags", "saved"):
                assert made, name
    assert line_template("{run}", RUN_FIELDS).line({"run": "r1"}) == "r1"
