"""The torch modules, their names and their checkpoints."""

import os

# Before torch is loaded: its threads shall sleep while they wait for each other. By default they spin, and take the
# cores from the threads that encode, and from every other process.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
