"""The vocabulary of the made-up papers: per topic what is studied, by which means, on what, and where it appears."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """`subjects` fill the titles' main place, `means` their other one; `settings` and `measures` fill abstracts."""

    name: str
    subjects: tuple[str, ...]
    means: tuple[str, ...]
    settings: tuple[str, ...]
    measures: tuple[str, ...]
    venues: tuple[str, ...]
    field: str
    category: str | None = None

    @property
    def biomedical(self) -> bool:
        return self.category is None


TOPICS = (
    Topic(
        "retrieval-augmented generation",
        ("retrieval-augmented generation", "grounded answer generation", "citation-aware text generation",
         "multi-hop question answering with retrieval", "attribution in large language models"),
        ("adaptive passage selection", "evidence re-ranking", "query decomposition",
         "self-critique of retrieved evidence",
         "a tree of planned sub-questions", "long context compression"),
        ("open-domain questions", "scientific surveys", "clinical guidelines", "enterprise documents"),
        ("faithfulness of citations", "answer accuracy", "hallucination rate", "evidence recall"),
        ("Annual Meeting on Language Technology", "Journal of Generated Text", "Workshop on Grounded Generation"),
        "Computer Science", "cs.CL",
    ),
    Topic(
        "dense retrieval",
        ("dense passage retrieval", "zero-shot document ranking", "late interaction retrieval",
         "scientific document embedding",
         "learned sparse retrieval"),
        ("contrastive pre-training on citations", "hard negative mining", "query expansion by language models",
         "knowledge distillation", "hypothetical document embeddings", "token pruning"),
        ("passage ranking", "scientific literature", "legal case law", "low-resource languages"),
        ("recall at one hundred", "normalised gain", "index size", "query latency"),
        ("Conference on Retrieval Research", "Transactions on Search Systems", "Symposium on Ranking"),
        "Computer Science", "cs.IR",
    ),
    Topic(
        "literature search agents",
        ("literature search agents", "academic paper search", "automatic survey writing", "citation recommendation",
         "scholarly question answering"),
        ("reference chain exploration", "query evolution", "cooperating language model agents",
         "reinforcement learning of tools",
         "citation graph expansion", "relevance judgement by language models"),
        ("computer science surveys", "systematic reviews", "biomedical questions", "interdisciplinary topics"),
        ("recall of relevant papers", "F1 against expert lists", "number of calls", "coverage of recent work"),
        ("Conference on Digital Scholarship", "Journal of Scholarly Agents",
         "Workshop on Machine Reading of Science"),
        "Computer Science", "cs.DL",
    ),
    Topic(
        "graph neural networks",
        ("graph neural networks", "message passing on molecules", "link prediction in citation networks",
         "heterogeneous graph learning", "temporal graph representation"),
        ("spectral filters", "subgraph sampling", "attention over neighbourhoods", "positional encodings",
         "self-supervised pre-training", "over-smoothing control"),
        ("citation networks", "molecular property prediction", "traffic forecasting", "social networks"),
        ("node classification accuracy", "area under the curve", "memory use", "depth without over-smoothing"),
        ("Conference on Learning on Graphs and Networks", "Journal of Relational Learning",
         "Symposium on Graph Methods"),
        "Computer Science", "cs.LG",
    ),
    Topic(
        "conversational recommendation",
        ("conversational recommendation", "sequential recommendation", "agentic recommendation",
         "explainable recommendation",
         "user preference modelling"),
        ("large language model agents", "tool learning", "candidate memory", "user simulators",
         "natural language inference", "reflection and demonstration"),
        ("online shops", "reading histories", "game catalogues", "news feeds"),
        ("hit rate", "normalised gain", "turns to success", "diversity"),
        ("Conference on Recommendation Practice", "Journal of User Modelling Research",
         "Workshop on Interactive Systems"),
        "Computer Science", "cs.IR",
    ),
    Topic(
        "cystic fibrosis",
        ("cystic fibrosis", "CFTR modulator therapy", "Pseudomonas aeruginosa infection in cystic fibrosis",
         "pancreatic insufficiency in cystic fibrosis", "lung function decline in cystic fibrosis"),
        ("elexacaftor and tezacaftor", "inhaled tobramycin", "hypertonic saline", "airway clearance exercise",
         "newborn screening", "enzyme replacement"),
        ("children under twelve", "adults with advanced lung disease", "a national registry",
         "a randomised crossover trial"),
        ("forced expiratory volume", "sweat chloride", "pulmonary exacerbations", "body mass index"),
        ("Journal of Invented Airway Medicine", "Archives of Made-up Paediatrics", "Annals of Fictional Respirology"),
        "Medicine",
    ),
    Topic(
        "CRISPR screens",
        ("genome-wide CRISPR screens", "base editing screens", "single-cell CRISPR perturbation",
         "CRISPR interference in neurons",
         "drug resistance genes found by CRISPR"),
        ("pooled guide libraries", "combinatorial knockouts", "machine learning of guide efficiency",
         "chemogenetic profiling",
         "lineage tracing", "in vivo selection"),
        ("cancer cell lines", "primary T cells", "induced pluripotent stem cells", "a mouse model"),
        ("gene essentiality", "guide efficiency", "off-target rate", "transcriptional response"),
        ("Invented Genome Biology", "Journal of Imagined Screens", "Fictional Reports in Genetics"),
        "Biology",
    ),
    Topic(
        "vaccine efficacy",
        ("influenza vaccine efficacy", "COVID-19 vaccine effectiveness", "malaria vaccine trials",
         "vaccine hesitancy",
         "waning immunity after vaccination"),
        ("a test-negative design", "mRNA boosters", "adjuvanted formulations", "school-based delivery",
         "reminder letters", "neutralising antibody titres"),
        ("older adults", "health care workers", "infants in rural districts", "pregnant women"),
        ("relative risk", "hospital admission", "antibody titre", "uptake"),
        ("Bulletin of Imaginary Public Health", "Journal of Invented Vaccinology", "Annals of Made-up Epidemiology"),
        "Medicine",
    ),
)  # fmt: skip
