"""How a table of MCR is drawn."""
