"""Reading bibliographies as databases, other programs and people leave them."""
