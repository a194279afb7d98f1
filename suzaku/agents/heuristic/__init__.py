"""The player of rules and measured probabilities, no network."""
