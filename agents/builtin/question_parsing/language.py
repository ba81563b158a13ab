"""Whether a question is in English, the only language whose questions are taken apart."""

import re

from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

_ELSEWHERE = frozenset(
    """das dem und oder für über bei nicht mit eine einer einen einem eines vom zur zum ist sind wird werden welche
    welcher gibt auf wie wir nach sowie durch zwischen der
    les une et dans sur pour avec est sont quels quelles quel quelle aux sans entre chez leur
    del para por como qué cuáles cuál sobre según más una unos
    gli della delle dei degli nel nella sono che quali tra
    uma não são em
    het een voor zijn wordt naar tussen
    och att för som är till""".split()
)
"""Function words of German, French, Spanish, Italian, Portuguese, Dutch and Swedish that are neither words of English
nor parts of names in it."""


def is_english(text: str) -> bool:
    """Whether `text` is English as far as its script and its function words tell; a few bare terms are."""
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum(letter < "\u0250" for letter in letters)
    if not letters or latin < 0.7 * len(letters):
        return False
    words = re.findall(r"[^\W\d_]+", text.lower())
    foreign = sum(word in _ELSEWHERE for word in words)
    english = sum(word in STOP_WORDS or word in QUESTION_WORDS for word in words)
    accented = sum(any(letter in "äöüßàâçéèêëîïôùûñáíóúãõåøæ" for letter in word) for word in words)
    return foreign == 0 or (foreign + 0.5 * accented < english and foreign <= 2)
