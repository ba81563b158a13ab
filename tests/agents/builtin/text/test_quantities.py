"""A quantity is read however it is written, and compares equal to itself in another form or unit only."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.numbers import lacking
from agents.builtin.text.quantities import quantities, shares
from tests.rows import each

VALUES = st.decimals(1, 10**7, places=2).map(Decimal.normalize)
COUNTS = st.integers(11, 999_999)
FORMS = {
    "figures": lambda value: f"{value:f}",
    "thousands": lambda value: f"{value:,f}",
    "spaces": lambda value: f"{value:,f}".replace(",", "\u2009"),
    "raised point": lambda value: f"{value:f}".replace(".", "·"),
    "math": lambda value: f"${value:f}$",
    "spaced math": lambda value: f"${value:,f}$".replace(",", "{,}"),
    "power": lambda value: f"{value.scaleb(-3):f} × 10³",
    "power in TeX": lambda value: rf"${value.scaleb(-3):f}\times 10^{{3}}$",
    "power around TeX": lambda value: rf"{value.scaleb(2):f} $\times$ 10$^{{-2}}$",
    "power in a tag": lambda value: f"{value.scaleb(-4):f} x 10<sup>4</sup>",
    "power in brackets": lambda value: f"{value.scaleb(-5):f} x 10(5)",
    "exponent": lambda value: f"{value.scaleb(3):f}e-3",
    "scale": lambda value: f"{value.scaleb(-6):f} million",
    "short scale": lambda value: f"{value.scaleb(-3):f}k",
    "deviation": lambda value: rf"$({value.scaleb(-6):f}\pm0.1)\times10^{{6}}$",
}


@given(VALUES, st.sampled_from(sorted(FORMS)))
def test_a_value_is_read_in_any_form(value: Decimal, form: str) -> None:
    """The first number of the text has the value, however it is written."""
    assert quantities(f"a rise of {FORMS[form](value)} in all")[0].value == value


@given(VALUES, st.sampled_from(sorted({*FORMS} - {"deviation"})), st.sampled_from(sorted(FORMS)))
def test_forms_of_a_value_are_equal(value: Decimal, form: str, other: str) -> None:
    """A sentence may write the number of its quote in another form."""
    assert not lacking(f"a rise of {FORMS[form](value)} in all", f"it was {FORMS[other](value)} in all")


@given(COUNTS, st.data(), st.sampled_from(sorted(FORMS)))
def test_a_changed_digit_is_another_number(value: int, data: st.DataObject, form: str) -> None:
    """No form makes a number equal to one that differs in a digit; round numbers may stand for their neighbors."""
    digits = list(str(value))
    at = data.draw(st.integers(0, len(digits) - 1))
    digits[at] = data.draw(st.sampled_from([digit for digit in "123456789" if digit != digits[at]]))
    changed = int("".join(digits))
    if changed % 100:
        assert lacking(f"in {changed} patients", f"in {FORMS[form](Decimal(value))} patients")


@pytest.mark.parametrize(
    ("unit", "other", "factor"),
    [("mg", "g", 1_000), ("nm", "µm", 1_000), ("min", "hours", 60), ("months", "years", 12), ("Å", "nm", 10),
     ("kWh", "MJ", "0.277777777777777777777777777778"), ("mg/dl", "g/l", 100), ("days", "weeks", 7)],
)  # fmt: skip
@given(value=st.integers(2, 5_000))
def test_a_quantity_is_equal_in_another_unit(unit: str, other: str, factor: int | str, value: int) -> None:
    """Converted, it is the same quantity; without a conversion, the other unit is an error."""
    converted = value * Decimal(factor)
    assert not lacking(f"It was {value} {other}.", f"it was {converted:f} {unit}")
    assert lacking(f"It was {value} {unit}.", f"it was {value} {other}")


@given(st.integers(1, 500), st.integers(501, 5_000))
def test_a_share_is_the_percentage_of_its_counts(some: int, whole: int) -> None:
    """Counts, also with a unit of a thousand, and a percentage with three digits say the same."""
    percent = Decimal(100 * some) / whole
    written = f"{percent:.3g}" if percent >= Decimal("0.001") else f"{percent:.6f}"
    for text in (f"{some} of {whole} patients", f"{some} out of {whole}", f"{some}/{whole}", f"{some} in {whole}"):
        assert not lacking(f"It was seen in {written}%.", f"it was seen in {text}", computing=True)
        assert shares(text)[0].whole == whole


DAYS, MONTHS = {"day": 1, "week": 7}, {"month": Decimal("30.4375"), "year": Decimal("365.25")}
ADVERBS = {"month": "monthly", "year": "yearly"}


@given(st.integers(100, 999), st.sampled_from(sorted(DAYS)), st.sampled_from(sorted(MONTHS)), st.booleans())
def test_a_rate_is_equal_per_another_time(value: int, short: str, long: str, adverb: bool) -> None:
    """Three digits of the converted rate are the rate, a tenth more is another."""
    evidence = f"it had {value} cases {ADVERBS[long] if adverb else f'per {long}'}"
    converted = value * DAYS[short] / MONTHS[long]
    more = converted * Decimal("1.1")
    assert not lacking(f"There were {Decimal(f'{converted:.3g}'):f} cases a {short}.", evidence)
    assert lacking(f"There were {Decimal(f'{more:.3g}'):f} cases a {short}.", evidence)


@given(st.integers(2, 90), st.integers(3, 90), st.sampled_from(["h", "mg", "km", "°C", "GB"]), st.booleans())
def test_a_product_has_the_unit_of_a_factor(some: int, value: int, unit: str, apart: bool) -> None:
    """So many times a quantity, as one expression or as things of which each has it."""
    evidence = f"{some} of them with {value} {unit} each" if apart else f"{some} × {value} {unit}"
    product = some * value
    assert not lacking(f"It has {product} {unit}.", evidence, computing=True, loosely=True)
    wrong = 10 * product + 1
    assert lacking(f"It has {wrong} {unit}.", evidence, computing=True, loosely=True)


WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 7: "seven"}
PARTS = {2: "half halves", 3: "third thirds", 4: "fourth fourths", 5: "fifth fifths", 8: "eighth eighths",
         9: "ninth ninths", 12: "twelfth twelfths",
         20: "twentieth twentieths", 100: "hundredth hundredths"}  # fmt: skip


@given(st.sampled_from(sorted(WORDS)), st.sampled_from(sorted(PARTS)), st.sampled_from(["-", " "]))
def test_a_fraction_in_words_is_its_percentage(some: int, parts: int, joint: str) -> None:
    """A fraction in words, figures or percent is the same, on either side."""
    if some < parts:
        one, several = PARTS[parts].split()
        forms = [f"{WORDS[some]}{joint}{one if some == 1 else several} of them", f"{Decimal(100 * some) / parts:.3g}%"]
        forms += [f"a {one} of them"] if some == 1 else []
        for form in forms:
            assert not any(lacking(f"It was {form}.", f"it was {other}") for other in forms)
        assert lacking(f"It was {forms[0]}.", f"it was {Decimal(130 * some) / parts:.3g}%")


@each(
    "text",
    ["a third group", "the third of May", "the twenty-fifth patient", "a quarter later", "one fifth-grade class"],
)
def test_an_ordinal_is_no_fraction(text: str) -> None:
    """Neither as a share nor as a number."""
    assert not shares(text)
    assert all(number.value.to_integral_value() == number.value for number in quantities(text))


@each(
    ("text", "kind"),
    [
        ("P < 0.05", "P<"),
        ("p value of 0.3", "P"),
        ("P less than 0.001", "P<"),
        ("3.1 ± 0.4", "spread"),
        ("3.1 (SD 0.4)", "spread"),
        ("0.88 (95% CI, 0.81-0.96)", "bound"),
        ("0.88 [0.81; 0.96]", "bound"),
        ("0.88 (0.81–0.96)", "bound"),
        ("0.88, with a 95% confidence interval", "level"),
        ("GPT-4", "name"),
        ("96 patients", ""),
    ],
)
def test_a_number_tells_its_kind(text: str, kind: str) -> None:
    """Only findings are combined into others; the last number of the text has the kind."""
    assert quantities(text)[-1].kind == kind
