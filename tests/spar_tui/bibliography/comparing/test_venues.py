"""Names of venues: aliases, abbreviations, years and series do not make two of one."""

from spar_tui.bibliography.comparing.venues import venue_relation
from tests.rows import each

SAME = [
    ("NeurIPS", "Advances in Neural Information Processing Systems 34"),
    ("NIPS", "Neural Information Processing Systems"),
    ("Adv. Neural Inf. Process. Syst.", "Advances in Neural Information Processing Systems"),
    ("ICML 2021", "Proceedings of the 38th International Conference on Machine Learning"),
    ("Int. Conf. Mach. Learn.", "International Conference on Machine Learning"),
    ("CVPR", "2021 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)"),
    ("AAAI", "Proceedings of the AAAI Conference on Artificial Intelligence"),
    ("J. Mach. Learn. Res.", "Journal of Machine Learning Research"),
    ("JMLR", "Journal of Machine Learning Research"),
    ("Proc. Natl. Acad. Sci.", "Proceedings of the National Academy of Sciences of the United States of America"),
    ("PNAS", "Proceedings of the National Academy of Sciences"),
    ("Phys. Rev. Lett.", "Physical Review Letters"),
    ("J. R. Stat. Soc. B", "Journal of the Royal Statistical Society Series B: Statistical Methodology"),
    ("MNRAS", "Monthly Notices of the Royal Astronomical Society"),
    ("The Lancet", "Lancet"),
    ("SOUPS", "Symposium on Usable Privacy and Security"),
    ("SIGMOD Conference", "Proceedings of the ACM on Management of Data"),
    ("KDD", "Proceedings of the 28th ACM SIGKDD Conference on Knowledge Discovery and Data Mining"),
    ("EMNLP", "Conference on Empirical Methods in Natural Language Processing and the 9th Conference (EMNLP-IJCNLP)"),
]  # fmt: skip
DIFFERENT = [
    ("ICML", "International Conference on Learning Representations"),
    ("ICCV", "European Conference on Computer Vision"),
    ("AAAI", "International Joint Conference on Artificial Intelligence"),
    ("ACL", "North American Chapter of the Association for Computational Linguistics"),
    ("Mach. Learn.", "International Conference on Machine Learning"),
    ("International Conference on Marine Machine Learning", "International Conference on Machine Learning"),
    ("ICML Workshop on Deep Learning", "International Conference on Machine Learning"),
    ("Journal of Steam and Optimization", "Conference on Computer Vision and Pattern Recognition"),
    ("Nature", "Nature Communications"),
    ("Physical Review D", "Physical Review Letters"),
]
UNCLEAR = [
    ("ECCV", "Lecture Notes in Computer Science"),
    ("ICML", "Proceedings of Machine Learning Research"),
    ("Handbook of Steam", "Springer eBooks"),
    ("ICML", "arXiv (Cornell University)"),
    ("IEEE", "International Conference on Robotics and Automation"),
    ("QWERTZ", "International Conference on Learning Representations"),
    ("", "Nature"),
]


@each(
    ("yours", "theirs", "relation"),
    [
        *((*pair, "same") for pair in SAME),
        *((*pair, "different") for pair in DIFFERENT),
        *((*pair, "unclear") for pair in UNCLEAR),
    ],
)
def test_two_names_are_of_one_venue_of_two_or_cannot_be_compared(yours: str, theirs: str, relation: str) -> None:
    assert venue_relation(yours, theirs) == relation
    assert venue_relation(theirs, yours) == relation
