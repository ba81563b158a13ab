"""`spar check` on documents and on what a paper cites, against services over HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.services import Services
from tests.services.corpus.works import Work
from tests.spar_tui.bibliography.documents.made import docx, plain
from tests.spar_tui.in_process import spar

pytestmark = pytest.mark.usefixtures("quick_pace")


def sound(services: Services) -> list[Work]:
    return [
        one for one in services.corpus.works
        if one.doi and one.openalex and one.s2 and one.authors and one.year and not one.retracted
        and one.preprint is None and "odd" not in one.doi and not one.arxiv
    ][:3]  # fmt: skip


def reference(work: Work, **changed: str) -> str:
    told = {"year": str(work.year), "title": work.title, "doi": work.doi or "", **changed}
    people = ", ".join(f"{one.family}, {one.given[:1]}." for one in work.authors)
    return f"{people} ({told['year']}). {told['title']}. {work.venue or 'A Journal'}. https://doi.org/{told['doi']}"


def checked(home: Path, services: Services, *arguments: str, stdin: str = "") -> tuple[list[dict[str, Any]], str]:
    ran = spar(home, "check", *arguments, "--json", more=services.environment, stdin=stdin)
    assert ran.returncode in (0, 1, 4), ran.stderr
    return json.loads(ran.stdout)["entries"], ran.stderr


@pytest.mark.parametrize("name", ["paper.docx", "paper.txt", "-"])
def test_the_references_of_a_document_are_checked_as_entries_are(name: str, services: Services, tmp_path: Path) -> None:
    right, wrong, _ = sound(services)
    paragraphs = [("References", 1), (reference(right), 0), (reference(wrong, year="1901"), 0)]
    file = tmp_path / name
    if name == "paper.docx":
        file.write_bytes(docx(paragraphs))
    else:
        file.write_text(plain(paragraphs))
    named = str(file) if name != "-" else "-"
    entries, told = checked(tmp_path, services, named, stdin=plain(paragraphs))
    assert [one["title"] for one in entries] == [right.title, wrong.title]
    assert "1901" in json.dumps(entries[1])
    assert "1901" not in json.dumps(entries[0])
    assert f"Read from the text: “{reference(wrong, year='1901')}”" in entries[1]["details"]
    assert "spar read 2 references from text" in told


def test_a_document_is_never_mended_and_is_left_as_it_was(services: Services, tmp_path: Path) -> None:
    file = tmp_path / "paper.txt"
    file.write_text(plain([("References", 1), (reference(sound(services)[0]), 0)]))
    ran = spar(tmp_path, "check", str(file), "--fix", more=services.environment)
    assert ran.returncode == 2
    assert "BibTeX and BibLaTeX files only" in ran.stderr


def test_the_bibliography_of_a_document_of_latex_is_mended_where_it_lies(services: Services, tmp_path: Path) -> None:
    work = sound(services)[0]
    people = " and ".join(f"{one.family}, {one.given}" for one in work.authors)
    fields = f"author={{{people}}}, title={{{work.title}}}, journal={{J}}, doi={{{work.doi}}}"
    (tmp_path / "refs.bib").write_text(f"@article{{a, {fields},\n  year = {{1901}},\n}}\n")
    (tmp_path / "paper.tex").write_text(r"\cite{a,b}\bibliography{refs}")
    ran = spar(tmp_path, "check", str(tmp_path / "paper.tex"), "--fix", more=services.environment)
    assert "+++ " in ran.stdout
    assert "refs.bib" in ran.stdout
    assert "Cited, but in no bibliography: b." in ran.stderr


@pytest.mark.parametrize("address", [False, True])
def test_what_a_paper_cites_is_checked_by_its_doi(address: bool, services: Services, tmp_path: Path) -> None:
    citing = next(one for one in services.corpus.works if one.doi and one.openalex and len(one.references) > 1)
    named = f"https://doi.org/{citing.doi}" if address else str(citing.doi)
    entries, told = checked(tmp_path, services, named)
    works = {one.number: one for one in services.corpus.works}
    titles = {one["title"] for one in entries}
    assert titles
    assert titles <= {works[number].title for number in citing.references}
    assert "spar checks only references that the sources list" in told


def test_a_paper_that_no_source_lists_is_said_to_be_so(services: Services, tmp_path: Path) -> None:
    ran = spar(tmp_path, "check", "10.5555/never.was", more=services.environment)
    assert ran.returncode not in (0, 1)
    assert "10.5555/never.was" in ran.stderr
    ran = spar(tmp_path, "check", "10.5555/never.was", "--offline")
    assert ran.returncode not in (0, 1)
    assert "Traceback" not in ran.stderr
