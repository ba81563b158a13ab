"""Adding to a bibliography that a person keeps by hand: not one byte of it changes."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache import citation_keys, papers
from cache.store import Store
from connectors.paper import Paper
from spar_tui.bibliography.append import Appended, appended, read_bib, read_ris, read_target, there_already
from spar_tui.bibliography.bibtex import bib_entry
from spar_tui.bibliography.entry import entry_of
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.shelving import put_on_shelf
from spar_tui.bibliography.ris import ris_record
from spar_tui.errors import Failure
from tests.library import copied
from tests.spar_tui.bibliography.edge_records import EDGE_PAPERS, PUBLISHED, paper
from tests.spar_tui.bibliography.validators import bibtex_complaints, needed
from tests.spar_tui.in_process import spar

NEW = paper("A new work", "Nina New", of_doi="10.1000/new", venue="J. New")
KEPT_BY_HAND = {
    "plain": "@article{a, title = {A}, author = {X, Y}, year = 2001}\n",
    "no-last-newline": "@article{a,\n  title = {A}\n}",
    "crlf": "@article{a,\r\n  title = {A},\r\n}\r\n",
    "crlf-without-end": "@article{a,\r\n  title = {A},\r\n}",
    "bom": "\ufeff@article{a, title = {A}}\n",
    "empty": "",
    "only-comments": "% my references\n% nothing yet\n",
    "blank-lines-at-the-end": "@misc{a, title={A}}\n\n\n\n",
    "tabs": "@Article{a,\n\tTitle\t= {A},\n\tAuthor\t= \"X and Y\"\n}\n",
    "strings": '@string{acm = "ACM Press"}\n@book{b, publisher = acm # " NY", title = "A {\\"o} {B}"}\n',
    "preamble": '@preamble{"\\newcommand{\\x}{y}"}\n@misc{p, note = {x}}\n',
    "jabref": "@misc{a,}\n\n@Comment{jabref-meta: databaseType:bibtex;}\n\n@Comment{jabref-meta: x:\n0 All;\n}\n",
    "parentheses": "@article(a, title = {A (with) parentheses})\n",
    "upper-case": "@ARTICLE{A1,\n  TITLE = {LOUD},\n}\n",
    "stray-text": "These are my references; mail me at me@example.org.\n\n@misc{s, title={S}}\nand so on\n",
    "own-field": "@misc{o, my-field = {kept}, x:y = 3}\n",
    "forgotten-brace": "@article{bad,\n  title = {never closed,\n  year = 2001\n\n@article{good,\n title = {Good}\n}\n",
    "duplicate-keys": "@misc{d, title={One}}\n@misc{D, title={Two}}\n",
    "no-key": "@misc{, title={Nameless}}\n",
    "comment-with-at": "@comment{@article{hidden, title = {x}}}\n@misc{seen, title={S}}\n",
    "empty-braces": "@misc{e,}\n@misc{f}\n",
    "latex": "@article{l, title = {{\\'E}t{\\'e} \\& {\\\"o} $x^{2}$ \\{ \\}}, year = {2001}}\n",
}  # fmt: skip


class Adding:
    """A library whose papers are added to files, each under the key that it is given here."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __call__(
        self, old: bytes, found: dict[int, Paper], keys: dict[int, str] | None = None, ris: bool = False
    ) -> Appended:
        """What is done to `old`; papers are told by their numbers in `found`."""
        keys = keys or {number: f"new{number}" for number in found}
        numbers = dict(zip(found, papers.remember(self.store, found.values()), strict=True))
        for name, number in numbers.items():
            citation_keys.choose(self.store, number, keys[name])
        target, entries = read_target(old, ris)
        known = there_already(self.store, target, entries)
        there = {name: known[number] for name, number in numbers.items() if number in known}

        def write(name: int, key: str) -> str:
            entry = entry_of(found[name], key)
            return ris_record(entry) if ris else bib_entry(entry, "biblatex", ascii_only=False).text

        return appended(old, target, there, found, keys, write)


@pytest.fixture
def add(tmp_path: Path) -> Iterator[Adding]:
    with Store.open(copied(tmp_path / "library.db")) as store:
        yield Adding(store)


@pytest.mark.parametrize("name", sorted(KEPT_BY_HAND))
def test_every_byte_of_the_file_stays_and_the_new_entry_stands_behind_it(add: Adding, name: str) -> None:
    old = KEPT_BY_HAND[name].encode()
    done = add(old, {1: NEW})
    assert done.new.startswith(old)
    assert done.added == {1: "new1"}
    behind = done.new[len(old) :].decode()
    newline = "\r\n" if "crlf" in name else "\n"
    assert behind.strip() == bib_entry(entry_of(NEW, "new1"), "biblatex").text.strip().replace("\n", newline)
    assert behind.endswith("}" + newline)
    if "crlf" not in name:
        assert "\r" not in behind
    assert old.strip(b"\xef\xbb\xbf \r\n") == b"" or (newline * 2).encode() in old[-4:] + behind[:4].encode()


