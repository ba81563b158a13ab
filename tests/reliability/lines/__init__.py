"""The lines of the scorecard, by their numbers. Each module has a function `measure(trial) -> Line`."""

from importlib import import_module

from tests.reliability.line import Line, Trial

LINES = {
    1: "kills",
    2: "power",
    3: "sharing",
    4: "storm",
    5: "rates",
    6: "silence",
    7: "sql",
    8: "injections",
    9: "hostile_text",
    10: "exports",
    11: "secrets",
    12: "model_replies",
    13: "bad_days",
    14: "recovery",
    15: "company",
    16: "strangers",
    17: "hostile_time",
}


def measured(number: int, trial: Trial) -> Line:
    """What comes of the line of this number."""
    line: Line = import_module(f"{__name__}.{LINES[number]}").measure(trial)
    assert line.number == number
    return line
