"""What the app's keys are called: the same things by the same words as on the command line."""

from spar_tui.tui.commands import COMMANDS, context_title

WORDS = {
    one.id: f"{context_title(place)} {one.title} {one.help}".casefold()
    for place, commands in COMMANDS.items()
    for one in commands
}


def test_no_key_calls_the_saved_papers_a_library() -> None:
    assert not [name for name, words in WORDS.items() if "librar" in words]
    assert "shelf" in WORDS["app.library"]


def test_a_summary_is_spelled_in_one_way() -> None:
    assert not [name for name, words in WORDS.items() if "summaris" in words]


def test_the_keys_of_the_shelf_keep_the_ids_that_settings_name() -> None:
    assert {"app.library", "library.filter", "library.order", "library.back"} <= WORDS.keys()
