"""Players of MCR."""
