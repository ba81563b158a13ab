"""Local stand-ins for the services of all sources: real HTTP on loopback, real rules.

with Services(faults=[Fault("hang", service="openalex", path="/works")]) as services:
    ...  # run the program with services.environment, then read services.log and services.violations
"""

from tests.services.corpus.works import Corpus, Work
from tests.services.faults.faults import KINDS, Fault
from tests.services.http.message import Request
from tests.services.service import Terms
from tests.services.services import Services

__all__ = ["KINDS", "Corpus", "Fault", "Request", "Services", "Terms", "Work"]
