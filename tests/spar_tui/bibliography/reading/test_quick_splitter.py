"""Reading plain fields in one step gives what the library itself gives, whatever the text."""

from bibtexparser.model import Block, Entry, ParsingFailedBlock
from bibtexparser.splitter import Splitter
from hypothesis import given, settings
from hypothesis import strategies as st

from spar_tui.bibliography.reading.quick_splitter import QuickSplitter
from tests.rows import each

FIELDS = """
@article{one, title = {A {{Deep} and} wide \\{ net}, year=2020, author
 = {Doe, J. and {ACM}} ,
 journal = {J},}
@book{two, title = "By {@}hand", year = 1999, year = 2000, note = {x@y.org}, month = jan, title = {Twice}}
@misc(three, title = {In (round) ones}, url = {a)b})
@misc(ended, note = {x@y.org}
}
@misc{four, title = {Never closed, year = 2020,
@misc{five, abstract = {{{{four deep}}}}, year = {2001}}
"""
PIECES = (
    "@misc{a,", "@misc(b,", "@string{", "@comment{", "\n@book{c,\n", "}", "{", ")", "\n", ",", "=", '"', "\\", "@",
    "#", "title", "year = 1999,", " title = {T},", "year={2000}", "title = {A {B} {C {D}}},", " x = {\\{} ,",
    "note = {@x{y}},", 'note = "A, b=c",', "note = {x@y.org}\n}", 'month = "may"}',
)  # fmt: skip


def read(splitter: Splitter) -> list[tuple[Block | str, ...]]:
    """The blocks, and of what could not be read the reason."""
    return [
        (type(block).__name__, str(block.start_line), str(block.raw), str(block.error), *entries(block))
        if isinstance(block, ParsingFailedBlock)
        else (block,)
        for block in splitter.split().blocks
    ]


def entries(block: ParsingFailedBlock) -> list[Block]:
    """The entry in a block that repeats a key or a field."""
    return [block.ignore_error_block] if isinstance(block.ignore_error_block, Entry) else []


def test_fields_of_every_kind_are_read_as_the_library_reads_them() -> None:
    found = read(QuickSplitter(FIELDS))
    assert found == read(Splitter(FIELDS))
    assert len(found) == 6


@each(("opening", "closing"), ["{}", "()"])
def test_a_quotation_mark_in_braces_does_not_end_a_quoted_value(opening: str, closing: str) -> None:
    text = f"""@misc{opening}roe, title = "The {{"}}quiet{{"}} (old) reeds", note = {{"}}, year = 1984{closing}"""
    [entry] = QuickSplitter(text).split().entries
    assert [field.value for field in entry.fields] == ['"The {"}quiet{"} (old) reeds"', '{"}', "1984"]


@settings(max_examples=10 * settings().max_examples)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_so_is_any_text(text: str) -> None:
    assert read(QuickSplitter(text)) == read(Splitter(text))


@each("many", ["{" * 20_000, "\\" * 20_000, "a={" * 20_000, "a = {b}," * 20_000, "@misc{a,b={" * 5_000])
def test_a_text_made_to_take_long_takes_no_longer(many: str) -> None:
    text = f"@misc{{key, {many}"
    assert read(QuickSplitter(text)) == read(Splitter(text))
