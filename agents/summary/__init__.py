"""From a topic to a tree of facets, and from the tree to a text whose every sentence names its papers."""
