"""Properties of all messages: every word counts, no change is done in part, and reading is cheap."""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reading.acts.act import WORDS as NAMED
from agents.reading.acts.act import pattern
from agents.reading.acts.table import ACTS
from agents.reading.choosing import found_by
from agents.reading.message import own_words, read_message, turn_of
from agents.reading.reading import MessagePlan, ToolCall
from agents.run.resources import Resources
from agents.tools.table import by_name
from agents.tools.tool import ToolContext
from cache import citation_keys
from cache.papers import remember
from cache.store import PaperId, Store
from connectors.paper import Paper
from spar_tui.bibliography.tools import ExportArguments
from spar_tui.interface import TextInterface
from tests.agents.reading import shelves

MOST_CALLS = 30_000
"""Maximum number of Python function calls to read a message."""
WORDS = (
    "papers by Lee in Nature since 2020 about hydrogen tag save it the first not and or how many BERT unread who of"
    " compare summarize my most cited , ? only her zzz note : remove all these export as bibtex malaria"
    " paper 5 without"
).split()


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolContext]:
    with Store.open(tmp_path_factory.mktemp("reading") / "library.db") as store:
        shelves.fill(store)
        yield ToolContext(store, Resources({}), shelves.NOW)


def read(message: str, context: ToolContext) -> MessagePlan:
    return read_message(turn_of(message, context, shelves.NOW.date()))


@given(words=st.lists(st.sampled_from(WORDS), max_size=9))
def test_any_words_come_to_a_plan_that_tools_can_read_or_to_a_question_back(
    words: list[str], context: ToolContext
) -> None:
    reading = read(" ".join(words), context)
    tools = by_name(TextInterface().tools)
    for call in (*reading.calls, *(call for option in reading.options for call in option.calls)):
        tools[call.tool].read(call.arguments)
    if reading.understood:
        assert reading.calls or reading.reply
        assert not reading.rest
        assert not reading.unknown
    else:
        assert reading.reply
        assert not reading.calls
        assert all(option.calls for option in reading.options)


@pytest.mark.parametrize(
    "message",
    [
        "saved papers by Lee", "what did I write about sea level rise?", "compare BERT and Attention is all you need",
        "papers on hydrgen", "tag all papers by Hansen since 2003 with ocean",
        "how long do perovskite solar cells last outdoors?", "throw away the perovskite paper",
        pytest.param("abcdefghij" * 300, id="a word of 3,000 letters"),
    ],
)  # fmt: skip
def test_a_message_is_read_in_few_calls(message: str, context: ToolContext) -> None:
    read(message, context)  # loads modules and tables, once per process
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        read(message, context)
    finally:
        sys.setprofile(None)
    assert calls <= MOST_CALLS


def test_a_word_that_is_not_understood_is_named_and_nothing_is_done(context: ToolContext) -> None:
    reading = read("frobnicate the papers by Lee", context)
    assert not reading.understood
    assert "“frobnicate”" in reading.reply
    assert ["filter", "list"] in [[call.tool for call in option.calls] for option in reading.options]


EXAMPLES = st.sampled_from([act.example.split() for act in ACTS if act.example])


@given(EXAMPLES, EXAMPLES, st.integers(0, 9), st.integers(0, 9))
def test_what_is_made_of_two_messages_is_read_without_an_error(
    context: ToolContext, first: list[str], second: list[str], end: int, begin: int
) -> None:
    read(" ".join([*first[:end], *second[begin:]]), context)


def test_an_act_without_steps_is_no_doubt(context: ToolContext) -> None:
    read("sort these by help", context)
    read("the two perovskite's papers", context)


