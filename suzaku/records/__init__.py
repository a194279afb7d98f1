"""Game records: reading and writing the world's formats, and the store of walls and actions."""
