"""Papers made up by chance from all that bibliographies have stumbled over; the same seed makes the same papers."""

from random import Random

from connectors.identifiers import arxiv, doi, identifiers
from connectors.paper import PAPER_TYPES, Author, Paper
from connectors.records.clean import clean_text

_FAMILIES = (
    "Vaswani", "van der Waals", "de la Vallée Poussin", "von Neumann", "King Jr.", "Gödel", "Erdős", "Łukasz", "Nguyễn",
    "O'Neil", "García Márquez", "Müller-Lüdenscheidt", "Đặng", "Þórsson", "Çelik", "Šafařík", "Иванов", "Παπαδόπουλος",
    "others", "and", "X", "D’Arcy", "Ångström", "ibn Sīnā", "Ó Briain", "Smith", "王", "佐藤",
)  # fmt: skip
_GIVEN = ("Ashish", "J. D.", "Jean-Luc", "Ю. В.", "伟", "Øystein", "María José", "Wen-tau", "Q.", "Zoë", "T'Pau")
_GROUPS = (
    "Centers for Disease Control and Prevention", "OpenAI", "The LHCb Collaboration", "Smith and Sons", "Sukarno",
    "AT&T Labs", "CERN (European Organization)", "王伟", "Procter & Gamble", "NICE {UK}",
)  # fmt: skip
_WORDS = (
    "attention", "BERT", "mRNA", "50%", "C#", "R&D", "F_1", "$5", "~", "^", "\\", "{", "}", "naïve", "Über", "détente",
    r"$\alpha_i^2$", r"$x \to y$", "$p_T$", "α", "µ", "深度学习", "обзор", "—", "–", "'quoted'", "“curly”", "a<b",
    "x>y",
    "--", "100 °C", "@home", "#hash", "Erdős–Rényi", "e.g.,", "why?", "wow!", "[sic]", "(n = 3)", r"\textbf", "|x|",
    "don't", "it’s", "GPT-4", "covid-19", "e=mc^2", "🎉", '"straight"', "`tick`", "ﬁne", "½", "$$", "A", "I/O", "Ł",
    "$a<b$", "{nested {braces}}", "\\{", "%comment", "\\input{x}", "=1+1", "TY  - JOUR", "ß", "ĳ", "…",
)  # fmt: skip


def generated(count: int, seed: int = 0) -> list[Paper]:
    """`count` papers, clean as the sources make them; each tenth thousandth has 3,000 authors."""
    dice = Random(seed)
    return [_paper(dice, number) for number in range(count)]


def _paper(dice: Random, number: int) -> Paper:
    people = 3_000 if number == 2_500 else dice.choice((0, 1, 1, 2, 3, 5, 12, 40))
    title = clean_text(" ".join(dice.choice(_WORDS) for _ in range(dice.randint(1, 12)))) or "(untitled)"
    year = dice.choice((None, "1931", "1999-12", "2017-06-12", "2020", "2024-02-29"))
    named_doi = doi(f"10.{dice.randint(1000, 9999)}/a_b(c)<d>;{number}") if dice.random() < 0.7 else None
    named_arxiv = arxiv(f"{dice.randint(10, 25)}{dice.randint(1, 12):02}.{number:05}") if dice.random() < 0.3 else None
    url = f"https://example.org/p_{number}?a=1&b=%20#x" if dice.random() < 0.4 else None
    return Paper(
        title,
        authors=tuple(_author(dice) for _ in range(people)),
        date=year,
        venue=clean_text(" ".join(dice.choice(_WORDS) for _ in range(dice.randint(0, 4)))),
        type=dice.choice(PAPER_TYPES),
        identifiers=identifiers(named_doi, named_arxiv),
        url=url,
    )


def _author(dice: Random) -> Author:
    if dice.random() < 0.15:
        return Author(dice.choice(_GROUPS))
    return Author(dice.choice(_FAMILIES), dice.choice(_GIVEN))
