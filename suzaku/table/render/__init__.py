"""How a table is drawn, whatever the game."""
