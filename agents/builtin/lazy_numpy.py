"""numpy, imported on first use: most commands start without it. For annotations it also has types of arrays."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    from numpy import *  # noqa: F403  # all of numpy, for the type checker
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float64]
    Floats32 = NDArray[numpy.float32]
    AnyFloats = NDArray[numpy.floating[Any]]
    Integers = NDArray[numpy.integer[Any]]
    Bytes = NDArray[numpy.uint8]
    Mask = NDArray[numpy.bool_]
else:

    def __getattr__(name: str) -> Any:
        import numpy

        value = globals()[name] = getattr(numpy, name)
        return value