@pytest.mark.parametrize("place", range(3))
def test_a_strange_word_anywhere_in_a_message_is_used_or_named(place: int, context: ToolContext) -> None:
    shown = replace(context, shown=(PaperId(1), PaperId(2)), candidates=(PaperId(1), PaperId(2)))
    for number, message in enumerate(act.example for act in ACTS if act.example):
        words = message.split()
        at = (number + place * len(words)) % (len(words) + 1)
        words.insert(at, "zorbly")
        reading = read_message(turn_of(" ".join(words), shown, shelves.NOW.date()))
        steps = [call.arguments for call in reading.calls]
        assert not reading.understood or "zorbly" in f"{steps} {reading.taken}", " ".join(words)


def test_a_question_for_one_paper_keeps_its_conditions(context: ToolContext) -> None:
    asked, told = read("what's the oldest paper on my shelf", context), read("the oldest paper on my shelf", context)
    assert asked.calls[:2] == told.calls[:2]
    assert asked.calls[0].arguments == {"saved": True}


def test_a_change_of_one_paper_of_a_family_name_asks_which_one(context: ToolContext) -> None:
    options = read("tag Smith's paper as heart", context).options
    assert len(options) == 3
    assert {option.calls[-1].tool for option in options} == {"tag"}
    assert all(len(option.calls[-1].arguments["papers"]) == 1 for option in options)


@pytest.mark.parametrize("message", ["which venue has most 7 papers?", "how many 7 papers per tag?", "7 newest papers"])
def test_a_number_of_papers_is_used_or_named(message: str, context: ToolContext) -> None:
    reading = read(message, context)
    assert "“7”" in reading.reply or "7" in str(reading.calls[-1].arguments)


@pytest.mark.parametrize("message", ["papers saved today", "what did I save today?"])
def test_a_courtesy_at_the_end_is_not_passed_over_where_it_says_something(message: str, context: ToolContext) -> None:
    assert read(message, context).calls[0].arguments == {"saved_since": "2026-11-20", "saved_until": "2026-11-20"}


def test_a_word_between_papers_and_their_subject_is_told(context: ToolContext) -> None:
    assert read("papers focused on malaria", context).taken == ("“focused on” as about",)


def test_a_figure_of_no_paper_is_not_told(context: ToolContext) -> None:
    calls = read("average citations of my papers tagged zorbly", context).calls
    assert [call.tool for call in calls] == ["filter", "list"]


@pytest.mark.parametrize(("stars", "liking"), [("5", "liked"), ("four or better", "liked"), ("1 star", "disliked")])
def test_stars_are_asked_back_as_liking(stars: str, liking: str, context: ToolContext) -> None:
    reading = read(f"papers rated {stars}", context)
    assert f"not “rated {stars}”" in reading.reply
    assert reading.options[0].label == f"“papers {liking}”"


def test_the_request_among_several_clauses_is_offered(context: ToolContext) -> None:
    reading = read("I write a chapter. Give me everything on malaria, newest first, so I can frobnicate it", context)
    assert reading.options[0].label == "“Give me everything on malaria, newest first”"


def test_a_word_that_nobody_knows_does_not_hide_the_act_that_is_named(context: ToolContext) -> None:
    assert read("oops undo zorbly", context).options[0].calls[-1].tool == "take_back"


def test_an_act_without_papers_asks_which_beside_a_word_that_nobody_knows(context: ToolContext) -> None:
    reply = read("give me zorbly bibliography", context).reply
    assert "“zorbly”" in reply
    assert "Which papers do you mean?" in reply


def test_it_is_asked_back_where_no_paper_was_shown(context: ToolContext) -> None:
    assert read("tag it as important", context).reply.startswith("Which papers do you mean?")


def test_a_name_nearly_as_written_is_offered(context: ToolContext) -> None:
    reading = read("papers by Smyth", context)
    assert not reading.understood
    assert reading.options[0].calls[0].arguments == {"authors": ["Smith"]}


