"""The tools: everything that a person, a program or the assistant can request, each as one typed function."""
