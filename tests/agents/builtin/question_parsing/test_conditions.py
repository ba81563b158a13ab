"""Authors, venues, citations, open access and named papers are read where they are asked for, and only there."""

from agents.builtin.question_parsing.question import read
from tests.agents.builtin.question_parsing.questions import TODAY
from tests.rows import each


@each(
    ("question", "authors"),
    [
        ("papers by Yann LeCun", ("Yann LeCun",)),
        ("Hinton's work on capsules", ("Hinton",)),
        ("attention models written by A. Vaswani et al.", ("A. Vaswani",)),
        ("residual learning by Kaiming He and Ross Girshick", ("Kaiming He", "Ross Girshick")),
        ("articles by Jean-Baptiste van den Berg on soil", ("Jean-Baptiste van den Berg",)),
        ("What has Geoffrey Hinton published on distillation?", ("Geoffrey Hinton",)),
        ("papers written by Stephen Hawking before 1980", ("Stephen Hawking",)),
        ("works of Mary Shelley on galvanism", ("Mary Shelley",)),
        ("studies that Nadia Hashimoto published", ("Nadia Hashimoto",)),
        ("papers by yann lecun on vision", ("yann lecun",)),
        ("Élise Dupré's papers on glaciers", ("Élise Dupré",)),
        ("publications from the lab of Jennifer Doudna", ("Jennifer Doudna",)),
        ("papers by J. K. Bell or Bo Wu on magic", ("J. K. Bell", "Bo Wu")),
    ],
)
def test_a_person_whose_papers_are_asked_for_is_an_author(question: str, authors: tuple[str, ...]) -> None:
    assert read(question, TODAY).authors == authors


@each(
    "question",
    [
        "Which papers on vaccine hesitancy did Søren Bergström write before 2020?",
        "What did Søren Bergström write about vaccine hesitancy?",
        "works of Søren Bergström on vaccine hesitancy",
        "papers on vaccine hesitancy that were written by Søren Bergström",
    ],
)
def test_the_subject_beside_an_author_stays(question: str) -> None:
    reading = read(question, TODAY)
    assert (reading.authors, reading.subject) == (("Søren Bergström",), "vaccine hesitancy")


@each(
    "question",
    [
        "optimisation by using momentum",
        "optimisation by gradient descent",
        "image captioning by Transformer models",
        "integration by Monte Carlo",
        "Bayes' theorem",
        "Parkinson's disease",
        "Alzheimer's research on amyloid",
        "Newton's method",
        "women's work in factories",
        "papers by Google on search",
        "papers by chinese authors",
        "papers by topic and year",
        "improvements over BERT (Devlin et al., 2018)",
        "articles by Gerard Salton or others about clustering",
        "Text Classification by Gradient Boosting",
    ],
)
def test_what_only_looks_like_a_name_is_no_author(question: str) -> None:
    assert read(question, TODAY).authors == ()


@each(
    ("question", "venue"),
    [
        ("bandits in NeurIPS", "NeurIPS"),
        ("bandits at nips 2016", "NeurIPS"),
        ("protein folding published in Nature", "Nature"),
        ("papers in Nature on protein folding", "Nature"),
        ("papers by Lee in Nature", "Nature"),
        ("papers by Ann Lee and Bob Wu in Science", "Science"),
        ("parsing at ACL 2022", "ACL"),
        ("papers in the Lancet on malaria", "The Lancet"),
        ("ICML 2019 papers on meta learning", "ICML"),
        ("bandits in NeurIPS or ICML", "NeurIPS or ICML"),
        ("bandits at NeurIPS, ICLR and icml since 2019", "NeurIPS or ICLR or ICML"),
        ("protein folding published in Nature or Science", "Nature or Science"),
        ("protein folding in Nature or Science", "Nature or Science"),
        ("papers in Nature journals on protein folding", "Nature*"),
        ("papers in the Journal of Machine Learning Research on kernels", "Journal of Machine Learning Research"),
    ],
)
def test_a_named_venue_is_read(question: str, venue: str) -> None:
    assert " or ".join(read(question, TODAY).venues) == venue


