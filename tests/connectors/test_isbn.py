"""ISBNs: both forms of a number are one, and a wrong check digit is told from a right one."""

from connectors.isbn import isbn, isbns, serials
from tests.rows import each


@each(
    "written",
    ["9783161484100", "978-3-16-148410-0", "3-16-148410-X", "316148410x", "ISBN: 978 3 16 148410 0",
     "urn:isbn:316148410X", "ISBN-13: 978-3-16-148410-0", "ISBN 3-16-148410-X",
     "978–3–16–148410–0", "978‑3‑16‑148410‑0"],
)  # fmt: skip
def test_every_spelling_of_a_number_is_one(written: str) -> None:
    assert isbn(written) == "9783161484100"


@each(
    "written",
    ["", "9783161484101", "3-16-148410-0", "10.1000/978-3", "12345678", "X161484100", "978316148410", "x" * 99],
)
def test_what_has_no_right_check_digit_is_none(written: str) -> None:
    assert isbn(written) == ""


def test_a_field_can_name_several() -> None:
    told = "978-3-16-148410-0 (hbk.), 0-306-40615-2; 1234"
    assert isbns(told) == {"9783161484100", "9780306406157"}


@each(
    ("written", "numbers"),
    [
        ("1932-6203 (Electronic) 1932-6203 (Linking)", ["1932-6203"]),
        ("13596446 (ISSN)", ["1359-6446"]),
        ("ISSN-1234-5679", ["1234-5679"]),
        ("0306406152 (pbk. : acid-free paper)", ["0306406152"]),
        ("0-306-40615-2 (cloth); 978-0-306-40615-7", ["0-306-40615-2", "978-0-306-40615-7"]),
        ("http://id.crossref.org/isbn/9780306406157", ["9780306406157"]),
        ("978 0 306 40615 7 (paperback)", ["978 0 306 40615 7"]),
        ("ISBN-13: 9780306406157", ["9780306406157"]),
        ("978–0–306–40615–7", ["978-0-306-40615-7"]),
        ("1932–6203 (Electronic)", ["1932-6203"]),
        ("NASA/SP 2005–1234", ["NASA/SP 2005–1234"]),
        ("NASA/SP 2005-1234", ["NASA/SP 2005-1234"]),
        ("none", ["none"]),
    ],
)
def test_a_number_is_read_without_what_stands_around_it(written: str, numbers: list[str]) -> None:
    assert serials(written) == numbers


def test_an_isbn_with_a_blank_and_hyphens_keeps_its_prefix() -> None:
    assert serials("978 0-306-40615-7") == ["978 0-306-40615-7"]
