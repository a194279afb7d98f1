"""Global reward prediction (Suphx, section 3.2): what a game will be worth, from its rounds so far."""