@pytest.mark.parametrize("word", ["before", "articles", "without", "sorted", "citations"])
@pytest.mark.parametrize("slip", ["left out", "exchanged", "doubled"])
def test_a_slip_in_a_word_of_the_reader_is_read_and_told_or_asked_back(
    word: str, slip: str, context: ToolContext
) -> None:
    message = "articles before 1990 without notes sorted by citations"
    middle = len(word) // 2
    letters = {
        "left out": word[:middle] + word[middle + 1 :],
        "exchanged": word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :],
        "doubled": word[:middle] + word[middle - 1 :],
    }[slip]
    reading = read(message.replace(word, letters), context)
    if letters == word:
        return
    if reading.understood:
        assert reading.calls == read(message, context).calls
        assert f"“{letters}” as “{word}”" in reading.taken
    else:
        assert reading.options[0].label == f"“{message}”"


def test_what_the_library_cannot_hold_is_said_so(context: ToolContext) -> None:
    assert "no data on “funded”" in read("who funded the AlphaFold paper?", context).reply


def test_several_papers_of_a_subject_are_asked_back(context: ToolContext) -> None:
    reading = read("who wrote the malaria trial?", context)
    assert len(reading.options) == 2
    assert {option.calls[0].tool for option in reading.options} == {"paper"}


def test_a_pattern_has_words_in_any_order_a_mood_and_slots() -> None:
    row = pattern("! REMOVE tag|tags [really|now] {papers} {tags}")
    assert row.mood == "!"
    assert row.slots == {"papers", "tags"}
    remove, tag = row.anchors
    assert remove.firsts >= {"remove", "delete", "take"}
    assert ("take", "..", "off") in remove.phrases
    assert tag.phrases == (("tag",), ("tags",))
    assert row.optional[0].firsts == {"really", "now"}


def test_every_act_has_words_that_ask_for_it() -> None:
    for act in ACTS:
        assert act.patterns, act.name
        for row in act.patterns:
            assert row.anchors or row.slots >= {"format"}, (act.name, row)
            assert not NAMED.keys() & act.words, act.name
    assert {"average", "tagged", "who"} <= own_words()


@pytest.mark.parametrize(
    "messages",
    [
        ("tag the zirconium paper as nuclear", "could you give the zirconium paper the tag nuclear?"),
        ("remove the tag ml from BERT", "take ml off BERT", "BERT no longer needs the tag ml"),
        ("mark the housing paper as read", "I finished the housing paper", "set the housing paper to read"),
        ("export my thesis papers as RIS", "RIS of my thesis papers, please", "I need my thesis papers in RIS format"),
        ("how often was the lasso paper cited?", "citations of the lasso paper", "lasso paper: how many citations?"),
    ],
)  # fmt: skip
def test_a_request_in_other_words_and_another_order_is_the_same(
    messages: tuple[str, ...], context: ToolContext
) -> None:
    first, *others = (read(message, context).calls for message in messages)
    assert all(steps == first for steps in others), others
    assert first


def test_an_aside_is_passed_over_and_told(context: ToolContext) -> None:
    reading = read("my supervisor is breathing down my neck, so tag the housing paper as urgent", context)
    assert reading.calls[-1].arguments["add"] == ["urgent"]
    assert "“my supervisor is breathing down my neck” as no part of the request" in reading.taken


@pytest.mark.parametrize("name", ["format", "style"])
def test_papers_are_exported_in_each_format_and_style_as_named(name: str, context: ToolContext) -> None:
    values = re.findall("'([^']+)'", str(ExportArguments.model_fields[name].annotation))
    assert len(values) > 5
    for value in values:
        [call] = read(f"export the rice paper in {value} style", context).calls
        assert call.arguments[name] == value


def test_a_wish_behind_a_request_is_no_aside(context: ToolContext) -> None:
    reading = read("summarize the energy papers, I want the part on thermodynamics", context)
    assert not reading.understood


@pytest.mark.parametrize("message", ["bees but which are unread?", "unread ones, gerontology"])
def test_a_subject_that_no_paper_has_is_no_aside(message: str, context: ToolContext) -> None:
    assert not read(message, context).understood


