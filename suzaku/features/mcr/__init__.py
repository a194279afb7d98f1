"""What networks of MCR see: the stacked units of the paper, and planes with look-ahead."""
