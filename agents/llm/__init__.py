"""The door to a language model: any endpoint of the OpenAI protocol."""
