"""All measures, in the order of the page."""

from tests.benchmarks.scorecard.installing import INSTALLING
from tests.benchmarks.scorecard.libraries import LIBRARIES
from tests.benchmarks.scorecard.measure import Measure
from tests.benchmarks.scorecard.starting import STARTING
from tests.benchmarks.scorecard.using import USING

MEASURES: tuple[Measure, ...] = (*STARTING, *USING, *LIBRARIES, *INSTALLING)
