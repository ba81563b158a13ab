"""The language of a text: by script, then by the small words every sentence needs."""

import re
import unicodedata
from collections import Counter

from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

# Small words that are frequent in one language and rare in the others here; English is told by its stop words. Those
# after the bar are words of English, abbreviations or parts of names as well: "van", "die", "comment".
_MARKS = {
    "German": """das dem und oder für über bei nicht mit eine einer einen einem eines vom zur zum ist sind wird werden
        welche welcher gibt auf wie wir nach sowie durch zwischen der | die ein den von sich auch""",
    "French": """les une et dans sur pour avec est sont quels quelles quel quelle aux sans entre chez leur
        | le des que qui pas par cette du comment ou""",
    "Spanish": """del para por como qué cuáles cuál sobre según más una unos
        | el los las y es en que con se su cómo lo pero está son""",
    "Portuguese": """uma não são em como para por | o os e é um que com da do dos das mais ao pela qual""",
    "Italian": """gli della delle dei degli nel nella sono che quali tra una del
        | come il e è di per con non più le anche""",
    "Dutch": "het een voor zijn wordt naar tussen | en van niet met op dat de ook aan bij welke hoe deze",
    "Swedish": "och att för som är till |",
}
_SURE = {language: frozenset(words.partition("|")[0].split()) for language, words in _MARKS.items()}
_ALL = {language: frozenset(words.replace("|", " ").split()) for language, words in _MARKS.items()}
_ENGLISH = STOP_WORDS | QUESTION_WORDS
_NOT_ENGLISH = frozenset().union(*_SURE.values())
_ACCENTED = frozenset("äöüßàâçéèêëîïôùûñáíóúãõåøæ")
_WORD = re.compile(r"[^\W\d_]+")
_READ_CAP = 5_000
LEAST_MARKS = 2
"""Fewer small words than these say nothing: a list of terms is in no language."""
_JAPANESE_SHARE = 0.1
_LATIN_SHARE = 0.7
_BORROWED = 2
"""So many foreign small words an English text may have, in a title it names for instance."""


def in_language_of(text: str, question: str) -> bool:
    """Whether `text` is in the language of `question`, as far as both can be told; else True."""
    scripts = script(text), script(question)
    if None in scripts:
        return True
    if scripts[0] != scripts[1]:
        return False
    languages = language(text), language(question)
    return None in languages or languages[0] == languages[1]


def script(text: str) -> str | None:
    """The script most letters are in, by its Unicode name; JAPANESE for Han among kana; None without letters."""
    counts = _scripts(text)
    if not counts:
        return None
    kana = counts["HIRAGANA"] + counts["KATAKANA"]
    if kana > _JAPANESE_SHARE * counts.total():
        return "JAPANESE"
    return counts.most_common(1)[0][0]


def language(text: str) -> str | None:
    """The language of Latin letters whose small words are the most frequent; None where that is not clear."""
    words = _words(text)
    hits = Counter({name: sum(word in marks for word in words) for name, marks in _ALL.items()})
    hits["English"] = sum(word in _ENGLISH for word in words)
    (best, most), (_, second) = hits.most_common(2)
    return best if most >= LEAST_MARKS and most > second else None


def telling_words(text: str) -> str:
    """The words of a text in another language than English, without the small ones that every sentence there needs."""
    small = _ALL.get(language(text) or "", frozenset()) | _NOT_ENGLISH
    return " ".join(word for word in _words(text) if word not in small)


def is_english(text: str) -> bool:
    """Whether nothing says that `text` is in another language than English; a few bare terms are English."""
    letters = _scripts(text)
    if not letters or letters["LATIN"] < _LATIN_SHARE * letters.total():
        return False
    words = _words(text)
    foreign = sum(word in _NOT_ENGLISH for word in words)
    english = sum(word in _ENGLISH for word in words)
    accented = sum(not _ACCENTED.isdisjoint(word) for word in words)
    return foreign == 0 or (foreign + 0.5 * accented < english and foreign <= _BORROWED)


def _scripts(text: str) -> Counter[str]:
    return Counter(
        unicodedata.name(letter, "?").split()[0].rstrip("-") for letter in text[:_READ_CAP] if letter.isalpha()
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:_READ_CAP].lower())
