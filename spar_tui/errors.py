"""What a person can do about what went wrong: one sentence and an exit code.

UserError          something the command line says in one sentence
  UsageError         wrong usage or unreadable input: exit code 2
    SettingsError    a setting that cannot be used
  Failure            the job could not be done: exit code 1
  NothingFound       nothing came of it, though nothing failed: exit code 3
  Interrupted        the person stopped it: exit code 130
"""


class UserError(Exception):
    """Shown as `spar: <sentence>`, never as a traceback."""

    exit_code = 1


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
