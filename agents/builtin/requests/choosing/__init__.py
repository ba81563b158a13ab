"""Papers that are asked for by what they are like: hard conditions, soft ones, and an order, each read by its own."""
