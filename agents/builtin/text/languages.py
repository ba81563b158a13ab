"""Whether a text is in the language of the question: by script, then by the small words every sentence needs."""

import re
import unicodedata
from collections import Counter

from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

# Words that are frequent in one language and rare in the others here; English is told by its stop words.
_MARKS = {
    "German": "der die das und ist nicht mit für ein eine auf den von dem sich werden wie welche auch bei zur zum",
    "French": "le les des et est dans une que pour qui sur pas avec sont par aux cette du quelles comment ou",
    "Spanish": "el los las y es en que por con para una del se como su más cómo qué lo pero está son",
    "Portuguese": "o os e é em um uma que por com para não da do dos das como mais são ao pela qual",
    "Italian": "il gli e è di che per con una non della del sono come più le nella dei anche quali",
    "Dutch": "het een en van niet met voor zijn op dat de wordt ook aan bij welke hoe deze",
}
_ALL_MARKS = {language: frozenset(words.split()) for language, words in _MARKS.items()}
_ENGLISH = STOP_WORDS | QUESTION_WORDS
_WORD = re.compile(r"[^\W\d_]+")
_READ_CAP = 5_000
LEAST_MARKS = 2
"""Fewer small words than these say nothing: a list of terms is in no language."""
_JAPANESE_SHARE = 0.1


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
    counts = Counter(
        unicodedata.name(letter, "?").split()[0].rstrip("-") for letter in text[:_READ_CAP] if letter.isalpha()
    )
    if not counts:
        return None
    kana = counts["HIRAGANA"] + counts["KATAKANA"]
    if kana > _JAPANESE_SHARE * counts.total():
        return "JAPANESE"
    return counts.most_common(1)[0][0]


def language(text: str) -> str | None:
    """The language of Latin letters whose small words are the most frequent; None where that is not clear."""
    words = _WORD.findall(text[:_READ_CAP].lower())
    hits = Counter({name: sum(word in marks for word in words) for name, marks in _ALL_MARKS.items()})
    hits["English"] = sum(word in _ENGLISH for word in words)
    (best, most), (_, second) = hits.most_common(2)
    return best if most >= LEAST_MARKS and most > second else None
