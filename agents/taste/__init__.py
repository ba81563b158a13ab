"""What a person likes: the reading history weighed, their own words, and papers compared with both."""