@pytest.mark.parametrize("name", sorted(set(KEPT_BY_HAND) - {"comment-with-at", "preamble", "parentheses"}))
def test_the_new_entry_can_be_read_in_its_new_place(add: Adding, name: str) -> None:
    text = add(KEPT_BY_HAND[name].encode(), {1: NEW}).new.decode("utf-8-sig")
    assert "new1" in [entry.key for entry in found_in(text, "refs.bib").entries]


@needed("bibtex")
@pytest.mark.parametrize("name", ["plain", "no-last-newline", "strings", "jabref", "parentheses", "only-comments"])
def test_bibtex_reads_the_file_that_was_added_to(add: Adding, name: str, tmp_path: Path) -> None:
    file = tmp_path / "refs.bib"
    file.write_bytes(add(KEPT_BY_HAND[name].encode(), {1: NEW}).new)
    assert bibtex_complaints(file) == []


def test_adding_twice_is_adding_once(add: Adding) -> None:
    papers = dict(enumerate(EDGE_PAPERS.values()))
    keys = dict(enumerate(EDGE_PAPERS))
    once = add(b"% mine\n", papers, keys)
    twice = add(once.new, papers, keys)
    assert twice.added == {}
    assert twice.new == once.new


def test_a_work_is_known_by_its_key_where_nothing_speaks_against_it(add: Adding) -> None:
    assert add(b"@misc{NEW1, note = {see there}}\n", {1: NEW}).present == {1: "NEW1"}
    assert add(b"@misc{new1, doi = {10.1000/other}}\n", {1: NEW}).added == {1: "new1a"}


@pytest.mark.parametrize(
    "there",
    [
        "@article{mine, doi = {https://doi.org/10.5555/3295222}}",
        "@misc{mine, eprint = {1706.03762v5}, archiveprefix = {arXiv}}",
        "@misc{mine, url = {https://arxiv.org/abs/1706.03762}}",
        "@misc{mine, doi = {10.48550/arXiv.1706.03762}}",
        "@article{mine, title = {T}, journal = {arXiv preprint arXiv:1706.03762}, year = 2019}",
        "@article{mine, title = {T}, journal = {CoRR}, volume = {abs/1706.03762}}",
        "@article{mine, title = {T}, journal = {arXiv e-prints}, pages = {arXiv:1706.03762}}",
        "@misc{mine, title = {T}, note = {arXiv:1706.03762 [cs.CL]}}",
        "@misc{mine, title = {T}, howpublished = {arXiv:1706.03762}}",
        "@misc{mine, title = {T}, howpublished = {\\url{https://arxiv.org/abs/1706.03762v2}}}",
        "@misc{mine, title = {T}, eprint = {arXiv:1706.03762}}",
        "@misc{mine, title = {T}, url = {http://arxiv.org/pdf/1706.03762.pdf}}",
        "@misc{mine, title = {{A}ttention is all you need!}, author = {Ashish Vaswani and others}, year = 2017}",
        '@misc{mine, title = "Attention {Is} All\n You Need", author = {Vaswani, A.}, date = {2017-06}}',
    ],
)
def test_a_work_that_is_there_already_keeps_the_persons_key(add: Adding, there: str) -> None:
    done = add(f"{there}\n".encode(), {1: PUBLISHED}, {1: "vaswani2017"})
    assert done.present == {1: "mine"}
    assert done.new == f"{there}\n".encode()


FILE_OF_ONES_OWN = r"""
@inproceedings(parens, title = {Braces (without) them}, author = {A, B}, year = 2001)
@book{sub, title = {Design Patterns}, subtitle = {Elements of Reuse}, author = {Gamma, E.}, date = {1994/1995}}
@book{edited, title = {Wave Energy}, editor = {Bhattacharyya, R. and McCormick, M. E.}, year = {2013}}
@misc{bare, title = {The Agency's Handbook}}
@article{strange, title = "Magie et politique: {\'e}v{\'e}nements", author = {Thi{\'ebaux}, Sylvie}, year = 93}
@report{one, title = {Annual report}, author = {{The Agency}}, year = 2019} @report{two, title = {Annual report},
  author = {{The Agency}}, year = 2020}
@article{family, title = {An A-Z}, author = {family=Waals, given=J., prefix=van der}, year = {in press}}
@article{twice, title = {Said again}, author = {C, D}, year = 2000}
@article{TWICE, title = {Said otherwise}, author = {E, F}, year = 2000}
@article{typo, title = {On the relative merits of two ways of saying one thing}, author = {G, H}, year = 2000}
@article{typo2, title = {On the relative merits of two ways of sayin one thing}, author = {G, H}, year = 2000}
"""


def test_a_file_that_was_imported_lacks_nothing_of_what_became_of_it(add: Adding) -> None:
    entries = found_in(FILE_OF_ONES_OWN, "refs.bib").entries
    numbers = put_on_shelf(add.store, entries, Path("/refs")).numbers
    target, again = read_target(FILE_OF_ONES_OWN.encode(), ris=False)
    there = there_already(add.store, target, again)
    assert set(there) == set(numbers)
    assert there[numbers[0]] == "parens"


