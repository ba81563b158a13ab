"""What a new user found wrong, each with the tests that keep it mended."""

import ast
from pathlib import Path

from tests.rows import each

HERE = Path(__file__).parent

FAULTS: dict[str, tuple[str, ...]] = {
    "F1 operators are dropped without a word": (
        "spar_tui/cli/test_operators.py::test_each_source_is_sent_the_operators_in_its_own_language_and_nothing_else",
        "spar_tui/cli/test_operators.py::test_a_query_that_cannot_be_read_is_refused_with_its_place",
    ),
    "F2 questions of health do not ask PubMed and Europe PMC": (
        "agents/builtin/question_parsing/test_question.py::test_health_beside_another_field_brings_pubmed_and_europe_pmc",
        "spar_tui/cli/verbs/test_search.py::test_sources_that_were_left_out_are_named_also_where_standard_error_is_a_file",
    ),
    "F3 the flow counts the search's own finds as a source": (
        "spar_tui/reports/test_search_flow.py::test_the_summary_line_of_a_search_adds_up_and_screening_later_does_not_move_its_end",
        "spar_tui/reports/test_search_flow.py::test_the_flow_is_recounted_from_the_stored_events",
    ),
    "F4 a log gives another result in another library": (
        "spar_tui/cli/verbs/test_log.py::test_a_search_can_be_run_again_from_either_form_of_its_log",
        "spar_tui/cli/verbs/test_log.py::test_what_differs_from_the_log_is_said",
    ),
    "F5 an export does not write what the log counts": (
        "spar_tui/screening/test_reports.py::test_an_export_without_a_set_writes_what_the_log_counts_as_relevant",
        "spar_tui/screening/test_reports.py::test_each_set_is_exported_with_as_many_papers_as_the_log_says",
    ),
    "F6 after screening the flow calls machine-accepted papers included": (
        "spar_tui/screening/test_reports.py::test_the_log_counts_what_a_person_decided_and_the_flow_still_adds_up",
        "spar_tui/reports/test_search_flow.py::test_the_summary_line_of_a_search_adds_up_and_screening_later_does_not_move_its_end",
    ),
    "F7 a watch with all sources down exits as one without news": (
        "spar_tui/watching/test_news.py::test_a_script_can_tell_news_from_nothing_new_and_from_not_known",
        "test_docs.py::test_what_runs_the_watches_by_itself_says_what_cron_and_systemd_take",
        "spar_tui/cli/verbs/test_search.py::test_a_search_that_no_source_answered_fails_unless_the_library_has_something_to_show",
    ),
    "F8 a failing source makes a false alert": (
        "spar_tui/cli/verbs/runs/test_watch_news.py::test_an_old_paper_is_no_news_though_only_one_source_is_left",
        "spar_tui/cli/verbs/test_watch.py::test_an_old_paper_that_the_first_list_had_no_room_for_is_no_news",
    ),
    "F9 an agent does not get the verdicts": (
        "spar_tui/mcp/test_verdicts.py::test_each_paper_has_the_verdict_that_json_has",
        "spar_tui/mcp/test_offered.py::test_the_whole_list_of_tools_costs_an_agent_few_tokens",
    ),
    "F10 the library's file grows and never shrinks": (
        "cache/test_small_runs.py::test_the_whole_file_grows_by_120_kilobytes_a_search_after_the_first",
        "cache/test_free_pages.py::test_forgetting_a_run_makes_the_file_smaller",
    ),
    "F11 a check of a whole library shows nothing until it ends": (
        "spar_tui/cli/verbs/test_progress.py::test_a_check_counts_the_entries_that_all_sources_are_through_with",
        (
            "spar_tui/cli/verbs/test_progress.py::"
            "test_a_check_that_is_stopped_says_how_far_it_came_and_goes_on_where_it_was"
        ),
    ),
    "F12 one check starves all other verbs": (
        "connectors/http/test_rate_limiter.py::test_who_waits_for_an_answer_goes_before_a_list_that_is_worked_through",
        "connectors/http/test_rate_limiter.py::test_the_last_quarter_of_a_days_budget_is_kept_for_who_waits",
    ),
    "F13 BibLaTeX is written under the name of a Word file": (
        "spar_tui/cli/verbs/test_export.py::test_a_file_whose_ending_is_of_no_format_is_refused_with_what_to_write",
    ),
    "F14 duplicates come back out of an export": (
        (
            "spar_tui/bibliography/test_gathering.py::"
            "test_a_paper_that_came_as_two_entries_is_written_once_with_all_that_they_tell"
        ),
        "spar_tui/cli/verbs/test_export.py::test_what_is_counted_are_the_entries_that_were_written",
    ),
    "F15 imported papers get no new keys and keep their abstracts": (
        "spar_tui/bibliography/test_gathering.py::test_keys_of_a_pattern_are_for_new_entries_unless_all_are_asked_for",
        "spar_tui/bibliography/test_gathering.py::test_abstracts_of_imported_entries_can_be_left_out",
    ),
    "F16 removing a saved paper cannot be undone": (
        "spar_tui/cli/verbs/test_undo.py::test_changes_are_taken_back_one_verb_at_a_time",
        "spar_tui/cli/verbs/test_undo.py::test_an_import_is_taken_back_whole_and_what_was_there_stays",
    ),
    "F17 follow-up queries come from irrelevant papers": (
        "spar_tui/cli/test_off_subject.py::test_papers_that_are_not_relevant_give_no_further_query",
    ),
    "F18 a name with diacritics is neither found nor judged": (
        "spar_tui/cli/test_library.py::test_a_name_is_found_and_judged_without_its_diacritics",
    ),
    "F19 a number at its option becomes a word of the filter": (
        "spar_tui/cli/test_app.py::test_a_number_may_stand_at_its_option_beside_a_filter",
    ),
    "F20 a relevance of 0.50 stands on both sides of the line": (
        "spar_tui/reports/test_search_flow.py::test_the_number_that_is_shown_says_on_which_side_of_the_line_a_paper_is",
    ),
    "F21 the first example without a network lists papers that are no answers": (
        "spar_tui/cli/test_off_subject.py::test_a_question_that_no_paper_is_about_says_so_and_shows_the_nearest",
    ),
    "F22 what is told on a terminal is not told in a file": (
        "spar_tui/cli/verbs/test_search.py::test_sources_that_were_left_out_are_named_also_where_standard_error_is_a_file",
        (
            "spar_tui/cli/verbs/test_search.py::"
            "test_on_a_terminal_the_reading_and_each_stage_are_told_and_only_the_answer_is_printed"
        ),
    ),
    "F23 a wrong verb is answered in broken sentences": (
        "spar_tui/cli/test_app.py::test_a_verb_that_is_misspelled_is_answered_in_whole_sentences",
        "spar_tui/cli/test_app.py::test_a_verb_that_people_guess_is_answered_with_the_right_one",
    ),
    "F24 doctor does not name every extra that is missing": (
        "spar_tui/cli/verbs/test_doctor.py::test_doctor_names_each_extra_that_is_missing",
    ),
    "F25 the key that an entry gets instead of a taken one is not told": (
        "spar_tui/bibliography/reading/test_shelving.py::test_a_key_that_names_another_paper_is_told_and_the_paper_taken",
    ),
    "F26 a name that BibTeX cannot read is not named": (
        "spar_tui/bibliography/test_checking.py::test_a_name_that_bibtex_cannot_read_is_told",
    ),
    "F27 a tag cannot be renamed": (
        "spar_tui/cli/verbs/test_shelf.py::test_a_tag_is_renamed_on_all_papers_and_undone_at_once",
    ),
}


@each("fault", FAULTS)
def test_each_fault_has_tests_that_are_there(fault: str) -> None:
    for named in FAULTS[fault]:
        file, _, name = named.partition("::")
        module = ast.parse((HERE / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in module.body if isinstance(node, ast.FunctionDef)}, named


def test_every_fault_is_in_the_table() -> None:
    assert [fault.partition(" ")[0] for fault in FAULTS] == [f"F{number}" for number in range(1, 28)]
