"""What a person can do about what went wrong: one sentence and an exit code.

PersonError          something the command line says in one sentence
  UsageError         wrong usage or unreadable input: exit code 2
    SettingsError    a setting that cannot be used
  Failure            the job could not be done: exit code 1
  Interrupted        the person stopped it: exit code 130
"""


class PersonError(Exception):
    """Shown as `spar: <sentence>`; never a traceback."""

    exit_code = 1


class UsageError(PersonError):
    exit_code = 2


class SettingsError(UsageError):
    pass


class Failure(PersonError):
    exit_code = 1


class Interrupted(PersonError):
    exit_code = 130
