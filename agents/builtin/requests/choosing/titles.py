"""Words that must stand in the title."""

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases

_IN_TITLE = Phrases("""
    (with|having|containing|contain|contains|mention|mentions|have|has|say|says|use|uses|that have|that contain|that
        mention|whose title has|the) [the] [word/words/term/phrase] (<words:quoted>|<word>) in (the/their/its
        title/titles|title)
    (<words:quoted>|<word:word>) in (the/their/its title/titles|title/titles)
    (whose|where [the]|with [a|the]|in the|having [a|the]) title/titles [that|which]
        (contain/contains/containing/mention/mentions/has/have/having/say/says/with/including/includes) [the]
        [word/words/term/phrase] (<words:quoted>|<word>)
    [with|having|whose] title/titles
        (contain/contains/containing/mentioning/mentions/having/with/including/includes) [the]
        [word/words/term/phrase] (<words:quoted>|<word>)
    (<words:quoted>|<word:word>) (stands|appears|occurs) in the title
""")


def read_titles(choice: Choice) -> None:
    """What titles must hold."""
    if slots := choice.take(_IN_TITLE):
        choice.add("title_words", (slots.get("words") or slots["word"]).strip("\"'"))
