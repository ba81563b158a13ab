"""Matching of authors and venues by name."""

from cache.conditions.names import is_by
from cache.conditions.venue_names import is_at
from tests.rows import each


@each(
    ("author", "asked", "is_meant"),
    [
        ("Ann Lee", "lee", True),
        ("Ann Lee", "LEE", True),
        ("Lee", "lee", True),
        ("Bob van Leeuwen", "lee", False),
        ("Carl Ashlee", "lee", False),
        ("Lee Kwan", "lee", False),
        ("Bob van Leeuwen", "van leeuwen", True),
        ("Bob van Leeuwen", "leeuwen", True),
        ("Vanessa Leeuwen", "van leeuwen", False),
        ("Bob van Leeuwen", "bob leeuwen", True),
        ("Bob van Leeuwen", "lee*", True),
        ("Bob van Leeuwen", "van l*", True),
        ("Carl Ashlee", "lee*", False),
        ("Ann Lee", "ann lee", True),
        ("Ann Lee", "a lee", True),
        ("Ann Lee", "A. Lee", True),
        ("A. Lee", "ann lee", True),
        ("Ann Lee", "lee, ann", True),
        ("Ann Kwan Lee", "Lee AK", True),
        ("Ann Lee", "bob lee", False),
        ("Lee", "ann lee", False),
        ("Christopher D. Manning", "chris manning", True),
        ("Martin Luther King Jr.", "king", True),
        ("Erik Ørsted", "orsted", True),
        ("Jan Łukasiewicz", "lukasiewicz", True),
        ("Karl Weiß", "weiss", True),
        ("Ali Yılmaz", "yilmaz", True),
        ("Ali Yilmaz", "YILMAZ", True),
        ("José Núñez", "nunez", True),
        ("Jose Nunez", "Núñez", True),
        ("Conor O'Brien", "o’brien", True),
        ("Conor O'Brien", "obrien", True),
        ("Anna Smith-Jones", "jones", True),
        ("Anna Smith-Jones", "smith", True),
        ("Anna Smith-Jones", "smith-jones", True),
        ("Anna Smith-Jones", "anna smith", True),
        ("Jean-Pierre Serre", "J.-P. Serre", True),
        ("Jean Serre", "jean", False),
        ("Лев Толстой", "толстой", True),
        ("Γιώργος Σεφέρης", "σεφερης", True),
        ("小明 王", "王", True),
        ("小明 王", "王小明", True),
        ("王小明", "王", True),
        ("王小明", "小明", False),
        ("김민수", "김", True),
        ("김민수", "김*", True),
        ("Ann Lee", "*", False),
        ("Ann Lee", "", False),
        ("", "lee", False),
    ],
)
def test_a_name_is_the_family_name_and_what_stands_before_it_narrows_it(
    author: str, asked: str, is_meant: bool
) -> None:
    assert is_by([author], asked) is is_meant


@each(
    ("venue", "asked", "is_meant"),
    [
        ("Nature", "nature", True),
        ("Nature (London)", "nature", True),
        ("Nature Methods", "nature", False),
        ("Nature Methods", "nature*", True),
        ("Nature Methods", "nature methods", True),
        ("Signature", "nature*", False),
        ("The Lancet", "lancet", True),
        ("The Lancet", "the l*", True),
        ("The Lancet Oncology", "the lancet", False),
        ("Lancet (London, England)", "The Lancet", True),
        ("JAMA : the journal of the American Medical Association", "jama", True),
        ("JAMA network open", "JAMA", False),
        ("BMJ Open", "bmj", False),
        ("Advances in Neural Information Processing Systems 33", "NeurIPS", True),
        ("NeurIPS", "neural information processing systems", True),
        ("NIPS 2016", "neurips", True),
        ("Workshop on X at NeurIPS", "neurips", False),
        ("Proceedings of the National Academy of Sciences of the United States of America", "PNAS", True),
        ("Physical Review Letters", "physical review", False),
        ("Reviews of Volcano Physics", "Volcano Physics", False),
        ("Remote Sensing of Soil and Peat", "Soil and Peat", False),
        ("Stroke Recovery Letters", "stroke recovery", False),
        ("Stroke Recovery Letters", "stroke recovery*", True),
        ("Proceedings of the 12th International Conference on City Data", "City Data", True),
        ("Proceedings of the Conference on City Data", "conference on city data", True),
        ("Workshop on Rare Words at EMNLP", "Rare Words", True),
        ("International Migration", "migration", False),
        ("The Semantic Web - ISWC 2020", "iswc", True),
        ("Journal of Machine Learning Research", "machine learning", False),
        ("Journal of Machine Learning Research", "JMLR", True),
        ("Revista Española de Física", "revista espanola de fisica", True),
        ("", "nature", False),
        ("Nature", "*", False),
    ],
)
def test_a_venue_is_the_one_that_is_named_under_any_of_its_names(venue: str, asked: str, is_meant: bool) -> None:
    assert is_at(venue, asked) is is_meant
