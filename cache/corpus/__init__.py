"""A group's corpus: millions of works from the dumps of OpenAlex and Semantic Scholar, as one more source.

It lies in a LanceDB database, in a folder or in a bucket. `lancedb` is imported here alone.
"""
