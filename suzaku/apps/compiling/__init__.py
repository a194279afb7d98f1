"""Compiling the kernels that a command needs before its work begins: what there is (`parts.py`), and how it is done."""
