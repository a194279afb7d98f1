"""What can be said of decisions of MCR."""
