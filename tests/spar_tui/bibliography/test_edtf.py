"""Dates are kept as far as a format can say them."""

from spar_tui.bibliography.edtf import (
    as_biblatex,
    as_csl,
    as_ris,
    as_words,
    edtf,
    first_day,
    is_plain,
    is_state,
    of_biblatex,
    of_csl,
    of_issue,
    of_ris,
    of_words,
)
from tests.rows import each


@each(
    ("date", "csl", "words", "ris"),
    [
        ("2001-05-17", {"date-parts": [[2001, 5, 17]]}, "2001-05-17", "2001/05/17"),
        ("1995/1997", {"date-parts": [[1995], [1997]]}, "1995--1997", "1995///1995/1997"),
        ("1995/", {"date-parts": [[1995], [0]]}, "1995--", "1995///1995/"),
        ("/1995", {"literal": "–1995"}, "--1995", "1995////1995"),
        ("1850~", {"date-parts": [[1850]], "circa": True}, "c. 1850", "1850///1850~"),
        ("1850~/1860~", {"date-parts": [[1850], [1860]], "circa": True}, "c. 1850--c. 1860", "1850///1850~/1860~"),
        ("1702?", {"date-parts": [[1702]], "circa": True, "literal": "1702?"}, "1702?", "1702///1702?"),
        ("1744%", {"date-parts": [[1744]], "circa": True, "literal": "c. 1744?"}, "c. 1744?", "1744///1744%"),
        ("1340~/1345?", {"date-parts": [[1340], [1345]], "circa": True, "literal": "c. 1340–1345?"},
         "c. 1340--1345?", "1340///1340~/1345?"),
        ("1340/1345~", {"date-parts": [[1340], [1345]], "circa": True, "literal": "1340–c. 1345"},
         "1340--c. 1345", "1340///1340/1345~"),
        ("2001-21", {"date-parts": [[2001]], "season": 1}, "spring 2001", "2001///Spring"),
        ("-0380/-0350", {"date-parts": [[-380], [-350]]}, "380 BC--350 BC", "-0380///-0380/-0350"),
        ("/1995-03-02", {"literal": "–1995-03-02"}, "--1995-03-02", "1995/03/02//1995-03-02"),
        ("199X", {"literal": "1990s"}, "1990s", "1990s"),
        ("Y170000002", {"date-parts": [[170000002]]}, "Y170000002", "Y170000002"),
        ("Y-10500/-9000", {"date-parts": [[-10500], [-9000]]}, "10500 BC--9000 BC", "10500 BC--9000 BC"),
    ],
)  # fmt: skip
def test_each_kind_of_date_is_said_in_each_format_and_read_again(
    date: str, csl: dict[str, object], words: str, ris: str
) -> None:
    assert (as_csl(date), as_words(date), as_ris(date)) == (csl, words, ris)
    assert (edtf(date), of_csl(csl), of_words(words), of_ris(ris)) == (date, date, date, date)


@each(
    ("words", "date"),
    [
        ("1995-97", "1995/1997"), ("1995–1997", "1995/1997"), ("[1850?]", "1850?"), ("Fall, 2001", "2001-23"),
        ("since 1990", "1990/"), ("ca. 1850", "1850~"), ("380 v. Chr.", "-0380"), ("c1999", "1999"), ("in press", ""),
        ("n.d.", ""), ("2001-05", "2001-05"), ("1997-1995", ""),
        ("10/1973", "1973-10"), ("1/1973", "1973-01"), ("05.1999", "1999-05"), ("10-1973", "1973-10"),
        ("13/1973", ""), ("décembre 1998", "1998-12"), ("Verano 2001", "2001-22"), ("Nummer 2001", ""),
    ],
)  # fmt: skip
def test_dates_are_read_as_people_write_them_and_what_is_none_is_not_guessed(words: str, date: str) -> None:
    assert of_words(words) == date


@each(
    ("month", "date"),
    [
        ("may--jun", "2001-05/2001-06"),
        ("Winter", "2001-24"),
        ("6", "2001-06"),
        ("12~jun", "2001"),
        ("", "2001"),
        ("Dezember", "2001-12"),
        ("enero-febrero", "2001-01/2001-02"),
        ("marraskuuta", "2001-11"),
        ("Printemps", "2001-21"),
        ("third quarter", "2001"),
        ("no. 3", "2001"),
        ("Okt.", "2001-10"),
        ("ju.", "2001"),
        ("Okt", "2001"),
    ],
)
def test_a_month_that_stands_apart_can_be_two_or_a_season(month: str, date: str) -> None:
    assert of_words("2001", month) == date
    assert of_words("c. 2001", month) == ("" if "/" in date else f"{date}~")


