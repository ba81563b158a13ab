"""Which papers a choice comes to where its conditions leave too few."""
