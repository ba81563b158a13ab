"""Local stand-ins for arXiv, OpenAlex, Semantic Scholar, PubMed and Google: real HTTP on loopback, real rules.

with Services(faults=[Fault("hang", service="openalex", path="/works")]) as services:
    ...  # run the program with services.environment, then read services.log and services.violations
"""

from .corpus import Corpus, Work
from .faults import KINDS, Fault
from .message import Request
from .service import Terms
from .services import Services

__all__ = ["KINDS", "Corpus", "Fault", "Request", "Services", "Terms", "Work"]
