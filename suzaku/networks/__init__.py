"""The torch modules, their names and their checkpoints."""
