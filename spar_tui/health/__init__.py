"""Whether what answers from outside works: the sources, their keys, and the model."""
