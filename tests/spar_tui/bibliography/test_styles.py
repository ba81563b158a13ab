"""References by our own rules, against references written by hand after each style's manual and file."""

from pathlib import Path

import pytest

from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles import STYLES, reference_list
from spar_tui.bibliography.styles.items import reference_of
from spar_tui.bibliography.styles.parts import initials
from tests.rows import each

VASWANI, SHAZEER = Name("Vaswani", "Ashish"), Name("Shazeer", "Noam M.")
ARTICLE = Entry(
    "article", "article", "Deep learning",
    (Name("LeCun", "Yann"), Name("Bengio", "Yoshua"), Name("Hinton", "Geoffrey")),
    "2015-05-27", "Nature", "521", "7553", "436--444", doi="10.1038/nature14539",
)  # fmt: skip
TALK = Entry(
    "talk", "proceedings", "Attention Is All You Need", (VASWANI, SHAZEER), "2017",
    "Advances in Neural Information Processing Systems", pages="5998-6008",
)  # fmt: skip
PREPRINT = Entry("preprint", "preprint", "Attention Is All You Need", (VASWANI, SHAZEER), "2017-06-12", "arXiv",
                 arxiv="1706.03762")  # fmt: skip
BOOK = Entry("book", "book", "Deep Learning", (Name("Goodfellow", "Ian"),), "2016", "MIT Press")
THESIS = Entry("thesis", "thesis", "Networks That Learn", (Name("van der Berg", "Jan", suffix="Jr."),), "2010",
               "University of Amsterdam")  # fmt: skip
REPORT = Entry("report", "report", "Who is at risk?", (Name(literal="Centers for Disease Control and Prevention"),),
               "2021", "CDC", url="https://cdc.gov/r")  # fmt: skip
BARE = Entry("bare", "article", "Undated", (Name("Lovelace", "Ada"),), None, "Letters")
MANY = Entry(
    "many", "article", "A team", tuple(Name(f"Family{n}", "Given") for n in range(1, 23)), "2020", "Teams", "1"
)

