"""Papers and entries that bibliographies are spoiled by, each a case of its own."""

from connectors.identifiers import arxiv, doi, identifiers, pmid
from connectors.paper import Author, Paper, PaperType, Version
from connectors.records.build import author_from_name
from spar_tui.bibliography.entry import Entry, entry_of
from spar_tui.bibliography.names import Name, name_of


def paper(
    title: str,
    *authors: str | Author,
    date: str | None = "2020",
    venue: str = "",
    type: PaperType = "article",
    of_doi: str | None = None,
    of_arxiv: str | None = None,
    url: str | None = None,
    abstract: str = "",
    retracted: bool = False,
) -> Paper:
    """A paper as the sources make them; an author is a display name, or an `Author`."""
    people = [one if isinstance(one, Author) else author_from_name(one) for one in authors]
    return Paper(
        title,
        abstract,
        tuple(one for one in people if one),
        date,
        venue,
        type,
        identifiers(doi(of_doi), arxiv(of_arxiv)),
        url=url,
        retracted=retracted,
    )


CDC = Author("Centers for Disease Control and Prevention")

EDGE_PAPERS: dict[str, Paper] = {
    "particles": paper(
        "On the Equation of State",
        "Johannes Diderik van der Waals",
        Author("de la Vallée Poussin", "Charles-Jean"),
        Author("King Jr.", "Martin Luther"),
        venue="Annals & Letters",
        of_doi="10.1000/particles",
    ),
    "accents": paper("Über formal unentscheidbare Sätze", "Kurt Gödel", "Paul Erdős", "Jan Łukasz", "Peter O'Neil",
                     Author("Đặng Văn", "Hùng"), date="1931", venue="Monatshefte für Mathematik"),
    "groups": paper("100% of C# & F_1 scores", CDC, Author("OpenAI"), type="report", venue="CDC and NIH"),
    "no-year": paper("Undated notes", "Ada Lovelace", date=None, venue="Letters"),
    "capitals": paper("BERT in NYC: mRNA and eBPF", "Jane Doe", of_doi="10.1000/ABC.Def", venue="J. Caps"),
    "math": paper(r"Decay $B^0_s \to \mu^+\mu^-$ at low $p_T$", Author("The LHCb Collaboration"), venue="PRL"),
    "sici": paper("A SICI name", "Ann Author", of_doi="10.1002/(sici)1097-4571(199709)48:9<775::aid-asi1>3.0.co;2-l",
                  url="https://example.org/a_b%20c?x=1&y=2#frag", venue="JASIS"),
    "preprint": paper("Attention Is All You Need", "Ashish Vaswani", "Noam Shazeer", date="2017-06-12", venue="arXiv",
                      type="preprint", of_arxiv="1706.03762", url="https://arxiv.org/abs/1706.03762"),
    "lone-marks": paper(r"A lone { brace, a \ backslash, ~ and ^ and } too", "Eve Lone", venue="J. Marks"),
    "markup": paper("<i>E. coli</i> and H<sub>2</sub>O &amp; µ-waves of α-particles", Author("王", "伟"), venue="Bio"),
    "scripts": paper("深度学习 — обзор", Author("张伟"), Author("Иванов", "Иван Петрович"), venue="学报"),
    "decomposed": paper("Cafe\u0301 culture 🎉 today", Author("Garci\u0301a-Lo\u0301pez", "Mari\u0301a"), venue="Food"),
    "sixty": paper("A very large team", *(f"Given{n} Family{n}" for n in range(60)), venue="Teams"),
    "one-name": paper("A letter", Author("Sukarno"), Author("Plato"), venue="Classics"),
    "retracted": paper("A fraud", "Max Fake", retracted=True, venue="The Lancet", of_doi="10.1000/fraud"),
    "old-arxiv": paper("Strings", "Edward Witten", date="1999", type="preprint", venue="arXiv",
                       of_arxiv="hep-th/9901001v3"),
    "arxiv-doi": paper("Named by its DOI", "Dora Doi", type="preprint", of_doi="10.48550/arXiv.2001.00001"),
    "shouted": paper("ALL THE CAPITALS OF THE WORLD.", "Loud Voice", venue="J. Shout"),
    "untitled": paper("(untitled)", "No Title", venue="J. Empty"),
    "hostile": paper("=HYPERLINK(1)", Author("others", "Various"), Author("Smith and Sons"),
                     abstract="Line\nTY  - JOUR\x07 end", venue="@home {x}"),
    "quotes": paper('“Curly” and "straight" -- it\'s ‘so’ – isn’t it?', "Quo Tation", venue="J. Marks"),
    "tex-commands": paper(r"\input{/etc/passwd} \write18{rm -rf} %x", "Mallory Evil", venue=r"\def\x{y}"),
    "path-title": paper("../../etc/passwd", "Pat H", venue="."),
    "spanish": paper("Cien años", Author("García Márquez", "Gabriel"), type="book", venue="Sudamericana", date="1967"),
    "thesis": paper("My dissertation", "Stu Dent", type="thesis", venue="University of Somewhere", date="2019-05"),
    "chapter": paper("A chapter", "Chap Ter", type="chapter", venue="The Book", date="2011-03-04"),
    "dataset": paper("A data set", "Data Setter", type="dataset", venue="Zenodo", of_doi="10.5281/zenodo.1"),
    "conference": paper("A talk", "Con Ference", type="conference-paper", venue="NeurIPS", date="2020-12"),
    "other": paper("Something", "Some One", type="other"),
}  # fmt: skip