def test_a_fact_asked_of_several_papers_in_one_message_is_told_of_each(context: ToolContext) -> None:
    reading = read("who wrote the lasso paper, who the gut paper and who the battery one?", context)
    assert [call.arguments["parts"] for call in reading.calls] == [["authors"]] * 3
    assert len({call.arguments["paper"] for call in reading.calls}) == 3


def test_latest_and_oldest_first_sort_papers_put_on_the_shelf_by_that_day(context: ToolContext) -> None:
    for order, by in (("latest", "last_saved"), ("oldest", "first_saved")):
        reading = read(f"the papers most recently put on my shelf, {order} first", context)
        assert [call.arguments["by"] for call in reading.calls if call.tool == "rank"] == [by]


@pytest.mark.parametrize(
    "message", ["how many papers have I tgged energy gerontology?", "can you mark the rice paper as gnarly read?"]
)
def test_texts_are_not_offered_for_counts_and_changes(message: str, context: ToolContext) -> None:
    reading = read(message, context)
    assert not reading.understood
    assert all(call.tool != "ask_papers" for option in reading.options for call in option.calls)


def test_an_aside_that_names_somebody_of_the_library_is_none(context: ToolContext) -> None:
    reading = read("papers on malaria, it was Okafor that I meant", context)
    assert "Okafor" in str(reading.calls) or not reading.understood


def test_the_paper_of_one_clause_is_meant_by_it_in_the_next(context: ToolContext) -> None:
    reading = read("the cod paper was quite useful, give it a thumbs up", context)
    assert [call.tool for call in reading.calls] == ["mark"]
    assert reading.calls[0].arguments["as"] == "like"


def test_a_correction_in_the_same_message_takes_the_place_of_what_it_corrects(context: ToolContext) -> None:
    reading = read("give the rice paper a thumbs up, sorry no, I meant the wheat paper", context)
    assert len(reading.calls) == 1
    assert context.store is not None
    assert reading.calls[0].arguments["papers"] == read("like the wheat paper", context).calls[0].arguments["papers"]


@pytest.mark.parametrize(
    "message",
    ["papers that I have not read", "which papers did I like?", "I have not read everything", "do not tag the first",
     "papers about tags", "how many did I tag?", "did I save BERT?"],
)  # fmt: skip
def test_what_asks_or_tells_of_a_change_makes_none(message: str, context: ToolContext) -> None:
    assert not {"tag", "mark", "save", "unsave", "note"} & {call.tool for call in read(message, context).calls}


def test_a_misspelt_word_of_the_reader_is_read_and_told(context: ToolContext) -> None:
    reading = read("papres by Hansen", context)
    assert reading.calls[0].arguments == {"authors": ["Hansen"]}
    assert "“papres” as “papers”" in reading.taken


def test_a_misspelt_name_of_a_time_is_read_and_told(context: ToolContext) -> None:
    reading = read("papers from Febuary 2020", context)
    assert reading.calls[0].arguments == {"since": "2020-02", "until": "2020-02"}
    assert "“Febuary” as “february”" in reading.taken


@pytest.mark.parametrize("word", ["form", "tiles", "hand"])
def test_a_word_of_everyday_english_is_no_slip(word: str, context: ToolContext) -> None:
    reading = read(f"papers with {word} by Hansen", context)
    assert not reading.understood
    assert f"“{word}”" in reading.reply


def test_new_papers_on_a_subject_are_watched(context: ToolContext) -> None:
    [step] = read("let me know when something new on malaria vaccines comes out", context).calls
    assert (step.tool, step.arguments) == ("watch", {"question": "malaria vaccines"})


@pytest.mark.parametrize(
    ("message", "saved"),
    [
        ("my papers", True),
        ("what is my most cited paper", True),
        ("my three newest articles", True),
        ("the most cited paper", False),
        ("show my notes on the newest paper", False),
    ],
)
def test_my_papers_are_the_saved_ones_wherever_my_stands_in_the_phrase(
    message: str, saved: bool, context: ToolContext
) -> None:
    assert any(call.arguments.get("saved") is True for call in read(message, context).calls) is saved


