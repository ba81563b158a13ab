"""`spar check` on true and false references: `python -m tests.benchmarks.references [FILE …]`.

Entries of ../shared/citations/hallmark with labels, and with FILE `citetracer` the records of CiteTracer whose true one
is among its exact ones (R1), are checked in a closed world: local services over HTTP hold every true record. Detection
is the share of false entries that get an alarm (not found, or described wrongly), false alarms the share of true ones
that do. Entries are split by a hash of their key into a half to tune on and a half to report on.

--missing 0 0.1          OpenAlex and Semantic Scholar each lack a tenth of the records, by chance and each its own;
                         with several shares, each is measured, and the probabilities over all of them
--missing-everywhere 0.1 no service has these records
--sample 150 --seed 1    so many entries, drawn by chance
--half tune|report|both  which half (default tune)
--polite                 keep the pace that real services want (default: a hundredth of it)
--wrong                  print each alarm on a true entry and each false entry without an alarm

At the end stand, by evidence, how many references are wrong, the factor by which it changes the odds in `spar check`,
and a fit of it on these entries: factors that never fall from one row to the next, with half a reference added to each
count. The last lines compare the probabilities that `spar check` tells with what is wrong, in these entries and in
documents drawn from them of which a fifth and a twentieth is wrong.
"""

import argparse
import gzip
import hashlib
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz import fuzz, process

from connectors.http.limits import RateLimit
from connectors.identifiers import arxiv, doi
from connectors.paper import Paper
from connectors.records.matching import title_key
from connectors.spec import SourceSpec
from spar_tui.bibliography.checking import ODDS, Evidence, wrong_probabilities
from spar_tui.bibliography.reading.files import found_in
from tests.services import Services
from tests.services.corpus.works import Author, Work
from tests.spar_tui.in_process import spar

FOLDER = Path(__file__).parents[3] / "shared" / "citations" / "hallmark"
CITETRACER = FOLDER.parent / "citetracer" / "synthetic.jsonl.gz"
TRUE_RECORDS = ("valid_entries", "dev_public", "test_crossdomain", "journal_articles")
ALARMS = ("not found", "fields differ", "retracted")
CLASS_OF = {
    "plausible_fabrication": "not found",
    **dict.fromkeys(
        ("near_miss_title", "arxiv_version_mismatch", "future_date", "wrong_venue", "swapped_authors", "fabricated_doi",
         "partial_author_list", "preprint_as_published", "nonexistent_venue", "placeholder_authors"),
        "described wrongly",
    ),
}  # fmt: skip
"""The outcome that a label implies; titles and authors put together from several works can be either."""
FULL_NAMES = {
    "AAAI": "Proceedings of the AAAI Conference on Artificial Intelligence",
    "ACL": "Proceedings of the Annual Meeting of the Association for Computational Linguistics (Volume 1: Long Papers)",
    "ACM Trans. Graph.": "ACM Transactions on Graphics",
    "CCS": "ACM Conference on Computer and Communications Security",
    "CHI": "Proceedings of the CHI Conference on Human Factors in Computing Systems",
    "CVPR": "IEEE/CVF Conference on Computer Vision and Pattern Recognition",
    "ECCV": "European Conference on Computer Vision",
    "EMNLP": "Conference on Empirical Methods in Natural Language Processing",
    "ICCV": "IEEE/CVF International Conference on Computer Vision",
    "ICDM": "2022 IEEE International Conference on Data Mining (ICDM)",
    "ICLR": "International Conference on Learning Representations",
    "ICML": "International Conference on Machine Learning",
    "J. Mach. Learn. Res.": "Journal of Machine Learning Research",
    "KDD": "Proceedings of the 28th ACM SIGKDD Conference on Knowledge Discovery and Data Mining",
    "Mach. Learn.": "Machine Learning",
    "NAACL": "North American Chapter of the Association for Computational Linguistics",
    "NeurIPS": "Advances in Neural Information Processing Systems",
    "OSDI": "USENIX Symposium on Operating Systems Design and Implementation",
    "Proc. ACM Manag. Data": "Proceedings of the ACM on Management of Data",
    "Proc. VLDB Endow.": "Proceedings of the VLDB Endowment",
    "SIGIR": "International ACM SIGIR Conference on Research and Development in Information Retrieval",
    "SOSP": "Symposium on Operating Systems Principles",
    "SOUPS": "Symposium on Usable Privacy and Security",
    "Trans. Mach. Learn. Res.": "Transactions on Machine Learning Research",
    "WWW": "The Web Conference",
    "biorxiv": "bioRxiv (Cold Spring Harbor Laboratory)",
}
"""How services write the venues that the entries abbreviate."""
_HOMONYM = re.compile(r" 0\d{3}\b(?= and |\})")
"""The number by which dblp tells people of one name apart."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An entry with its label: `kind` says how a false one was made, "" for a true one, and `variant` how a true one
    was written."""

    key: str
    bibtex: str
    kind: str
    variant: str = ""

    @property
    def paper(self) -> Paper | None:
        """It as spar reads it; None for the few whose values were cut off within braces."""
        return next((entry.paper for entry in found_in(_HOMONYM.sub("", self.bibtex), "one.bib").entries), None)

    @property
    def tuned_on(self) -> bool:
        return int(hashlib.sha256(self.key.encode()).hexdigest(), 16) % 2 == 0


