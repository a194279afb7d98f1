"""Learning from games: samples, batches, the training loop, its report."""

import suzaku.networks  # noqa: F401  what it sets has to stand before torch is loaded
