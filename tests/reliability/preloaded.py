"""What the processes of `processes` need, and those beside the app, so that none of them has to import it."""

from spar_tui import files  # noqa: F401
from spar_tui.bibliography import formats  # noqa: F401
from spar_tui.cli import app  # noqa: F401
from tests.cache import conftest  # noqa: F401
from tests.reliability import verbs  # noqa: F401
from tests.reliability.company import verbs as company_verbs  # noqa: F401
from tests.spar_tui.tui import world  # noqa: F401
