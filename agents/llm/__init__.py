"""Ask a language model: any endpoint that follows the OpenAI protocol."""