EXPECTED = {
    "apa": {
        "article": "LeCun, Y., Bengio, Y., & Hinton, G. (2015). Deep learning. Nature, 521(7553), 436–444. "
        "https://doi.org/10.1038/nature14539",
        "talk": "Vaswani, A., & Shazeer, N. M. (2017). Attention Is All You Need. In Advances in Neural Information "
        "Processing Systems (pp. 5998–6008).",
        "preprint": "Vaswani, A., & Shazeer, N. M. (2017). Attention Is All You Need (arXiv:1706.03762). arXiv. "
        "https://arxiv.org/abs/1706.03762",
        "book": "Goodfellow, I. (2016). Deep Learning. MIT Press.",
        "thesis": "van der Berg, J., Jr. (2010). Networks That Learn [Thesis, University of Amsterdam].",
        "report": "Centers for Disease Control and Prevention. (2021). Who is at risk? CDC. https://cdc.gov/r",
        "bare": "Lovelace, A. (n.d.). Undated. Letters.",
    },
    "ieee": {
        "article": "[1] Y. LeCun, Y. Bengio, and G. Hinton, “Deep learning,” Nature, vol. 521, no. 7553, pp. 436–444, "
        "May 2015, doi: 10.1038/nature14539.",
        "talk": "[1] A. Vaswani and N. M. Shazeer, “Attention Is All You Need,” in Advances in Neural Information "
        "Processing Systems, 2017, pp. 5998–6008.",
        "preprint": "[1] A. Vaswani and N. M. Shazeer, “Attention Is All You Need,” Jun. 12, 2017, arXiv: "
        "arXiv:1706.03762. Available: https://arxiv.org/abs/1706.03762",
        "book": "[1] I. Goodfellow, Deep Learning. MIT Press, 2016.",
        "thesis": "[1] J. van der Berg Jr., “Networks That Learn,” Thesis, University of Amsterdam, 2010.",
        "report": "[1] Centers for Disease Control and Prevention, “Who is at risk?” CDC, 2021. Available: "
        "https://cdc.gov/r",
        "bare": "[1] A. Lovelace, “Undated,” Letters.",
    },
    "nature": {
        "article": "1. LeCun, Y., Bengio, Y. & Hinton, G. Deep learning. Nature 521, 436–444 (2015). "
        "doi:10.1038/nature14539.",
        "talk": "1. Vaswani, A. & Shazeer, N. M. Attention Is All You Need. in Advances in Neural Information "
        "Processing Systems 5998–6008 (2017).",
        "preprint": "1. Vaswani, A. & Shazeer, N. M. Attention Is All You Need. Preprint at "
        "https://arxiv.org/abs/1706.03762 (2017).",
        "book": "1. Goodfellow, I. Deep Learning. (MIT Press, 2016).",
        "thesis": "1. van der Berg, J., Jr. Networks That Learn. (University of Amsterdam, 2010).",
        "report": "1. Centers for Disease Control and Prevention. Who is at risk? (CDC, 2021). https://cdc.gov/r",
        "bare": "1. Lovelace, A. Undated. Letters.",
    },
    "vancouver": {
        "article": "1. LeCun Y, Bengio Y, Hinton G. Deep learning. Nature [Internet]. 2015 May "
        "27;521(7553):436–44. Available from: https://doi.org/10.1038/nature14539",
        "talk": "1. Vaswani A, Shazeer NM. Attention Is All You Need. In: Advances in Neural Information Processing "
        "Systems. 2017. p. 5998–6008.",
        "preprint": "1. Vaswani A, Shazeer NM. Attention Is All You Need [Internet]. arXiv; 2017. Available "
        "from: https://arxiv.org/abs/1706.03762",
        "book": "1. Goodfellow I. Deep Learning. MIT Press; 2016.",
        "thesis": "1. van der Berg J Jr. Networks That Learn [Thesis]. University of Amsterdam; 2010.",
        "report": "1. Centers for Disease Control and Prevention. Who is at risk? [Internet]. CDC; 2021. "
        "Available from: https://cdc.gov/r",
        "bare": "1. Lovelace A. Undated. Letters.",
    },
    "chicago": {
        "article": "LeCun, Yann, Yoshua Bengio, and Geoffrey Hinton. 2015. “Deep learning.” Nature 521 (7553): "
        "436–44. https://doi.org/10.1038/nature14539.",
        "talk": "Vaswani, Ashish, and Noam M. Shazeer. 2017. “Attention Is All You Need.” In Advances in Neural "
        "Information Processing Systems, 5998–6008.",
        "preprint": "Vaswani, Ashish, and Noam M. Shazeer. 2017. “Attention Is All You Need.” arXiv. "
        "https://arxiv.org/abs/1706.03762.",
        "book": "Goodfellow, Ian. 2016. Deep Learning. MIT Press.",
        "thesis": "van der Berg, Jan, Jr. 2010. “Networks That Learn.” Thesis, University of Amsterdam.",
        "report": "Centers for Disease Control and Prevention. 2021. “Who is at risk?” CDC. https://cdc.gov/r.",
        "bare": "Lovelace, Ada. n.d. “Undated.” Letters.",
    },
    "mla": {
        "article": "LeCun, Yann, et al. “Deep learning.” Nature, vol. 521, no. 7553, May 2015, pp. 436–44, "
        "https://doi.org/10.1038/nature14539.",
        "talk": "Vaswani, Ashish, and Noam M. Shazeer. “Attention Is All You Need.” Advances in Neural Information "
        "Processing Systems, 2017, pp. 5998–6008.",
        "preprint": "Vaswani, Ashish, and Noam M. Shazeer. “Attention Is All You Need.” arXiv:1706.03762, "
        "arXiv, 12 June 2017, https://arxiv.org/abs/1706.03762.",
        "book": "Goodfellow, Ian. Deep Learning. MIT Press, 2016.",
        "thesis": "van der Berg, Jan, Jr. Networks That Learn. 2010. University of Amsterdam, Thesis.",
        "report": "Centers for Disease Control and Prevention. Who is at risk? CDC, 2021, https://cdc.gov/r.",
        "bare": "Lovelace, Ada. “Undated.” Letters.",
    },
}