@pytest.mark.parametrize(
    "message",
    [
        "add to my note on the sea level paper: ask Åsa",
        "note on the sea level paper: ask Åsa",
        "add ask Åsa to my note on the sea level paper",
    ],
)
def test_a_note_is_written_below_the_one_that_is_there(message: str, context: ToolContext) -> None:
    old, _, new = read(message, context).calls[-1].arguments["text"].partition("\n")
    assert "figure 3" in old
    assert new == "ask Åsa"


def test_a_note_is_replaced_where_this_is_asked_for(context: ToolContext) -> None:
    reading = read("change the note on the sea level paper to: ask Åsa", context)
    assert reading.calls[-1].arguments["text"] == "ask Åsa"


def test_a_tag_does_not_begin_with_a_word_for_papers(context: ToolContext) -> None:
    turn = turn_of("tag the second one storage", replace(context, shown=(PaperId(1), PaperId(2))), shelves.NOW.date())
    assert read_message(turn).calls[-1].arguments == {"papers": ["@2"], "add": ["storage"]}


@pytest.mark.parametrize(
    ("message", "tools"),
    [
        ("tag the wheat paper as crops and mark it unread", ["tag", "mark"]),
        ("tag the wheat paper as crops, and save it", ["tag", "save"]),
        ("tag the wheat paper as rust and data", ["tag"]),
        ("untag energy from all papers", ["tag"]),
    ],
)
def test_a_verb_behind_a_tag_begins_another_change(message: str, tools: list[str], context: ToolContext) -> None:
    calls = [call for call in read(message, context).calls if call.tool != "filter"]
    assert [call.tool for call in calls] == tools
    assert not any("mark" in tag or "save" in tag for tag in calls[0].arguments.get("add", ()))


@pytest.mark.parametrize(
    ("papers", "conditions"),
    [
        ("everything older than 2010", {"until": "2009"}),
        ("all papers in Nature", {"venues": ["Nature"]}),
        ("all papers by Novák", {"authors": ["Novák"]}),
        ("all my unread papers", {"read": False, "saved": True}),
        ("everything", {}),
    ],
)
def test_a_tag_is_removed_from_no_paper_that_the_conditions_leave_out(
    papers: str, conditions: dict[str, Any], context: ToolContext
) -> None:
    *chosen, change = read(f"remove the tag energy from {papers}", context).calls
    wanted = [call.arguments for call in chosen]
    assert len(wanted) == 1
    assert wanted[0].items() >= conditions.items()
    assert change.arguments == {"papers": ["@all"], "remove": ["energy"]}
    assert papers != "everything" or wanted == [{"tags": ["energy"]}]


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("the energy tag can go", "tag"),
        ("get rid of the energy label", "tag"),
        ("remove all papers tagged energy", "unsave"),
        ("remove the papers tagged energy", "unsave"),
    ],
)
def test_the_first_noun_says_whether_papers_or_tags_are_removed(message: str, tool: str, context: ToolContext) -> None:
    assert read(message, context).calls[-1].tool == tool


def test_what_a_search_cannot_leave_out_is_told_and_not_looked_for(context: ToolContext) -> None:
    reading = read("search for work on tidal power that I haven't saved yet", context)
    assert reading.calls[0].arguments == {"question": "tidal power"}
    assert "“that I have not saved yet” as no condition" in reading.taken[0]
    assert read("search for drugs that do not harm the liver", context).taken == ()


