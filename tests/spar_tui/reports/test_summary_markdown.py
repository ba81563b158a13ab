"""A summary as Markdown: its references and the marks behind its sentences."""

import re
from itertools import pairwise

from agents.summary.loop import SummaryOptions
from connectors.paper import Author, Paper
from spar_tui.reports.summary_markdown import reference
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import summed

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")


def test_a_reference_names_six_authors_and_how_many_there_are_besides() -> None:
    authors = tuple(Author(name) for name in NAMES)
    assert reference(Paper("T", authors=authors[:6])).startswith("Ada, Ben, Cleo, Dan, Eve, Fay (no date). T.")
    assert reference(Paper("T", authors=authors)).startswith("Ada, Ben, Cleo, Dan, Eve, Fay and 2 more (no date). T.")


def test_an_extract_is_a_list_of_findings_and_what_one_paper_says_in_a_row_is_cited_once() -> None:
    text = summed(shelf(Library(made_up(60))), SummaryOptions(depth=1, branch=3)).text
    paragraphs = [line for line in text.splitlines() if re.match(r"- (?:\d{4}: )?“", line)]
    assert any(re.search(r"^- \d{4}: ", paragraph) for paragraph in paragraphs)
    assert any(re.search(r"” “", paragraph) for paragraph in paragraphs)
    assert all(paragraph.endswith("]") for paragraph in paragraphs)
    marks = [re.findall(r"\[(\d+)\]", paragraph) for paragraph in paragraphs]
    assert not [mark for some in marks for mark, after in pairwise(some) if mark == after]
