"""What becomes of tags when somebody changes the list of them."""

from collections.abc import Sequence


def tags_changed(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], list[str]]:
    """The tags that came and those that went; a tag is the same in capitals and small letters."""
    kept, there = {tag.casefold() for tag in after}, {tag.casefold() for tag in before}
    came = [tag for tag in after if tag.casefold() not in there]
    return came, [tag for tag in before if tag.casefold() not in kept]