PUBLISHED = Paper(
    "Attention Is All You Need",
    authors=(Author("Vaswani", "Ashish"), Author("Shazeer", "Noam")),
    date="2017",
    venue="Advances in Neural Information Processing Systems",
    type="conference-paper",
    identifiers=identifiers(arxiv("1706.03762"), doi("10.48550/arXiv.1706.03762"), doi("10.5555/3295222"), pmid("7")),
    url="https://dl.acm.org/doi/10.5555/3295222",
    preprint=Version("arXiv", "2017-06-12", "10.48550/arxiv.1706.03762", "https://arxiv.org/abs/1706.03762"),
    published=Version("Advances in Neural Information Processing Systems", "2017", "10.5555/3295222", None),
)
"""A paper that is known in both versions."""


def edge_entries() -> list[Entry]:
    """Every edge paper as an entry with its case as the key, and entries with all that an entry can hold."""
    whole = Entry(
        "everything", "article", "Pages and numbers", (Name("Doe", "Jane"), name_of(CDC)), "2021-11-05", "J. All",
        volume="12", number="3", pages="100–110", series="Series 2", issn="1234-5679", doi="10.1000/all",
        arxiv="2101.00001", arxiv_class="cs.CL", url="https://example.org/{x}", abstract="A {lone brace\nand % more",
        keywords=("a", "b & c"), file="/desk/me/a b.pdf", note="read this",
    )  # fmt: skip
    printed = Entry(
        "printed", "book", "A book", (Name("Doe", "Jane"),), "2021", "Press & Sons", volume="1", series="A series",
        address="Paris", edition="2", isbn="978-3-16-148410-0",
    )  # fmt: skip
    edited = Entry(
        "edited", "book", "A handbook of {braces", date="2021-11", container="Press", isbn="978-3-16-148410-0",
        editors=(Name("Waals", "J. D.", "van der"), name_of(CDC), name_of(Author("Đặng Văn", "Hùng"))),
    )  # fmt: skip
    part = Entry("part", "chapter", "A part", (Name("Doe", "Jane"),), "2021", "A handbook", editors=edited.editors)
    talk = Entry("talk", "proceedings", "A talk", (Name("Doe", "Jane"),), "2021", "Proc. X", editors=edited.editors)
    return [*(entry_of(one, key) for key, one in EDGE_PAPERS.items()), whole, printed, edited, part, talk]
