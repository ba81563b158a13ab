"""What a person, a program or the assistant can have done, each thing as one typed function."""
