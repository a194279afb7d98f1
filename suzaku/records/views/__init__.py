"""Stored games for people: shown move by move, counted, plotted."""
