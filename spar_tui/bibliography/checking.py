"""Check the entries of a bibliography against the sources.

Each verdict has a proof. "Not found" and "could not check" are different verdicts, because false alarms are the main
complaint about such tools. Works that paper databases do not index are never "not found".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import prod
from typing import Literal

from agents.lookup.records import Decided, RecordLookup
from connectors.capability import Capability
from connectors.paper import Paper
from connectors.registry import SOURCES
from spar_tui.bibliography.accepted import Acceptance, entry_digest
from spar_tui.bibliography.comparing.differences import FieldDifference, field_differences, future_year, title_of
from spar_tui.bibliography.comparing.identity import doubles_of, identifier_differences, records_meant
from spar_tui.bibliography.entry_faults import (
    concerns,
    double_sentence,
    gaps_of,
    held_by_no_source,
    published_since,
    withdrawal,
)
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry, Problem
from spar_tui.bibliography.reading.identifier_list import name_alone
from spar_tui.bibliography.wrong_probability import FACTORS, Evidence, evidence_of, strength_of, wrong_probabilities

TOO_MANY_MISSED = 0.03
"""If all sources together may miss more than this share of existing works, "not found" proves nothing."""
_MISSED, _OF = 0.5, 10.0
"""Prior for the share of works that a source misses: half a work of ten."""


def missed_shares(lookups: Sequence[RecordLookup]) -> dict[str, float]:
    """Return the share of known works that each source of all fields lacks."""
    answered_lookups, shares = [lookup for lookup in lookups if lookup.records], dict[str, float]()
    for source in (name for name, spec in SOURCES.items() if spec.covers_all_fields):
        missed = sum(source in lookup.unknown for lookup in answered_lookups)
        has = sum(source in lookup.by_name or source in lookup.by_title for lookup in answered_lookups)
        shares[source] = (missed + _MISSED) / (missed + has + _OF)
    return shares


def missed_by_all(deniers: Iterable[str], shares: dict[str, float]) -> float:
    """Return the share of existing works that all `deniers` lack, if they miss works independently."""
    return prod(shares.get(name, _MISSED / _OF) for name in deniers)


def deniers(paper: Paper, lookup: RecordLookup, telling_words: int) -> set[str]:
    """Return the sources whose "unknown" is evidence: those of all fields, and those that issue an identifier of the
    paper. A DOI does not count: it has several registries.

    Empty for a paper with only a short title.
    """
    if not paper.identifiers and not paper.authors and len(paper.title.split()) < telling_words:
        return set()
    return {
        name
        for name in lookup.unknown & set(SOURCES)
        if SOURCES[name].covers_all_fields or any(paper.identifier(scheme) for scheme in SOURCES[name].own_schemes)
    }


Verdict = Literal[
    "unreadable", "retracted", "not found", "fields differ", "expression of concern", "published since", "duplicate",
    "incomplete", "could not check", "accepted", "ok",
]  # fmt: skip
VERDICTS: tuple[Verdict, ...] = (
    "unreadable", "retracted", "not found", "fields differ", "expression of concern", "published since", "duplicate",
    "incomplete", "could not check", "accepted", "ok",
)  # fmt: skip
"""Worst first. Verdicts before `could not check` are findings; `accepted` means that all findings were accepted."""
Outcome = Literal["as described", "described wrongly", "not found", "cannot tell"]
"""The data of the work that an entry cites, even if the entry has other faults."""
MOST_CHECKED = 20_000
"""Maximum number of entries in one check: the references of all papers of a conference track."""
_TELLING_WORDS = 5
"""Minimum number of words of a title that finds a work without an author."""


@dataclass(frozen=True, slots=True)
class NearestRecord:
    """The record most similar to an entry that was not found, and the fields in which it differs."""

    title: str
    authors: tuple[str, ...]
    year: int | None
    venue: str
    source: str
    link: str
    differs_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryFinding:
    """The verdict on entry `key` in `line` (from 1; 0 without a file), with explaining sentences. `asked` maps each
    source to its answer; `differences` include notes, which are not errors. `probability` is that of being wrong;
    `evidence` multiplies its odds by `odds_factor`. `accepted` are worse findings that a person accepted; `digest` is
    that of the entry, "" if unreadable."""

    line: int
    key: str
    title: str
    verdict: Verdict
    details: tuple[str, ...] = ()
    outcome: Outcome = "cannot tell"
    differences: tuple[FieldDifference, ...] = ()
    asked: Mapping[str, str] = field(default_factory=dict)
    evidence: Evidence | None = None
    odds_factor: float | None = None
    probability: float | None = None
    nearest: NearestRecord | None = None
    digest: str = ""
    accepted: tuple[Acceptance, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether a person can accept the finding."""
        return bool(self.digest) and self.verdict not in ("accepted", "ok")

    def acceptance(self, reason: str) -> Acceptance:
        """Return the record that a person accepts this finding, with the reason."""
        return Acceptance(self.key, self.verdict, self.faulty_fields, reason, self.digest)

    @property
    def faulty_fields(self) -> tuple[str, ...]:
        """Return the wrong fields of a `fields differ` or `not found` verdict."""
        fields = {difference.field for difference in self.differences if difference.grave == "error"}
        return tuple(sorted(fields)) if self.verdict in ("fields differ", "not found") else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Return sentences on the differences that are not errors."""
        return tuple(_sentence(_proof(difference)) for difference in self.differences if difference.grave == "note")


@dataclass(frozen=True, slots=True)
class _EntryVerdict:
    """A verdict on one entry from its records."""

    verdict: Verdict
    details: Sequence[str]
    outcome: Outcome
    differences: Sequence[FieldDifference] = ()


def findings(
    document: FileEntries,
    lookups: Sequence[RecordLookup],
    today: date | None = None,
    accepted: Sequence[Acceptance] = (),
) -> list[EntryFinding]:
    """Return one finding per entry, the worst one not `accepted`, and one per unreadable entry, sorted by line.
    `lookups` has one lookup per entry."""
    broken = [
        EntryFinding(problem.line, problem.name, "", "unreadable", (_sentence(problem.reason),))
        for problem in document.problems
        if not problem.taken
    ]
    spoilt = dict[int, Problem]()
    starts = sorted((entry.line, entry.key) for entry in document.entries)
    for problem in filter(lambda problem: problem.taken, document.problems):
        line, key = next((start for start in reversed(starts) if start[0] <= problem.line), (problem.line, ""))
        if line < problem.line and key and key == problem.name:  # a fault within the entry
            problem = replace(problem, line=line, reason=f"line {problem.line}: {problem.reason}")
        first = spoilt.setdefault(problem.line, problem)
        if first is not problem and first.name == problem.name:
            spoilt[problem.line] = replace(first, reason=f"{first.reason}; {problem.reason}")
    doubles = doubles_of(document.entries)
    check = _EntryCheck(today or date.today(), missed_shares(lookups))
    pairs = zip(document.entries, lookups, strict=True)
    checked = [
        _worst(
            (
                _finding(entry, lookup, graded, spoilt.get(entry.line), check)
                for graded in check.judged(entry, lookup, doubles.get(index))
            ),
            accepted,
        )
        for index, (entry, lookup) in enumerate(pairs)
    ]
    probabilities = iter(wrong_probabilities([graded.odds_factor for graded in checked if graded.odds_factor]))
    judged = (replace(graded, probability=next(probabilities)) if graded.odds_factor else graded for graded in checked)
    return sorted([*broken, *judged], key=lambda finding: (finding.line, finding.key))


def decided_by_fields(entries: Sequence[FoundEntry], today: date) -> Decided:
    """Return a test whether the records agree with an entry, so that no more sources need to be asked."""

    def decided(index: int, lookup: RecordLookup) -> bool:
        entry = entries[index]
        records = records_meant(entry.paper, lookup)
        return bool(records) and not any(
            difference.grave == "error" for difference in _differences(entry, lookup, records, today)
        )

    return decided


def _worst(chain: Iterable[EntryFinding], accepted: Sequence[Acceptance]) -> EntryFinding:
    """Return the first finding in `chain` that was not accepted, with the acceptances of the earlier ones."""
    acceptances, finding = list[Acceptance](), EntryFinding(0, "", "", "ok")
    for finding in chain:
        identity = (finding.key, finding.digest, finding.verdict)
        matching = [
            acceptance for acceptance in accepted if (acceptance.key, acceptance.entry, acceptance.finding) == identity
        ]
        if not matching or not {name for acceptance in matching for name in acceptance.fields}.issuperset(
            finding.faulty_fields
        ):
            break
        acceptances += matching
    else:
        finding = replace(finding, verdict="accepted", details=())
    if not acceptances:
        return finding
    reasons = (_sentence(f"accepted as {acceptance.finding}: {acceptance.reason}") for acceptance in acceptances)
    verdict: Verdict = "accepted" if finding.verdict == "ok" else finding.verdict
    return replace(finding, verdict=verdict, details=(*finding.details, *reasons), accepted=tuple(acceptances))


def _finding(
    entry: FoundEntry, lookup: RecordLookup, judged: _EntryVerdict, spoilt: Problem | None, check: "_EntryCheck"
) -> EntryFinding:
    """Return the worse verdict on an entry: that on its content, or that on its syntax."""
    verdict, details, key = judged.verdict, list(judged.details), entry.key
    if spoilt and entry.key in ("", spoilt.name):
        # An entry that repeats an earlier key has no key here.
        how: Verdict = "incomplete" if entry.key else "duplicate"
        key, details = spoilt.name, [*(details if verdict not in ("ok", "could not check") else []), spoilt.reason]
        verdict = min(verdict, how, key=VERDICTS.index)
    nearest = _nearest(entry, lookup, check.today) if judged.outcome in ("not found", "cannot tell") else None
    return EntryFinding(
        entry.line, key, entry.paper.title, verdict, tuple(map(_sentence, details)), judged.outcome,
        tuple(judged.differences), _answers(lookup), *check.evidence(entry, lookup, judged.differences),
        nearest=nearest, digest=entry_digest(entry, spoilt.reason if spoilt else ""),
    )  # fmt: skip


def _answers(lookup: RecordLookup) -> dict[str, str]:
    """Return the answer of each source, by its title."""
    answers = dict.fromkeys((*lookup.by_name, *lookup.by_title), "has a record")
    answers |= {name: "does not know it" for name in lookup.unknown if name not in answers}
    answers |= {name: f"no answer: {why}" for name, why in lookup.silent.items() if name not in answers}
    return {title_of(name): answers[name] for name in sorted(answers)}


def _nearest(entry: FoundEntry, lookup: RecordLookup, today: date) -> NearestRecord | None:
    if lookup.nearest is None:
        return None
    source, record = lookup.nearest
    return NearestRecord(
        record.title, tuple(author.name for author in record.authors), record.year, record.venue, title_of(source),
        record.page or "", tuple(difference.field for difference in field_differences(entry, {source: record}, today)),
    )  # fmt: skip


def _differences(
    entry: FoundEntry, lookup: RecordLookup, records: Mapping[str, Paper], today: date
) -> list[FieldDifference]:
    """Return where the entry contradicts all sources that have its work, and identifiers that lead elsewhere."""
    return [*identifier_differences(entry.paper, lookup, records), *field_differences(entry, records, today)]


@dataclass(frozen=True, slots=True)
class _EntryCheck:
    """Judges entries; `missed` is the share of existing works that each source lacks."""

    today: date
    missed: dict[str, float]

    def judged(self, entry: FoundEntry, lookup: RecordLookup, double: FoundEntry | None) -> Iterator[_EntryVerdict]:
        """Yield the verdicts on the entry's content, worst first; the last, always yielded, is for no other fault."""
        paper, kind = entry.paper, held_by_no_source(entry)
        registries = _registries_asked(lookup)
        records = records_meant(paper, lookup)
        differences = _differences(entry, lookup, records, self.today)
        if kind and not lookup.by_name and (not lookup.by_title or _errors(differences)):
            # The paper with its title is another work, and finding none proves nothing.
            lookup, records, differences = RecordLookup(), {}, [*filter(None, [future_year(entry, self.today)])]
        errors = _errors(differences)
        outcome: Outcome = "described wrongly" if errors else "as described" if lookup.records else "cannot tell"
        if retracted := [record for record in records.values() if record.retracted]:
            yield _EntryVerdict("retracted", [f"the paper was retracted{notice_text(retracted)}"], outcome, differences)
        elif withdrawn := withdrawal(records):
            yield _EntryVerdict("retracted", [withdrawn], outcome, differences)
        elif paper.retracted:
            yield _EntryVerdict(
                "retracted", ["the entry itself says that the paper was retracted"], outcome, differences
            )
        concern = concerns(records)
        nowhere = self._not_found(entry, lookup) if not lookup.records else []
        doubt = self._other_work(lookup, errors) if errors else ""
        if nowhere:
            yield _EntryVerdict("not found", [*nowhere, *map(_proof, errors)], "not found", differences)
        elif doubt:
            outcome = "cannot tell"
            yield _EntryVerdict("could not check", [doubt], outcome, differences)
        elif errors:
            yield _EntryVerdict("fields differ", [*map(_proof, errors), *concern], outcome, differences)
        if concern:
            yield _EntryVerdict("expression of concern", concern, outcome, differences)
        if published := published_since(paper, lookup, records.values()):
            yield _EntryVerdict("published since", [published], outcome, differences)
        if double is not None:
            yield _EntryVerdict("duplicate", [double_sentence(double, entry)], outcome, differences)
        if gaps := [] if name_alone(entry) else list(gaps_of(entry, kind)):
            yield _EntryVerdict("incomplete", gaps, outcome, differences)
        if lookup.records or nowhere or errors:
            yield _EntryVerdict("ok", [], "not found" if nowhere else outcome, differences)
        elif kind:
            yield _EntryVerdict(
                "could not check", [f"{kind} cannot be looked up: the sources list only papers", *registries], outcome
            )
        else:
            yield _EntryVerdict("could not check", self._reasons(entry, lookup), outcome)

    def evidence(
        self, entry: FoundEntry, lookup: RecordLookup, differences: Sequence[FieldDifference]
    ) -> tuple[Evidence | None, float | None]:
        """Return the evidence on the entry and its factor; None if no source of such works answered."""
        if not lookup.by_name and (held_by_no_source(entry) or not (lookup.by_title or lookup.unknown)):
            return None, None
        evidence = evidence_of(differences, lookup)
        if evidence != "no record":
            return evidence, FACTORS[evidence]
        missed = missed_by_all(deniers(entry.paper, lookup, _TELLING_WORDS), self.missed)
        return evidence, FACTORS[evidence] ** strength_of(missed)

    def _not_found(self, entry: FoundEntry, lookup: RecordLookup) -> list[str]:
        """Return the proof that no source has the work; empty if the sources that deny it prove too little."""
        denying = deniers(entry.paper, lookup, _TELLING_WORDS)
        if len(denying) < 2 or missed_by_all(denying, self.missed) > TOO_MANY_MISSED:
            return []
        names = ", ".join(map(title_of, sorted(lookup.unknown)))
        sentences = [f"no source has it (asked: {names})"]
        if nearest := _nearest(entry, lookup, self.today):
            by = f" by {nearest.authors[0]}" if nearest.authors else ""
            differs = f"; it differs in {' and '.join(nearest.differs_in)}" if nearest.differs_in else ""
            sentences.append(f"the nearest record is “{nearest.title}”{by} ({nearest.source}, {nearest.link}){differs}")
        return sentences

    def _other_work(self, lookup: RecordLookup, errors: Sequence[FieldDifference]) -> str:
        """Return why the records may be of another work by the same people with a similar title, so that the sources
        lack the work itself; "" if that is unlikely."""
        renamed = next((error for error in errors if error.field == "title"), None)
        if lookup.by_name or renamed is None:
            return ""
        source_names = {*lookup.by_name, *lookup.by_title, *lookup.unknown} & set(SOURCES)
        share = missed_by_all((name for name in source_names if SOURCES[name].covers_all_fields), self.missed)
        if share <= TOO_MANY_MISSED:
            return ""
        return (
            f"only a paper with a similar title was found, “{renamed.theirs}” ({renamed.source}, {renamed.link}); "
            f"it may be another work, because the sources lack about {share:.0%} of this bibliography's works"
        )

    def _reasons(self, entry: FoundEntry, lookup: RecordLookup) -> list[str]:
        """Return why it is unknown whether the work exists."""
        reasons = [f"{title_of(name)} {why}" for name, why in sorted(lookup.silent.items())]
        titles = ", ".join(map(title_of, sorted(lookup.unknown)))
        denying = deniers(entry.paper, lookup, _TELLING_WORDS)
        if len(denying) >= 2:
            share = missed_by_all(denying, self.missed)
            reasons.append(
                f"not found by {titles}; it may exist all the same, because these sources "
                f"lack about {share:.0%} of this bibliography's works"
            )
        elif lookup.unknown:
            reasons.append(f"not found by {titles}; it may exist all the same")
        return reasons or ["no source in use can look it up"]


def _errors(differences: Iterable[FieldDifference]) -> list[FieldDifference]:
    return [difference for difference in differences if difference.grave == "error"]


def _proof(difference: FieldDifference) -> str:
    place_names = ", ".join(filter(None, (difference.source, difference.link)))
    return f"{difference.sentence} ({place_names})" if place_names else difference.sentence


def _registries_asked(lookup: RecordLookup) -> list[str]:
    """Return which registries do not know the entry's DOI, and which did not answer."""
    registries = [name for name, spec in SOURCES.items() if Capability.LAST_LOOKUP in spec.capabilities]
    remarks = [f"its DOI is unknown to {title_of(name)}" for name in registries if name in lookup.unknown]
    return remarks + [f"{title_of(name)} {lookup.silent[name]}" for name in registries if name in lookup.silent]


def notice_text(records: Sequence[Paper]) -> str:
    """Return ` (notice: doi:…)` from the records' retraction notices; "" without any."""
    notices = sorted({record.retraction_notice for record in records if record.retraction_notice})
    return f" (notice: {' and '.join(f'doi:{notice}' for notice in notices)})" if notices else ""


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
