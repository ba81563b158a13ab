"""The day some years, months, weeks or days before another."""

from calendar import monthrange
from datetime import date, timedelta


def ago(today: date, count: int, unit: str) -> date:
    """The day `count` years, months, weeks, days or decades before `today`, no earlier than year 1.

    Where the month has no such day, its last one: a year before 29 February is 28 February.
    """
    unit = unit.lower()
    if unit.startswith(("day", "week")):
        days = count * (7 if unit.startswith("week") else 1)
        return today - timedelta(days=min(days, today.toordinal() - 1))
    per_unit = 1 if unit.startswith("month") else 120 if unit.startswith("dec") else 12
    months = max(today.year * 12 + today.month - 1 - count * per_unit, 12)
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(today.day, monthrange(year, month)[1]))
