"""A summary as Markdown: its references and the marks behind its sentences."""

import re
from itertools import pairwise

from agents.summary.options import SummaryOptions
from connectors.paper import Author, Paper
from spar_tui.reports.summary_markdown import reference
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import summed
from tests.rows import each

SAID = ("Daily aspirin increases the risk of stroke in older adults.", "Aspirin reduces the risk of stroke in adults.",
        "Aspirin has no effect on the risk of stroke in any group.")  # fmt: skip
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")


def test_a_reference_names_six_authors_and_how_many_there_are_besides() -> None:
    authors = tuple(Author(name) for name in NAMES)
    assert reference(Paper("T", authors=authors[:6])).startswith("Ada, Ben, Cleo, Dan, Eve, Fay (no date). T.")
    assert reference(Paper("T", authors=authors)).startswith("Ada, Ben, Cleo, Dan, Eve, Fay and 2 more (no date). T.")


def test_a_reference_has_an_address_or_an_identifier_but_no_internal_name() -> None:
    assert reference(Paper("GLSim: a metric", venue="ACL")) == "Unknown authors (no date). GLSim: a metric. *ACL*."
    assert reference(paper("GLSim", "10.1000/1")).endswith(" <https://doi.org/10.1000/1>")


@each(
    ("years", "begun"),
    [((2001, 2003, 2021), ["2001: ", "2003: ", "More recently (2021): "]), ((2020, 2020, 2020), ["2020: "] * 3)],
)
def test_between_quotes_stands_no_linking_word_but_one_that_the_years_prove(
    years: tuple[int, ...], begun: list[str]
) -> None:
    papers = [
        paper(f"Aspirin {year}, part {number}", f"10.1000/{number}", abstract=said, date=str(year))
        for number, (year, said) in enumerate(zip(years, SAID, strict=True))
    ]
    text = summed(shelf(ScriptedSource("openalex", papers)), SummaryOptions(depth=0), "aspirin and risk of stroke").text
    assert re.findall(r"^- (.*?)“", text.partition("## ")[0], re.MULTILINE) == begun


def test_quotes_of_papers_that_share_rare_words_stand_together() -> None:
    said = ["Hidden activations tell hallucination of a language model early.",
            "Consistency of sampled answers reveals hallucination of a language model.",
            "Hidden activations in late layers tell hallucination of any language model.",
            "A language model of hallucination costs a price that few laboratories pay."]  # fmt: skip
    papers = [paper(f"Hallucination {year}", f"10.1000/{year}", abstract=one, date=str(year))
              for year, one in zip((2019, 2021, 2023, 2024), said, strict=True)]  # fmt: skip
    topic = "hallucination of a language model"
    text = summed(shelf(ScriptedSource("openalex", papers)), SummaryOptions(depth=0), topic).text
    begun = re.findall(r"^( *- )[^“]*?(\d{4})\W+“", text.partition("## ")[0], re.MULTILINE)
    assert begun == [("- ", "2019"), ("  - ", "2023"), ("- ", "2021"), ("- ", "2024")]


def test_an_extract_is_a_list_of_findings_and_what_one_paper_says_in_a_row_is_cited_once() -> None:
    text = summed(shelf(Library(made_up(60))), SummaryOptions(depth=1, branch=3)).text
    paragraphs = [line for line in text.splitlines() if re.match(r"- (?:\d{4}: |More recently \(\d{4}\): )?“", line)]
    assert any(re.search(r"^- \d{4}: ", paragraph) for paragraph in paragraphs)
    assert any(re.search(r"” “", paragraph) for paragraph in paragraphs)
    assert all(paragraph.endswith("]") for paragraph in paragraphs)
    marks = [re.findall(r"\[(\d+)\]", paragraph) for paragraph in paragraphs]
    assert not [mark for some in marks for mark, after in pairwise(some) if mark == after]


def test_numbers_of_nested_headings_are_not_escaped() -> None:
    text = summed(shelf(Library(made_up(60))), SummaryOptions(depth=2, branch=2)).text
    assert re.search(r"^### 1\.1 \w", text, re.MULTILINE)
    assert not re.search(r"^#.*\d\\", text, re.MULTILINE)
