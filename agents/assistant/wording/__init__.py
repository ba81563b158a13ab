"""What the assistant says without a model: sentences made from what its tools came to, and from nothing else."""