def test_offers_are_of_several_kinds_and_name_the_papers_and_what_they_leave_out(context: ToolContext) -> None:
    options = read("frobnicate the tag later on the zirconium paper", context).options
    tagging = next(option for option in options if option.calls[-1].tool == "tag")
    assert tagging.calls[-1].arguments["papers"]
    assert "“frobnicate”" in tagging.label
    kinds = [option.calls[-1].tool for option in options[:3]]
    assert len(set(kinds)) == len(kinds)


def test_no_act_leaves_out_a_negation_or_takes_all_papers_for_a_change(context: ToolContext) -> None:
    for message in ("frobnicate", "tag", "save everything that is not frobnicated", "like nothing by zorbly"):
        for option in read(message, context).options:
            changes = option.calls[-1].tool in ("save", "unsave", "tag", "note", "mark")
            assert not (changes and option.calls[0].tool == "filter" and not option.calls[0].arguments), option


def test_a_question_behind_an_answer_from_texts_asks_the_same_papers(context: ToolContext) -> None:
    before = [ToolCall("ask_papers", {"question": "how brittle does it make steel?", "papers": ["#7"]})]
    turn = turn_of("and hydrogen?", context, shelves.NOW.date(), before, before_onward=True)
    assert read_message(turn).calls == (ToolCall("ask_papers", {"question": "hydrogen", "papers": ["#7"]}),)


def test_a_name_in_another_script_is_known_by_the_citation_key(context: ToolContext) -> None:
    assert citation_keys.keep(context.store, 31, "yamada2016foreshocks")
    [step, _] = read("papers by yamada", context).calls
    assert step.arguments == {"authors": ["太郎 山田"]}


@pytest.mark.parametrize(
    ("message", "papers", "given"),
    [
        (
            "tag the sleep paper energy and the gut one biology",
            ["#22", "#21"],
            [{"add": ["energy"]}, {"add": ["biology"]}],
        ),
        ("mark the sleep paper as read and the gut one as unread", ["#22", "#21"], [{"as": "read"}, {"as": "unread"}]),
        ("tag the sleep paper and the gut one energy", ["#22 #21"], [{"add": ["energy"]}]),
    ],
)
def test_a_verb_left_out_behind_and_is_that_of_the_first_change(
    message: str, papers: list[str], given: list[dict[str, object]], context: ToolContext
) -> None:
    changes = read(message, context).calls
    assert [" ".join(change.arguments["papers"]) for change in changes] == papers
    assert [{**change.arguments} for change in changes] == [
        {"papers": named.split(), **value} for named, value in zip(papers, given, strict=True)
    ]


@pytest.mark.parametrize("corrects", ["no, I mean", "sorry, I meant", "no,"])
def test_a_tag_is_corrected_in_the_same_message(corrects: str, context: ToolContext) -> None:
    [change] = read(f"tag the sleep paper bio, {corrects} psych", context).calls
    assert change.arguments == {"papers": ["#22"], "add": ["psych"]}


@pytest.mark.parametrize(("number", "day"), [("forty", "10-11"), ("thirteen", "11-07"), ("twenty-one", "10-30")])
def test_numbers_below_a_hundred_are_read_in_words(number: str, day: str, context: ToolContext) -> None:
    [chosen, _] = read(f"what did I save during the last {number} days?", context).calls
    assert chosen.arguments == {"saved_since": f"2026-{day}"}


def test_these_of_no_list_are_not_all_papers(context: ToolContext) -> None:
    assert not read("from these, the unread ones", context).understood


def test_no_change_of_the_whole_library_without_a_word_for_all(context: ToolContext) -> None:
    for message in ("lovely papers, I like them, and please tag them garden", "tag the papers garden"):
        assert not any(call.tool in ("tag", "mark") for call in read(message, context).calls)
    assert [call.tool for call in read("tag every paper garden", context).calls] == ["filter", "tag"]


def test_praise_of_it_is_an_aside(context: ToolContext) -> None:
    reading = read("lovely paper, I like it", replace(context, focus=PaperId(1)))
    assert [(call.tool, call.arguments["papers"]) for call in reading.calls] == [("mark", ["@it"])]


