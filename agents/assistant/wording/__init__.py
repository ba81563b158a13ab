"""Sentences of the assistant without a model, made only from the results of its tools."""
