"""What a request can want to change on the shelf and in the profile; none of it is done without a yes."""
