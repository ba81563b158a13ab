"""What the verbs that list something share: filters, orders, templates."""
