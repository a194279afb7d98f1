"""Matches between agents, and figures one can trust."""
