"""Fields of study: the field of a question, the terms of fields, and their aspects of a topic."""