@pytest.fixture
def no_pandoc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def by_own_rules(entry: Entry, style: str) -> str:
    return STYLES[style].number.format(1) + STYLES[style].write(reference_of(entry))


ENTRIES = {one.key: one for one in (ARTICLE, TALK, PREPRINT, BOOK, THESIS, REPORT, BARE)}


@each(("style", "key"), [(style, key) for style, told in EXPECTED.items() for key in told])
def test_a_reference_is_as_the_styles_manual_has_it(style: str, key: str) -> None:
    assert by_own_rules(ENTRIES[key], style) == EXPECTED[style][key]


@each(
    ("style", "people"),
    [
        ("apa", ("Family1, G., Family2, G., Family3, G., Family4, G., Family5, G., Family6, G., Family7, G., "
                "Family8, G., Family9, G., Family10, G., Family11, G., Family12, G., Family13, G., Family14, G., "
                "Family15, G., Family16, G., Family17, G., Family18, G., Family19, G., … Family22, G. (2020)")),
        ("ieee", "[1] G. Family1 et al., “A team,”"),
        ("nature", "1. Family1, G. et al. A team."),
        ("vancouver", "1. Family1 G, Family2 G, Family3 G, Family4 G, Family5 G, Family6 G, et al. A team."),
        ("chicago", ("Family1, Given, Given Family2, Given Family3, Given Family4, Given Family5, Given Family6, "
                    "Given Family7, et al. 2020.")),
        ("mla", "Family1, Given, et al. “A team.”"),
    ],
)  # fmt: skip
def test_many_authors_are_shortened_as_the_style_shortens_them(style: str, people: str) -> None:
    assert by_own_rules(MANY, style).startswith(people)


def test_works_of_the_same_authors_and_year_are_told_apart_by_letters(no_pandoc: None) -> None:
    first = Entry("b", "article", "Alpha", (VASWANI,), "2017", "J")
    second = Entry("a", "article", "Beta", (VASWANI,), "2017", "J")
    assert reference_list([second, first], "apa").lines == [
        "Vaswani, A. (2017a). Alpha. J.",
        "Vaswani, A. (2017b). Beta. J.",
    ]


def test_lists_by_author_are_sorted_and_numbered_lists_keep_their_order(no_pandoc: None) -> None:
    assert [line[:8] for line in reference_list([TALK, ARTICLE, BARE], "mla").lines] == [
        "LeCun, Y", "Lovelace", "Vaswani,",
    ]  # fmt: skip
    assert [line[:4] for line in reference_list([TALK, ARTICLE], "ieee").lines] == ["[1] ", "[2] "]


@each("style", sorted(STYLES))
def test_a_work_without_author_begins_with_its_title(style: str) -> None:
    nameless = Entry("k", "article", "Nobody wrote this", (), "2001", "Papers")
    assert (
        by_own_rules(nameless, style)
        .removeprefix("[1] ")
        .removeprefix("1. ")
        .lstrip("“")
        .startswith("Nobody wrote this")
    )


@each(
    ("given", "short"),
    [("Jean-Luc", "J.-L."), ("Wen-tau", "W.-t."), ("J.D.", "J. D."), ("JD", "J. D."), ("Noam M", "N. M."),
     ("伟", "伟"), ("Иван Петрович", "И. П."), ("", "")],
)  # fmt: skip
def test_given_names_are_shortened_to_initials(given: str, short: str) -> None:
    assert initials(given) == short