def labelled(path: Path) -> Iterator[Labelled]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            if "CANARY" in str(row.get("fields", "")):
                continue
            kind = "" if row["label"] == "VALID" else row["hallucination_type"]
            key = re.sub(r"[^\w-]", "", row["bibtex_key"])
            entry = Labelled(key, row.get("bibtex") or _bibtex(row, key), kind)
            if entry.paper:
                yield entry


def citetracer(codes: str) -> Iterator[Labelled]:
    """CiteTracer's records of one of these codes, of which H stands for false ones."""
    with gzip.open(CITETRACER, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            code = row["citation_id"][:2]
            if code in codes.split():
                fields = {name: row[name] for name in ("title", "year", "doi", "volume", "pages")}
                fields |= {"author": " and ".join(row["authors"]), "booktitle": row["venue"]}
                bibtex = _bibtex({"fields": fields, "bibtex_type": "inproceedings"}, row["citation_id"])
                entry = Labelled(row["citation_id"], bibtex, code if code[0] == "H" else "", code)
                if entry.paper:
                    yield entry


def citetracer_with_truth() -> list[Labelled]:
    """The records whose true ones are among the exact ones."""
    exact = {title_key(entry.paper.title) for entry in citetracer("R1") if entry.paper}
    return [
        entry for entry in citetracer("R1 R2 R3 P1 H1 H2 H3 H4 H5 H6")
        if entry.paper and title_key(entry.paper.title) in exact
    ]  # fmt: skip


def _bibtex(row: dict[str, Any], key: str) -> str:
    lines = [f"  {name} = {{{value}}}," for name, value in row["fields"].items() if value]
    return "\n".join([f"@{row['bibtex_type']}{{{key},", *lines, "}"])


def true_works(missing: float, everywhere: float, seed: int) -> list[Work]:
    """A work for each true entry, held by OpenAlex, Semantic Scholar, and who has its DOI or arXiv id."""
    chance = random.Random(seed)
    entries = [entry for name in TRUE_RECORDS for entry in labelled(FOLDER / f"{name}.jsonl.gz") if not entry.kind]
    entries += citetracer("R1")
    works: dict[str, Work] = {}
    for number, entry in enumerate(entries, 100_000):
        paper = entry.paper
        assert paper
        name, drawn = doi(paper.identifier("doi")), (chance.random(), chance.random(), chance.random())
        posted = arxiv(paper.identifier("arxiv"))
        work = Work(
            number, "references", "Computer Science", paper.title, None,
            tuple(Author(one.family, one.given) for one in paper.authors),
            paper.year, f"{paper.year}-06-15" if paper.year else None, FULL_NAMES.get(paper.venue, paper.venue),
            kind="article" if paper.venue and paper.type != "preprint" else "preprint",
            doi=name.value if name else None, arxiv=posted.value if posted else None, pmid=paper.identifier("pmid"),
            openalex=f"W{7_000_000_000 + number}" if drawn[0] >= missing else None,
            s2=hashlib.sha1(entry.key.encode()).hexdigest() if drawn[1] >= missing else None,
            volume=paper.imprint.volume or None, pages=paper.imprint.pages or None,
        )  # fmt: skip
        if drawn[2] >= everywhere:
            works.setdefault(f"{title_key(work.title)} {work.authors[:1]}", work)
    return list({work.doi or work.number: work for work in works.values()}.values())


@contextmanager
def pace(polite: bool) -> Iterator[None]:
    """Let sources be asked at a hundredth of the polite gaps unless `polite`."""
    limit_of = SourceSpec.limit

    def quick(spec: SourceSpec, with_key: bool, with_email: bool = False) -> RateLimit:
        limit = limit_of(spec, with_key, with_email)
        gaps = {part: gap / 100 for part, gap in limit.gaps.items()}
        return replace(limit, gap=limit.gap / 100, gaps=gaps, window=limit.window / 100)

    with pytest.MonkeyPatch.context() as patch:
        if not polite:
            patch.setattr(SourceSpec, "limit", quick)
        yield


def _is_near(paper: Paper, titles: Collection[str]) -> bool:
    """Whether one of `titles` is like that of the paper, so that its true record is probably held."""
    return process.extractOne(title_key(paper.title), titles, scorer=fuzz.ratio, score_cutoff=85) is not None


def checked(entries: Sequence[Labelled], services: Services) -> dict[str, dict[str, Any]]:
    """What `spar check` says of each entry, by its key."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "references.bib"
        file.write_text("\n".join(entry.bibtex for entry in entries), encoding="utf-8")
        ran = spar(Path(folder), "check", str(file), "--json", more=services.environment)
        if not ran.stdout:
            raise SystemExit(ran.stderr)
        return {entry["key"]: entry for entry in json.loads(ran.stdout)["entries"]}


def report(entries: Sequence[Labelled], found: dict[str, dict[str, Any]], wrong: bool, held: Collection[str]) -> None:
    verdicts = {entry.key: str(found.get(entry.key, {"verdict": "lost"})["verdict"]) for entry in entries}
    alarmed = {key for key, verdict in verdicts.items() if verdict in ALARMS}
    false = [entry for entry in entries if entry.kind]
    true = [entry for entry in entries if not entry.kind]
    hits, alarms = (sum(entry.key in alarmed for entry in group) for group in (false, true))
    precision = hits / (hits + alarms) if hits + alarms else 1.0
    detection = hits / max(len(false), 1)
    score = 2 * precision * detection / (precision + detection) if hits else 0.0
    print(f"{len(entries)} entries, {len(false)} false: detection {detection:.3f}, false alarms "
          f"{alarms / max(len(true), 1):.3f}, precision {precision:.3f}, F1 {score:.3f}")  # fmt: skip
    classed = [
        entry for entry in false
        if entry.key in alarmed and (outcome := CLASS_OF.get(entry.kind)) and (
            outcome == "not found" or (entry.paper and _is_near(entry.paper, held))
        )
    ]  # fmt: skip
    agreeing = sum(found[entry.key]["outcome"] == CLASS_OF[entry.kind] for entry in classed)
    print(f"class agreement: {agreeing} of {len(classed)} alarms on entries whose true record is held")
    kinds = defaultdict[str, Counter[str]](Counter)
    for entry in entries:
        kinds[entry.kind or f"(true) {entry.variant}".rstrip()][verdicts[entry.key]] += 1
    for kind, counts in sorted(kinds.items()):
        detected = sum(counts[verdict] for verdict in ALARMS)
        print(f"  {kind}: {detected} of {counts.total()} alarmed; "
              + ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))  # fmt: skip
    for entry in entries if wrong else ():
        if (entry.key in alarmed) != bool(entry.kind):
            said = found.get(entry.key, {})
            print(f"\n{entry.kind or 'TRUE'}: {said.get('verdict')} {said.get('details')}\n{entry.bibtex}")


Told = list[tuple[Evidence, bool]]
"""The evidence on each reference of a document, and whether it is wrong."""
BINS = (0.02, 0.1, 0.5, 0.9, 1.0)


def fitted(told: Told) -> dict[Evidence, float]:
    """Return the factor of the odds for each kind of evidence, never falling in the order of `ODDS`."""
    blocks: list[tuple[list[Evidence], float, float]] = []
    for evidence in ODDS:
        wrong = [is_wrong for one, is_wrong in told if one == evidence]
        blocks.append(([evidence], sum(wrong) + 0.5, len(wrong) - sum(wrong) + 0.5))
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            (first, *one), (second, *two) = blocks[-2:]
            blocks[-2:] = [(first + second, one[0] + two[0], one[1] + two[1])]
    all_wrong = sum(is_wrong for _, is_wrong in told)
    odds = all_wrong / (len(told) - all_wrong)
    return {evidence: wrong / right / odds for names, wrong, right in blocks for evidence in names}


def report_probabilities(told: Told, share: float | None, seed: int) -> None:
    """Compare the probabilities with how many references are wrong; with a `share`, in a document of which that share
    is wrong, drawn from these."""
    if share is not None:
        right = [one for one in told if not one[1]]
        wrong = [one for one in told if one[1]]
        told = right + random.Random(seed).sample(wrong, min(len(wrong), round(len(right) * share / (1 - share))))
    by_evidence = wrong_probabilities([evidence for evidence, _ in told])
    pairs = [(by_evidence[evidence], is_wrong) for evidence, is_wrong in told]
    off, low, bins = 0.0, 0.0, list[str]()
    for high in BINS:
        here = [pair for pair in pairs if low < pair[0] <= high or low == pair[0] == 0]
        if here:
            mean, observed = (sum(column) / len(here) for column in zip(*here, strict=True))
            off += abs(mean - observed) * len(here)
            bins.append(f"{mean:.3f} told, {observed:.3f} wrong of {len(here)}")
        low = high
    brier = sum((told - is_wrong) ** 2 for told, is_wrong in pairs) / len(pairs)
    wrong_of = sum(is_wrong for _, is_wrong in pairs) / len(pairs)
    print(f"probabilities, {wrong_of:.0%} of {len(pairs)} wrong: calibration error {off / len(pairs):.3f}, "
          f"Brier score {brier:.3f}; " + "; ".join(bins))  # fmt: skip


def measured(entries: Sequence[Labelled], works: list[Work], polite: bool, wrong: bool) -> dict[str, dict[str, Any]]:
    """Check the entries in a world with these works, print the figures, and return what was said of each."""
    with pace(polite), Services(rules=False, also=works) as services:
        begun, processor = time.monotonic(), time.process_time()
        found = checked(entries, services)
        took, worked = time.monotonic() - begun, time.process_time() - processor
        requests = Counter(request.service for request in services.log)
    for half, group in (("tune", [entry for entry in entries if entry.tuned_on]),
                        ("report", [entry for entry in entries if not entry.tuned_on])):  # fmt: skip
        if group:
            print(f"{half}: ", end="")
            report(group, found, wrong, {title_key(work.title) for work in works})
    print(f"{took / len(entries):.2f} s a reference ({took:.0f} s, {worked:.0f} s of processor time, services included)"
          f"; {requests.total() / len(entries):.2f} requests a reference: "
          + ", ".join(f"{count} {name}" for name, count in requests.most_common()), flush=True)  # fmt: skip
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=["dev_public"], metavar="FILE")
    parser.add_argument("--missing", type=float, nargs="+", default=[0.0])
    parser.add_argument("--missing-everywhere", type=float, default=0.0)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", choices=("tune", "report", "both"), default="tune")
    parser.add_argument("--polite", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    given = parser.parse_args(arguments)
    entries = [
        entry for name in given.files
        for entry in (citetracer_with_truth() if name == "citetracer" else labelled(FOLDER / f"{name}.jsonl.gz"))
        if given.half == "both" or entry.tuned_on == (given.half == "tune")
    ]  # fmt: skip
    if given.sample:
        entries = random.Random(given.seed).sample(entries, min(given.sample, len(entries)))
    told: Told = []
    for missing in given.missing:
        works = true_works(missing, given.missing_everywhere, given.seed)
        found = measured(entries, works, given.polite, given.wrong)
        told += [
            (found[one.key]["evidence"], bool(one.kind)) for one in entries if found.get(one.key, {}).get("evidence")
        ]
    if len({is_wrong for _, is_wrong in told}) == 2:  # else there is nothing to tell apart
        for evidence, factor in fitted(told).items():
            wrong = [is_wrong for one, is_wrong in told if one == evidence]
            print(
                f"  {evidence}: {sum(wrong)} of {len(wrong)} wrong; odds times {ODDS[evidence]:g}, fitted {factor:.3g}"
            )
        for share in (None, 0.2, 0.05):
            report_probabilities(told, share, given.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
