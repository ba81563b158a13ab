"""What is said of a paper in a line."""

from connectors.identifiers import Identifier, is_preprint_doi
from connectors.paper import Author, Paper, Version, all_authors, short_authors
from connectors.person import parse_person_id
from tests.rows import each

ONE, TWO, THREE, FOUR = (Author(name, name[0]) for name in ("One", "Two", "Three", "Four"))


@each(
    ("paper", "short", "whole"),
    [
        (Paper("T", authors=(ONE, TWO)), "O One, T Two", "O One, T Two"),
        (Paper("T", authors=(ONE,), et_al=True), "O One et al.", "O One et al."),
        (Paper("T", authors=(ONE, TWO, THREE, FOUR)), "O One et al. (4)", "O One, T Two, T Three and 1 more"),
        (
            Paper("T", authors=(ONE, TWO, THREE, FOUR), et_al=True),
            "O One et al. (more than 4)",
            "O One, T Two, T Three et al.",
        ),
        (Paper("T", et_al=True), "", ""),
    ],
)
def test_a_list_of_authors_never_names_fewer_than_there_are(paper: Paper, short: str, whole: str) -> None:
    assert short_authors(paper) == short
    assert all_authors(paper, 3) == whole


def test_a_paper_goes_by_the_doi_of_its_publication_whatever_its_preprints_looks_like() -> None:
    """Some servers give DOIs that nobody could tell from a journal's."""
    names = (Identifier("doi", "10.5194/acp-2021-781"), Identifier("doi", "10.5194/acp-22-2365-2022"))
    both = Paper("T", identifiers=names, preprint=Version(doi=names[0].value), published=Version(doi=names[1].value))
    assert both.id == f"doi:{names[1].value}"


@each(
    ("doi", "posted"),
    [
        ("10.1101/2020.01.30.927871", True),
        ("10.64898/2026.08.20.745440", True),
        ("10.1002/essoar.10508594.1", True),
        ("10.2196/preprints.22081", True),
        ("10.7287/peerj.preprints.867", True),
        ("10.2196/22081", False),
        ("10.7717/peerj.1110", False),
        ("10.1101/gad.12345", False),
    ],
)
def test_servers_of_preprints_are_known_by_their_dois(doi: str, posted: bool) -> None:
    assert is_preprint_doi(doi) is posted


@each(
    ("identifier", "page"),
    [
        (
            Identifier("doi", "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o"),
            "https://doi.org/10.1002/(sici)1097-4571(199806)49:8%3C693::aid-asi4%3E3.0.co;2-o",
        ),
        (Identifier("arxiv", "hep-th/9711200"), "https://arxiv.org/abs/hep-th/9711200"),
        (Identifier("openalex", "W1"), "https://example.org/page"),
    ],
)
def test_the_page_of_a_paper_is_its_doi_s_before_a_source_s(identifier: Identifier, page: str) -> None:
    """A reference is to lead there as long as the paper exists."""
    assert Paper("T", identifiers=(identifier,), url="https://example.org/page").page == page
    assert Paper("T", identifiers=(Identifier("openalex", "W1"),)).page == "https://openalex.org/W1"
    assert Paper("T").page is None


@each(
    ("text", "id"),
    [
        ("A5023888391", "openalex:A5023888391"),
        (" openalex:a5023888391 ", "openalex:A5023888391"),
        ("https://openalex.org/A5023888391", "openalex:A5023888391"),
        ("https://openalex.org/authors/a5023888391", "openalex:A5023888391"),
        ("https://api.openalex.org/people/A5023888391?x=1", "openalex:A5023888391"),
        ("s2:1741101", "s2:1741101"),
        ("semanticscholar:1741101", "s2:1741101"),
        ("https://www.semanticscholar.org/author/Oren-Etzioni/1741101", "s2:1741101"),
        ("https://www.semanticscholar.org/author/1741101/", "s2:1741101"),
    ],
)
def test_an_id_is_the_same_in_every_spelling(text: str, id: str) -> None:
    assert str(parse_person_id(text)) == id
    assert parse_person_id(id) == parse_person_id(text)


@each("text", ["", "Ada Lovelace", "1741101", "openalex:W123", "A", "s2:0", "s2:abc", None, 7])
def test_what_is_no_id_is_none(text: object) -> None:
    assert parse_person_id(text) is None
