"""A group's corpus: millions of works from the dumps of OpenAlex and Semantic Scholar, as another source. It is a
LanceDB database in a folder or a bucket. Only this package imports `lancedb`."""
