"""The errors of a verb, each with one sentence for the person and an exit code.

UserError          any error that the command line prints in one sentence
  UsageError         wrong usage or unreadable input: exit code 2
    SettingsError    a setting that cannot be used
  Failure            the job could not be done: exit code 1
  NothingFound       nothing failed, but there is no result: exit code 3
  Interrupted        the person stopped it: exit code 130
"""


class UserError(Exception):
    """Shown as `spar: <sentence>`, with the lines `below` it, never as a traceback."""

    exit_code = 1

    def __init__(self, sentence: str = "", *below: str) -> None:
        super().__init__(sentence)
        self.below = below


class UsageError(UserError):
    exit_code = 2


class SettingsError(UsageError):
    pass


class Failure(UserError):
    exit_code = 1


class NothingFound(UserError):
    exit_code = 3


class Interrupted(UserError):
    exit_code = 130
