"""Asking a language model: any endpoint of the OpenAI protocol."""
