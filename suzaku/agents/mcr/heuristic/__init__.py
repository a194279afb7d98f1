"""The rule-based player of MCR: it follows the plans of the look-ahead."""
