"""Botzone: our agents as bots there, and bots of others at our tables."""