@pytest.mark.parametrize(
    "state", ["that are unread", "that I have not read", "which are still unread", "that are read"]
)
def test_a_state_behind_that_describes_the_papers_and_is_no_mark(state: str, context: ToolContext) -> None:
    assert [call.tool for call in read(f"count the saved papers {state}", context).calls] == ["filter"]
    marked = read(f"mark the papers {state} as read", context)
    assert [call.arguments.get("as") for call in marked.calls if call.tool == "mark"] == ["read"]


def test_a_new_tag_ends_before_a_word_for_every_paper(context: ToolContext) -> None:
    assert read("rename the tag thesis to finals everywhere", context).calls[-1].arguments["add"] == ["finals"]


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("get the works BERT references", "references"),
        ("get the works that reference BERT", "citations"),
        ("everything the lasso paper cites", "references"),
        ("papers that cite the lasso paper", "citations"),
    ],
)
def test_the_paper_before_a_verb_for_citing_cites(message: str, tool: str, context: ToolContext) -> None:
    assert [call.tool for call in read(message, context).calls] == [tool]


def test_a_whole_title_behind_a_cue_is_a_title(context: ToolContext) -> None:
    title = "Insecticide-treated bed nets and child mortality"
    assert read(f"first author of {title}?", context).calls[0].arguments == {"paper": "#2", "parts": ["authors"]}
    assert read(f"tag {title} as nets", context).calls == (ToolCall("tag", {"papers": ["#2"], "add": ["nets"]}),)


def test_them_are_papers_of_the_list_before_if_it_has_any(context: ToolContext) -> None:
    assert not read("tag them june", replace(context, candidates=())).understood
    [tagged] = read("tag them june", replace(context, candidates=(PaperId(1), PaperId(2)))).calls
    assert tagged.arguments["papers"] == ["@all"]


@pytest.mark.parametrize(
    ("message", "limit"),
    [
        ("of my energy papers, the two with the fewest citations", 2),
        ("the three papers that have the most citations", 3),
        ("which of my energy papers has most citations?", 1),
        ("which of my energy papers have most citations?", None),
    ],
)
def test_an_order_shows_as_many_papers_as_it_is_asked_for(
    message: str, limit: int | None, context: ToolContext
) -> None:
    assert read(message, context).calls[-1].arguments.get("limit") == limit


@pytest.mark.parametrize(
    ("papers", "venue"),
    [("the Ho Chi Minh paper", None), ("the Cell Press paper", None), ("CHI papers", "CHI"), ("Cell papers", "Cell")],
)
def test_a_venue_is_not_read_out_of_a_longer_name_in_a_title(papers: str, venue: str | None, tmp_path: Path) -> None:
    with Store.open(tmp_path / "library.db") as store:
        titles = ("Flooding in Ho Chi Minh City", "A history of Cell Press")
        with store.writing():
            remember(store, [Paper(title) for title in titles], shelves.NOW)
        [chosen, *_] = read(f"show {papers}", ToolContext(store, Resources({}), shelves.NOW)).calls
    assert chosen.arguments.get("venues") == (venue and [venue])


def test_facts_asked_behind_a_list_are_of_the_papers_that_it_finds(context: ToolContext) -> None:
    reading = read("list the energy papers. which tags do they have?", context)
    assert reading.calls[-1].tool == "query"
    assert "(0" not in reading.calls[-1].arguments["sql"]


def test_a_condition_too_long_to_be_read_finds_no_papers_for_the_clause_behind(context: ToolContext) -> None:
    turn = turn_of("which tags do they have?", context, shelves.NOW.date())
    shown, chosen = ToolCall("list"), ToolCall("filter", {"tags": ["energy"]})
    assert found_by((ToolCall("filter", {"words": ["word " * 5_000]}), shown), turn) == []
    assert found_by((chosen,), turn) == found_by((chosen, shown), turn) != []
