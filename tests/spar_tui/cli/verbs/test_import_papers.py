"""`spar import` of files that are papers themselves, and of what documents cite, against services over HTTP."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from cache import page_texts, papers, shelf
from cache.shelf import Shelved
from cache.store import Store
from tests.connectors.pdf.writing import pdf
from tests.services import Services
from tests.services.corpus.works import Work
from tests.spar_tui.bibliography.documents.made import docx, plain
from tests.spar_tui.in_process import spar

pytestmark = pytest.mark.usefixtures("quick_pace")


def sound(services: Services) -> list[Work]:
    return [
        one for one in services.corpus.works
        if one.doi and one.openalex and one.s2 and len(one.authors) > 1 and one.year and not one.retracted
        and one.preprint is None and "odd" not in one.doi and not one.arxiv and one.title.isascii()
        and len(one.title.split()) > 4
    ][:4]  # fmt: skip


def first_page(work: Work, *more: str, title: bool = True) -> list[str]:
    people = ", ".join(f"{one.given} {one.family}" for one in work.authors)
    return [*([work.title] if title else []), people, "Abstract", "We study everything.", *more]


def paper_pdf(lines: Sequence[str]) -> bytes:
    return pdf([[(72.0, 720.0 - 24 * place, line) for place, line in enumerate(lines)]])


def database(home: Path) -> Path:
    return next(home.rglob("*.db"))


def shelved(home: Path) -> list[Shelved]:
    with Store.open(database(home)) as store:
        return shelf.shelf(store)


def test_a_pdf_is_saved_as_the_paper_whose_doi_and_title_it_shows(services: Services, tmp_path: Path) -> None:
    mine, cited, *_ = sound(services)
    file = tmp_path / "paper.pdf"
    file.write_bytes(paper_pdf(first_page(mine, f"as in doi:{cited.doi}", f"https://doi.org/{mine.doi}")))
    ran = spar(tmp_path / "home", "import", str(file), "--tag", "read", more=services.environment)
    assert ran.returncode == 0, ran.stderr
    [entry] = shelved(tmp_path / "home")
    assert entry.paper.identifier("doi") == mine.doi
    assert (entry.files, entry.tags) == ((str(file),), ("read",))
    with Store.open(database(tmp_path / "home")) as store:
        [number] = papers.numbers_of(store, [entry.paper])
        assert number is not None
        kept = page_texts.kept(store, number)
    assert kept is not None
    assert kept.readable == 1


@pytest.mark.parametrize("kind", ["pdf", "docx"])
def test_without_an_identifier_its_title_and_an_author_prove_it(kind: str, services: Services, tmp_path: Path) -> None:
    mine = sound(services)[0]
    file = tmp_path / f"paper.{kind}"
    lines = first_page(mine)
    file.write_bytes(paper_pdf(lines) if kind == "pdf" else docx([(line, 0) for line in lines]))
    ran = spar(tmp_path / "home", "import", str(file), more=services.environment)
    assert ran.returncode == 0, ran.stderr
    [entry] = shelved(tmp_path / "home")
    assert entry.paper.identifier("doi") == mine.doi
    assert bool(entry.files) == (kind == "pdf")


def test_an_identifier_of_another_paper_proves_nothing(services: Services, tmp_path: Path) -> None:
    _, other, *_ = sound(services)
    file = tmp_path / "paper.pdf"
    file.write_bytes(paper_pdf(["A Title That No Source Has Ever Heard Of", "No Body", "Abstract", f"doi:{other.doi}"]))
    ran = spar(tmp_path / "home", "import", str(file), more=services.environment)
    assert ran.returncode == 1
    assert "its title could not be read with certainty; skipped" in ran.stderr
    assert "paper.pdf:0" not in ran.stderr
    assert shelved(tmp_path / "home") == []


def test_a_title_that_the_file_declares_and_shows_is_saved_alone(services: Services, tmp_path: Path) -> None:
    title = "A Title That No Source Has Ever Heard Of"
    file = tmp_path / "paper.docx"
    file.write_bytes(docx([(title, -1), ("No Body", 0), ("Abstract", 1), ("Nothing.", 0)]))
    ran = spar(tmp_path / "home", "import", str(file), more=services.environment)
    assert ran.returncode == 0
    assert "saved with its title alone" in ran.stderr
    assert [entry.paper.title for entry in shelved(tmp_path / "home")] == [title]


def test_what_a_document_with_references_or_a_text_cites_is_saved_as_sources_have_it(
    services: Services, tmp_path: Path
) -> None:
    mine, cited, *_ = sound(services)
    listed = [
        f"{cited.authors[0].family}, A. ({cited.year}). {cited.title}. Journal. https://doi.org/{cited.doi}",
        "Nobody, N. (2020). A study that nobody ever wrote about nothing. Journal of Nothing.",
    ]
    paragraphs = [*((line, 0) for line in first_page(mine)), ("References", 1), *((one, 0) for one in listed)]
    (tmp_path / "paper.docx").write_bytes(docx(paragraphs))
    ran = spar(tmp_path / "home", "import", str(tmp_path / "paper.docx"), "--references", more=services.environment)
    assert ran.returncode == 0, ran.stderr
    assert {entry.paper.identifier("doi") for entry in shelved(tmp_path / "home")} == {mine.doi, cited.doi}
    assert "no source knows it: “Nobody, N. (2020)." in ran.stderr
    (tmp_path / "list.txt").write_text(plain([("References", 1), (listed[0], 0)]))
    ran = spar(tmp_path / "other", "import", str(tmp_path / "list.txt"), more=services.environment)
    assert [entry.paper.identifier("doi") for entry in shelved(tmp_path / "other")] == [cited.doi]


@pytest.mark.parametrize("between", ["\n", "; "], ids=["on lines", "on one line"])
def test_each_identifier_is_looked_up_alone_and_beside_references(
    between: str, services: Services, tmp_path: Path
) -> None:
    first, second, third, *_ = sound(services)
    listed = f"{third.authors[0].family}, A. ({third.year}). {third.title}. Journal. https://doi.org/{third.doi}"
    names = f"{first.doi}{between}{second.doi}"
    for name, text in (("alone", names), ("beside", f"{listed}\n{names}")):
        ran = spar(tmp_path / name, "import", "-", more=services.environment, stdin=text)
        assert ran.returncode == 0, ran.stderr
        titles = {first.title, second.title, *([third.title] if name == "beside" else [])}
        assert {entry.paper.title for entry in shelved(tmp_path / name)} == titles


def test_offline_nothing_that_was_read_from_a_text_becomes_a_record(services: Services, tmp_path: Path) -> None:
    mine = sound(services)[0]
    (tmp_path / "paper.pdf").write_bytes(paper_pdf(first_page(mine, f"doi:{mine.doi}")))
    ran = spar(tmp_path / "home", "import", str(tmp_path / "paper.pdf"), "--offline", more=services.environment)
    assert ran.returncode == 1
    assert shelved(tmp_path / "home") == []
    spar(tmp_path / "home", "save", str(mine.doi), more=services.environment)
    ran = spar(tmp_path / "home", "import", str(tmp_path / "paper.pdf"), "--offline", more=services.environment)
    assert (ran.returncode, ran.stderr.count("Error")) == (0, 0)
    assert shelved(tmp_path / "home")[0].files == (str(tmp_path / "paper.pdf"),)


def test_a_bibliography_has_no_references_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@article{a, title={T}, author={A, B}}")
    ran = spar(tmp_path / "home", "import", str(tmp_path / "a.bib"), "--references")
    assert ran.returncode == 2
    assert "is a bibliography" in ran.stderr


def test_a_document_that_is_no_paper_says_how_it_is_imported(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(r"\documentclass{article}")
    ran = spar(tmp_path / "home", "import", str(tmp_path / "a.tex"))
    assert ran.returncode == 2
    assert "--references imports what it cites" in ran.stderr