@each(
    "question",
    [
        "patterns in nature",
        "Nature-based solutions in cities",
        "drug uptake in Cell cultures",
        "ACL reconstruction in athletes",
        "women in Science education",
        "overfitting in neural networks",
        "bandits in NeurIPS or ICML style",
        "malaria papers published in English",
    ],
)
def test_a_word_that_only_sounds_like_a_venue_is_none(question: str) -> None:
    assert read(question, TODAY).venues == ()


@each(
    ("question", "fewest"),
    [
        ("transformers with at least 100 citations", 100),
        ("transformers cited more than 50 times", 51),
        ("transformers with over 1,000 citations", 1001),
        ("transformers, 200+ citations", 200),
        ("transformers with a minimum of 20 citations", 20),
        ("transformers that have been cited by at least 50 papers", 50),
        ("transformers with no fewer than 30 citations", 30),
        ("highly cited papers on transformers", None),
        ("transformers with fewer than 10 citations", None),
        ("predicting citations of papers", None),
    ],
)
def test_a_number_of_citations_is_a_bound_only_where_it_is_a_lower_one(question: str, fewest: int | None) -> None:
    reading = read(question, TODAY)
    assert reading.min_citations == fewest
    assert reading.since is None


@each(
    ("question", "others", "topic"),
    [
        ("papers on otters not by Lee", "-author:Lee", "otters"),
        ("kidney stones, no reviews", "-type:review", "kidney stones"),
        ("otters in Alaska, except reviews and theses", "-type:review|thesis", "otters in Alaska"),
        ("papers on otters, not in Nature", "-venue:Nature", "otters"),
        ("papers with fewer than three authors on otters", "authors:..2", "otters"),
        ("papers cited more than 100 but fewer than 500 times on otters", "cited:101..499", "otters"),
        ("preprints on otters since 2023", "type:preprint", "otters"),
        ("no evidence of otters in 1,000 people", "", "no evidence of otters in 1,000 people"),
        ("peer review of theses on otters", "", "peer review of theses on otters"),
    ],
)
def test_every_condition_of_a_conversation_can_be_one_of_a_question(question: str, others: str, topic: str) -> None:
    reading = read(question, TODAY)
    assert (reading.others, reading.topic) == (others, topic)


@each(
    ("question", "free"),
    [
        ("open access papers on malaria", True),
        ("malaria vaccines, open access only", True),
        ("papers on malaria that are free to read", True),
        ("freely available articles on malaria", True),
        ("freely available datasets for named entity recognition", False),
        ("effect of open access publishing on citations", False),
        ("open access to clean water", False),
    ],
)
def test_only_papers_are_wanted_open(question: str, free: bool) -> None:
    assert read(question, TODAY).open_access is free


@each(
    ("question", "paper"),
    [
        ('find "Attention is all you need"', "Attention is all you need"),
        ("Attention Is All You Need", "Attention Is All You Need"),
        ("the BERT paper", "BERT"),
        (
            "the paper titled 'Deep learning in neural networks: an overview'",
            "Deep learning in neural networks: an overview",
        ),
        ("10.1038/nature14539", "doi:10.1038/nature14539"),
        ("https://arxiv.org/abs/1706.03762v5", "arxiv:1706.03762"),
        ("PMID: 23193287", "pmid:23193287"),
    ],
)
def test_a_paper_named_outright_is_what_is_wanted(question: str, paper: str) -> None:
    reading = read(question, TODAY)
    assert (reading.intent, reading.papers) == ("named-paper", (paper,))
    assert not reading.needs_refinement


def test_a_paper_that_others_shall_cite_is_not_the_one_wanted() -> None:
    reading = read('papers citing "Attention is all you need"', TODAY)
    assert reading.papers == ("Attention is all you need",)
    assert reading.intent != "named-paper"


def test_a_phrase_in_quotes_is_a_term_and_no_title() -> None:
    assert read('"large language models" and law', TODAY).papers == ()


def test_conditions_are_no_part_of_the_topic() -> None:
    question = "open access papers by Yann LeCun on pruning in NeurIPS since 2015 with at least 10 citations"
    reading = read(question, TODAY)
    assert reading.topic == "pruning"
    assert (reading.authors, reading.venues, reading.min_citations) == (("Yann LeCun",), ("NeurIPS",), 10)
    assert reading.open_access
