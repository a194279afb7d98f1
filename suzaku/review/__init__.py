"""What an agent thinks of decisions: hints for a player, and the comparison with what players did."""
