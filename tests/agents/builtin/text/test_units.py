"""What the unit after a number measures."""

from decimal import Decimal

from agents.builtin.text.quantities import plain
from agents.builtin.text.units import unit_after
from tests.rows import each


def in_basic_units(written: str) -> tuple[str, Decimal, dict[str, Decimal]]:
    unit, _ = unit_after(plain(written), 0)
    return unit.measure, unit.factor, dict(unit.per)


@each(
    ("written", "same"),
    [
        (" Å", " angstroms"),
        (" kg", " kilograms"),
        (" kg ha⁻¹ yr⁻¹", " kilograms per hectare and year"),
        (" g C m⁻²", " g/m²"),
        (" mmol L-1", " mM"),
        (" mL/min/1.73 m²", " ml per minute per 1.73 square meters"),
        (" μg/m³", " micrograms per cubic metre"),
        ("%", " per cent"),
        (" €", " euros"),
        ("-hour", " h"),
        (" peta-electronvolts", " PeV"),
        (" kilowatt hours", " kWh"),
        (" light-years", " ly"),
        (" Hz", " times per second"),
        (" wt%", " %"),
    ],
)
def test_a_unit_is_the_same_however_it_is_written(written: str, same: str) -> None:
    assert in_basic_units(written) == in_basic_units(same)
    assert in_basic_units(written)[0]


@each(
    ("written", "measure", "factor", "per"),
    [
        (" kWh", "J", "3600000", {}),
        (" t", "g", "1e6", {}),
        (" km/h", "m", "1000", {"s": Decimal(3600)}),
        (" cm2", "m2", "0.0001", {}),
        (" events per 1,000 person-years", "", "1", {"s": Decimal(31_557_600_000)}),
        (" s⁻¹", "", "1", {"s": Decimal(1)}),
        (" MCHF", "CHF", "1e6", {}),
        (" kUSD", "$", "1000", {}),
    ],
)
def test_a_unit_is_so_many_basic_units(written: str, measure: str, factor: str, per: dict[str, Decimal]) -> None:
    assert in_basic_units(written) == (measure, Decimal(factor), per)


@each("written", [" in 2010", " as a whole", " first-year students", " patients", " a kind", "D", ""])
def test_other_words_are_no_units(written: str) -> None:
    assert unit_after(written, 0)[1] == 0