def test_an_entry_with_a_papers_key_and_title_is_that_paper_whatever_else_it_says(add: Adding) -> None:
    old = b"@article{new1, title = {A New Work}, author = {Somebody Else}, year = 1900, doi = {10.1000/other}}\n"
    assert add(old, {1: NEW}).present == {1: "new1"}
    other = b"@article{new1, title = {A newer work}, author = {Somebody Else}, year = 1900}\n"
    assert add(other, {1: NEW}).added == {1: "new1a"}


def test_an_entry_with_a_key_that_a_paper_had_before_is_that_paper(add: Adding) -> None:
    assert add(b"", {1: NEW}, {1: "old"}).added == {1: "old"}
    assert add(b"@misc{old, title = {A new work}, year = 1900}\n", {1: NEW}, {1: "chosen"}).present == {1: "old"}


def test_a_title_with_accents_is_recognised_in_latex(add: Adding) -> None:
    old = rb"@book{mine, title = {{\"U}ber formal unentscheidbare S{\"a}tze}, author = {Kurt G{\"o}del}, year = 1931}"
    assert add(old, {1: EDGE_PAPERS["accents"]}).present == {1: "mine"}


def test_a_key_that_another_work_has_in_the_file_gets_a_suffix_without_regard_to_case(add: Adding) -> None:
    done = add(b"@misc{New1, title = {Another}}\n@misc{new1A, title = {Third}}\n", {1: NEW})
    assert done.added == {1: "new1b"}


def test_a_file_that_ends_inside_an_entry_is_refused_with_the_line() -> None:
    with pytest.raises(Failure, match="line 2"):
        read_target(b"@misc{a, title={A}}\n@article{b,\n  title = {open\n", ris=False)
    with pytest.raises(Failure, match="line 1"):
        read_target(b"TY  - JOUR\nTI  - open\n", ris=True)


def test_what_is_broken_in_the_file_is_named_with_its_line_and_left_alone() -> None:
    assert read_bib(KEPT_BY_HAND["forgotten-brace"]).broken == ["line 1: @article is not closed"]
    assert read_bib(KEPT_BY_HAND["duplicate-keys"]).broken == ["line 2: the key D is already in the file"]
    assert read_bib(KEPT_BY_HAND["no-key"]).broken == ["line 1: @misc has no citation key"]


def test_the_files_own_dialect_is_seen() -> None:
    assert read_bib("@article{a,\n  journaltitle = {J},\n}\n").dialect == "biblatex"
    assert read_bib("@article{a,\n  journal = {J},\n}\n").dialect == "bibtex"
    assert read_bib("% nothing").dialect is None


def test_a_file_in_an_old_code_is_added_to_in_ascii_only(add: Adding) -> None:
    old = "@misc{a, title = {Über}}\n".encode("latin-1")
    done = add(old, {1: NEW, 2: EDGE_PAPERS["accents"]})
    assert done.added == {1: "new1"}
    assert list(done.unfit) == [2]
    assert done.new.startswith(old)
    assert done.new[len(old) :].isascii()


def test_a_file_in_utf_16_is_refused() -> None:
    with pytest.raises(Failure, match="not text"):
        read_target("@misc{a, title = {A}}".encode("utf-16"), ris=False)


def test_ris_is_added_to_as_well(add: Adding) -> None:
    old = b"TY  - JOUR\r\nTI  - Old\r\nDO  - 10.1000/fraud\r\nER  - \r\n"
    done = add(old, {1: NEW, 2: EDGE_PAPERS["retracted"]}, ris=True)
    assert done.new.startswith(old + b"\r\nTY  - JOUR\r\nID  - new1\r\n")
    assert list(done.present) == [2]
    assert read_ris(done.new.decode()).unclosed is None


@given(st.text(alphabet='@{}(),="#%\\ \r\nabc\ufeff', max_size=80))
def test_whatever_the_file_holds_its_bytes_stay_or_nothing_is_done(text: str) -> None:
    old = text.encode()
    try:
        with TemporaryDirectory() as folder, Store.open(copied(Path(folder) / "library.db")) as store:
            done = Adding(store)(old, {1: NEW})
    except Failure:
        return
    assert done.new.startswith(old)
    assert done.added == {1: done.added[1]}


def test_what_stood_beside_imported_entries_is_added_once(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text(
        "% on fens\n@comment{keep}\n@book{m1, author={Mo, A}, title={M one}, year=2001}\n"
        "@article{m2, author={Mo, B}, title={M two}, journal={J}, year=2002}\n@set{s1, entryset={m1,m2}}\n"
    )
    file = tmp_path / "refs.bib"
    file.write_text("@comment{keep}\n@book{old, author={Z, Y}, title={Old one}, date=1990}\n")
    assert spar(tmp_path, "import", str(tmp_path / "in.bib")).returncode == 0
    for _ in range(2):
        assert spar(tmp_path, "export", "--shelf", "--append", "-o", str(file)).returncode == 0
        text = file.read_text()
        assert [text.count(part) for part in ("@comment{keep}", "% on fens", "@set{s1,", "{m1,", "{m2,")] == [
            1,
            1,
            1,
            2,
            1,
        ]
