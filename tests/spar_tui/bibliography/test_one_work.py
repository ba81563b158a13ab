"""Two entries are one work only if nothing they say contradicts."""

from spar_tui.bibliography.one_work import Description, contradictions, describe, one_work
from spar_tui.bibliography.reading.files import found_in
from tests.rows import each

BLISS = """@article{bliss73, title={Long-lasting potentiation of synaptic transmission in the dentate area of the
  unanaesthetized rabbit}, author={Bliss, T. V. P. and Gardner-Medwin, A. R.}, journal={J. Physiol.}, volume=232,
  pages={357--371}, year=1973}"""
LOMO = """@article{lomo73, title={Long-lasting potentiation of synaptic transmission in the dentate area of the
  anaesthetized rabbit}, author={Bliss, T. V. P. and L{\\o}mo, T.}, journal={J. Physiol.}, volume=232,
  pages={331--356}, year=1973}"""
BASE = {
    "title": "Sparse retrieval of long passages", "author": "Lee, Ann and Wu, Bo", "journal": "Journal of Physiology",
    "year": "2019", "volume": "7", "number": "2", "pages": "10--20",
}  # fmt: skip


def entries(text: str) -> list[Description]:
    return list(map(describe, found_in(text, "refs.bib").entries))


def entry(entry_type: str = "article", **changed: str) -> Description:
    fields = {name: value for name, value in {**BASE, **changed}.items() if value}
    told = ", ".join(f"{name} = {{{value}}}" for name, value in fields.items())
    [found] = entries(f"@{entry_type}{{k, {told}}}")
    return found


def test_two_papers_of_one_volume_with_nearly_one_title_are_two() -> None:
    first, second = entries(BLISS + LOMO)
    assert not one_work(first, second, one_file=True)
    assert not one_work(first, second, one_file=False)


@each(
    "changed",
    [
        {"volume": "8"}, {"number": "3"}, {"pages": "110--120"}, {"year": "2020"}, {"journal": "Cell"},
        {"author": "Lee, Ann"}, {"author": "Lee, Ann and Wu, Bo and Xu, Cy"}, {"author": "Lee, Bea and Wu, Bo"},
        {"title": "Sparse retrieval of long passages, II"}, {"edition": "2"} | {"volume": ""},
    ],
)  # fmt: skip
def test_whatever_contradicts_keeps_two_entries_of_a_file_apart(changed: dict[str, str]) -> None:
    first = entry(edition="1") if "edition" in changed else entry()
    second = entry(**changed)
    assert not one_work(first, second, one_file=True)
    assert next(contradictions(first, second))


@each("authors", ["Lee, Ann", "Lee, Ann and Wu, Bo and Xu, Cy"])
def test_between_files_one_list_of_authors_may_end_before_the_other(authors: str) -> None:
    assert one_work(entry(doi=""), entry(doi="", author=authors), one_file=False)
    assert not one_work(entry(doi=""), entry(doi="", author=authors, volume="99"), one_file=False)
    assert not one_work(entry(doi=""), entry(doi="", author="Wu, Bo"), one_file=False)


def test_types_that_nobody_knows_are_as_many_kinds() -> None:
    assert not one_work(entry("tapestry"), entry("fresco"), one_file=True)


def test_a_talk_and_its_article_are_two() -> None:
    assert not one_work(entry(), entry("inproceedings", journal="", booktitle="Journal of Physiology"), one_file=True)


@each(
    "changed",
    [
        {}, {"journal": "J. Physiol."}, {"journal": ""}, {"pages": "10"}, {"author": "Lee, A. and Wu, B."},
        {"author": "Lee, Ann and others"}, {"title": "{S}parse Retrieval of Long Passages."}, {"volume": ""},
    ],
)  # fmt: skip
def test_entries_that_say_the_same_with_other_letters_are_one(changed: dict[str, str]) -> None:
    assert one_work(entry(), entry(**changed), one_file=True)


@each("edition", ["2", "2nd", "2nd ed.", "2. edn"])
@each("isbn", ["0-306-40615-2", "9780306406157 (cloth), 978-3-16-148410-0 (paper)"])
def test_a_book_is_one_by_either_form_of_its_isbn_and_any_way_to_tell_its_edition(edition: str, isbn: str) -> None:
    book = {"journal": "", "volume": "", "number": "", "pages": "", "title": "Statistics of small worlds"}
    first = entry("book", **book, publisher="Holt", isbn="978-0-306-40615-7", edition="2nd edition")
    assert one_work(first, entry("book", **book, publisher="Holt Press", isbn=isbn, edition=edition), one_file=False)
    assert not one_work(first, entry("book", **book, publisher="Holt", isbn=isbn, edition="3"), one_file=False)
    assert not one_work(first, entry("inbook", **book, publisher="Holt", isbn=isbn, edition=edition), one_file=False)


def test_a_shared_identifier_joins_files_that_spell_the_venue_differently() -> None:
    first, second = (
        entry(doi="10.1000/x"),
        entry(doi="10.1000/x", journal="The Physiological Journal", author="Lee, A."),
    )
    assert one_work(first, second, one_file=False)
    assert not one_work(first, second, one_file=True)


def test_chapters_that_bear_the_doi_of_their_book_stay_apart() -> None:
    first, second = (entry("incollection", doi="10.1000/book", title=f"On {word}", pages=pages)
                     for word, pages in (("rivers", "1--9"), ("lakes", "10--19")))  # fmt: skip
    assert not one_work(first, second, one_file=False)


def test_two_volumes_of_a_book_are_two() -> None:
    first, second = (entry("book", title="The Art of Computer Programming", volume=volume, pages="", number="")
                     for volume in ("1", "2"))  # fmt: skip
    assert not one_work(first, second, one_file=False)


def test_the_number_of_a_venue_abbreviates_no_other() -> None:
    first, second = entry(journal="Reports of Station 19"), entry(journal="Reports of Station 1009")
    assert list(contradictions(first, second)) == ["venue"]


def test_a_preprint_of_arxiv_is_one_work_wherever_its_id_stands() -> None:
    places = (
        {"journal": "CoRR", "volume": "abs/1706.03762"}, {"journal": "ArXiv", "volume": "abs/1706.03762"},
        {"journal": "CoRR abs/1706.03762"}, {"journal": "Computing Research Repository (CoRR)", "volume": "1706.03762"},
        {"journal": "arXiv e-prints", "eid": "arXiv:1706.03762", "pages": "arXiv:1706.03762"},
        {"journal": "arXiv preprint arXiv:1706.03762"},
        {"journal": "CoRR", "volume": "1706.03762", "eprint": "1706.03762", "archiveprefix": "arXiv"},
    )  # fmt: skip
    bare = {"volume": "", "number": "", "pages": ""}
    first, *others = (entry(**bare | place) for place in places)
    assert all(one_work(first, other, one_file=True) for other in others)
    assert not one_work(first, entry(**bare, journal="Corrosion"), one_file=True)
