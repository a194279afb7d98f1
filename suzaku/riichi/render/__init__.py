"""A table drawn: as text, as SVG, in a terminal."""
