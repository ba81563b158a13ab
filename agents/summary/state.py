"""The state of a summary: the fold of its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agents.run.findings import Findings
from agents.summary.events import (
    ROOT,
    Check,
    EvidenceChosen,
    Facet,
    FacetDropped,
    FacetsMerged,
    FacetsPlanned,
    FacetVerified,
    NodeRetrieved,
    NodeWritten,
    QuestionAnswered,
    SummaryEvent,
    SummaryFinished,
    SummaryStarted,
    TableFilled,
)
from agents.summary.tree import child, in_order, level, parent
from connectors.paper import WorkId


@dataclass(frozen=True, slots=True)
class SummaryState:
    """A summary so far. `findings` has the results of sources, and the costs."""

    started: SummaryStarted | None = None
    findings: Findings = field(default_factory=Findings)
    retrieved: Mapping[str, tuple[WorkId, ...]] = field(default_factory=dict)
    planned: Mapping[str, FacetsPlanned] = field(default_factory=dict)
    verified: Mapping[tuple[str, Check], FacetVerified] = field(default_factory=dict)
    dropped: Mapping[str, FacetDropped] = field(default_factory=dict)
    merged: Mapping[str, FacetsMerged] = field(default_factory=dict)
    written: Mapping[str, NodeWritten] = field(default_factory=dict)
    tables: Mapping[str, TableFilled] = field(default_factory=dict)
    evidence: EvidenceChosen | None = None
    answered: QuestionAnswered | None = None
    finished: SummaryFinished | None = None

    def apply(self, event: SummaryEvent) -> "SummaryState":
        match event:
            case SummaryStarted():
                return replace(self, started=event)
            case NodeRetrieved(node, works):
                return replace(self, retrieved={**self.retrieved, node: works})
            case FacetsPlanned(node):
                return replace(self, planned={**self.planned, node: event})
            case FacetVerified(node, check):
                return replace(self, verified={**self.verified, (node, check): event})
            case FacetDropped(node):
                return replace(self, dropped={**self.dropped, node: event})
            case FacetsMerged(_, merged_facet):
                return replace(self, merged={**self.merged, merged_facet: event})
            case NodeWritten(node):
                return replace(self, written={**self.written, node: event})
            case TableFilled(node):
                return replace(self, tables={**self.tables, node: event})
            case EvidenceChosen():
                return replace(self, evidence=event)
            case QuestionAnswered():
                return replace(self, answered=event)
            case SummaryFinished():
                return replace(self, finished=event)
            case _:
                return replace(self, findings=self.findings.apply(event))

    # The tree

    @property
    def topic(self) -> str:
        return self.started.topic if self.started else ""

    @property
    def facets(self) -> dict[str, Facet]:
        """All facets planned so far, by node, in reading order."""
        planned = {
            child(node, number): facet
            for node, plan in self.planned.items()
            for number, facet in enumerate(plan.facets, start=1)
        }
        return {node: planned[node] for node in sorted(planned, key=in_order)}

    def gone(self, node: str) -> bool:
        """Whether a facet, or one above it, was dropped or merged into another."""
        while node != ROOT:
            if node in self.dropped or node in self.merged:
                return True
            node = parent(node)
        return False

    @property
    def nodes(self) -> list[str]:
        """The root and the facets neither dropped nor merged, in reading order: those that remain."""
        return [ROOT, *(node for node in self.facets if not self.gone(node))]

    def at_level(self, depth: int) -> list[str]:
        """Return the remaining facets `depth` steps below the root."""
        return [node for node in self.nodes if level(node) == depth]

    def children(self, node: str) -> list[str]:
        """Return the remaining facets of a node."""
        return [facet for facet in self.nodes if facet != ROOT and parent(facet) == node]

    def below(self, node: str) -> list[str]:
        """Return a node and the remaining facets below it, in reading order."""
        return [facet for facet in self.nodes if node in (ROOT, facet) or facet.startswith(f"{node}.")]

    def title(self, node: str) -> str:
        return self.facets[node].title if node != ROOT else self.topic

    def question(self, node: str) -> str:
        return self.facets[node].question if node != ROOT else self.topic

    def query(self, node: str) -> str:
        """Return the query for a node."""
        if node == ROOT:
            return self.topic
        verified = self.verified.get((node, "needed"))
        return (verified.query if verified else "") or self.facets[node].query

    def asked_of(self, node: str) -> list[str]:
        """Return the questions of a node and of the facets merged into it."""
        return [
            self.question(node),
            *(self.question(facet) for facet, entry in self.merged.items() if entry.kept == node),
        ]

    @property
    def left_out(self) -> dict[str, FacetDropped | FacetsMerged]:
        """The dropped and merged facets in reading order: each title once, and no title that a remaining facet has."""
        removals: dict[str, FacetDropped | FacetsMerged] = {**self.dropped, **self.merged}
        titles = {self.title(node): node for node in sorted(removals, key=in_order, reverse=True)}
        for node in self.nodes[1:]:
            titles.pop(self.title(node), None)
        return {node: removals[node] for node in sorted(titles.values(), key=in_order)}

    # The papers

    def works(self, node: str) -> tuple[WorkId, ...]:
        """Return the papers of a node, then those of facets merged into it, without irrelevant ones."""
        own_works = self.own_works(node)
        merged_works = [
            work for facet, event in self.merged.items() if event.kept == node for work in self.own_works(facet)
        ]
        return tuple(dict.fromkeys((*own_works, *merged_works)))

    def own_works(self, node: str) -> tuple[WorkId, ...]:
        """Return the papers that a node retrieved itself, without irrelevant ones."""
        verified = self.verified.get((node, "relevant"))
        works = verified.works if verified else self.retrieved.get(node, ())
        return tuple(dict.fromkeys(self.findings.work(work) for work in works))

    def works_below(self, node: str) -> tuple[WorkId, ...]:
        """Return the papers of a node and of all facets below it."""
        return tuple(dict.fromkeys(work for facet in self.below(node) for work in self.works(facet)))

    def cited_in(self, node: str) -> list[WorkId]:
        """Return the work of each citation in the text of a node."""
        sentences = self.written[node].sentences if node in self.written else ()
        return [self.findings.work(citation.work) for sentence in sentences for citation in sentence.citations]

    @property
    def cited(self) -> tuple[WorkId, ...]:
        """The cited works in the order of their numbers in the text."""
        works = [work for node in self.nodes for work in self.cited_in(node)]
        tables = (self.tables[node].rows for node in self.nodes if node in self.tables)
        rows = [
            row.work for table in tables for row in table if any(cell.quote or cell.described for cell in row.cells)
        ]
        quotes = [quote.work for quote in self.evidence.quotes] if self.evidence else []
        return tuple(dict.fromkeys(self.findings.work(work) for work in (*works, *rows, *quotes)))
