"""The benchmark of what self-play costs still runs."""

import torch

from benchmarks.scale import measure, simulate


def test_costs_are_measured_and_queues_simulated(player):
    threads = torch.get_num_threads()
    costs = measure(str(player), games=1, tables=2, kept=2000)
    torch.set_num_threads(threads)
    assert costs.play > 0
    assert costs.prepare > 0
    assert costs.networks > 0
    assert costs.decisions > 100
    assert 1000 < costs.held_bytes < 20_000  # 100,000 games within 2 GB
    assert costs.game_bytes > costs.kept_bytes > 1000
    assert costs.order_bytes > 10_000
    few, many = (simulate(costs, workers, 20 * workers, 1.0, 1.25e8, iterations=5) for workers in (1, 100))
    assert few.workers > many.workers  # one learner does not keep a hundred busy
    assert few.games <= many.games
    fast = simulate(costs, 100, 2000, 1e6, 1.25e8, iterations=5)
    assert many.games < fast.games <= 1 / costs.prepare  # faster networks do not speed up the one thread before them
