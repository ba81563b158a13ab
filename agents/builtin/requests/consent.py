"""Whether a person says yes or no to what was proposed."""

import re

_YES = re.compile(
    r"(?:y|yes|yep|yeah|yup|sure|ok|okay|k|fine|please|do|do it|do that|do so|go|go ahead|go on|confirm|confirmed|agreed|"
    r"absolutely|of course|sounds good|agree|(?:that's|thats) (?:right|fine)|"
    r"yes please|please do|make it so)"
)
_NO = re.compile(
    r"(?:n|no|nope|nah|no thanks?|no thank you|don'?t|do not|don'?t do (?:it|that)|cancel|stop|abort|never ?mind|"
    r"not now|leave it|forget it|better not|rather not|wait)"
)


def consent(text: str) -> bool | None:
    """True for a yes, False for a no, None for anything else: only what is nothing but a yes is one."""
    parts = [part for part in re.split(r"[\s]*[,.!;]+[\s]*", text.strip().lower().replace("’", "'")) if part]
    if not parts:
        return None
    if any(_NO.fullmatch(part) for part in parts):
        return False if all(_NO.fullmatch(part) or _YES.fullmatch(part) for part in parts) else None
    return True if all(_YES.fullmatch(part) for part in parts) else None