@each(
    ("text", "year", "date"),
    [
        ("2019 Jan-Feb", "", "2019-01/2019-02"), ("2019 Spring", "", "2019-21"),
        ("2018 Dec-2019 Jan", "", "2018-12/2019-01"),
        ("JAN-FEB", "2019", "2019-01/2019-02"), ("SPR", "2019", "2019-21"), ("FAL", "2019", "2019-23"),
        ("JUN 12-14, 2018", "", "2018-06-12/2018-06-14"), ("12–14 June", "2018", "2018-06-12/2018-06-14"),
        ("2001 Dec 27-2002 Jan 3", "", "2001-12-27/2002-01-03"), ("JUN 30-JUL 3", "2018", "2018-06-30/2018-07-03"),
        ("2018/06/10/15", "2018", "2018"), ("MAR 12", "2019", "2019"),
        ("2019/Jan-Feb", "2019", "2019-01/2019-02"), ("2000-2001", "", "2000/2001"), ("", "", ""),
        ("in press", "", ""),
    ],
)  # fmt: skip
def test_the_date_of_an_issue_is_read_as_databases_print_it(text: str, year: str, date: str) -> None:
    assert of_issue(text, year) == date


def test_biblatex_counts_a_year_before_christ_less_than_the_other_formats() -> None:
    for theirs, ours in (("-0379", "-0380"), ("0000", "-0001"), ("-0379/-0349", "-0380/-0350"), ("1995/", "1995/"),
                         ("Y-10499", "Y-10500"), ("-9999", "Y-10000"), ("Y17000", "Y17000")):  # fmt: skip
        assert (of_biblatex(theirs), as_biblatex(ours)) == (ours, theirs)
    assert of_biblatex("in press") == ""


def test_the_day_by_which_a_date_is_ordered_is_its_first() -> None:
    assert [first_day(date) for date in ("1995/1997", "/1995", "../1995", "1850~", "2001-21", "2004-05-01/")] == [
        "1995", "1995", "1995", "1850", "2001", "2004-05-01",
    ]  # fmt: skip
    assert [is_plain(date) for date in ("2001-05", "", "-0380", "2001-21", "1995/")] == [True, True, True, False, False]


@each(
    ("text", "date"),
    [
        ("1998/11//Fall 1998", "1998-11"), ("1998/11/20/Winter", "1998-11-20"), ("2003/02//2003", "2003-02"),
        ("1998///Fall 1998", "1998-23"), ("1998///Winter", "1998-24"), ("2003/02//2003-02-11", "2003-02-11"),
        ("2003/02//2003-02/2003-03", "2003-02/2003-03"), ("2003/02//2003-02~", "2003-02~"),
        ("2003///ca. 2003", "2003~"), ("2003/02//volume for 2003", "2003-02"),
    ],
)  # fmt: skip
def test_text_beside_the_numbers_of_a_date_of_ris_counts_where_it_tells_more(text: str, date: str) -> None:
    assert of_ris(text) == date


@each(
    ("words", "date", "state"),
    [("MCMXCIX", "1999", False), ("mmxxiv.", "2024", False), ("March 2004", "2004-03", False),
     ("2004, Sept.", "2004-09", False), ("٢٠٠١", "2001", False), ("２００１", "2001", False), ("XXXX", "", False),
     ("Spring", "", False), ("May", "", False), ("in press", "", True), ("im Druck", "", True), ("n.d.", "", False)],
)  # fmt: skip
def test_words_in_place_of_a_year_are_a_date_a_state_or_nothing(words: str, date: str, state: bool) -> None:
    assert (of_words(words), is_state(words)) == (date, state)


@each("day", range(1, 31))
def test_every_day_of_a_month_stays_though_seasons_are_written_as_months_21_to_24(day: int) -> None:
    date = f"2003-06-{day:02}"
    assert first_day(date) == first_day(f"{date}/2003-07-01") == of_ris(as_ris(date)) == date
    assert first_day("2003-21") == first_day("2003-XX-XX") == "2003"
