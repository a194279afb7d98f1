"""All tests run the kernels with bounds checks: an index out of range is otherwise a silent wrong write."""

import os
import sys

assert "numba" not in sys.modules, "bounds checks must be asked for before Numba is imported"
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
