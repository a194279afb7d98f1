"""Winning scores learnt by self-play (Mizukami and Tsuruoka), and what a position is worth by expected final rank."""
