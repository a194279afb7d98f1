"""The reward predictor (Suphx, Fig. 7): two GRU layers and two dense layers over the rounds of a game.

The last layer gives the probabilities of the four places, and the predicted reward is their mean worth. So it never
leaves the range of rewards, and the same network tells the expected place.
"""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PLACES = 4


class Reward(nn.Module):
    """Logits of the places [n, rounds, 4] from rows of numbers [n, rounds, channels]; each sees the rows up to it."""

    def __init__(self, channels: int, width: int, outputs: int = PLACES) -> None:
        super().__init__()
        self.gru = nn.GRU(channels, width, num_layers=2, batch_first=True)
        self.dense = nn.Linear(width, width)
        self.head = nn.Linear(width, outputs)

    def forward(self, rows: Tensor, counts: Tensor | None = None) -> Tensor:
        """The logits after each row; with `counts`, on the CPU, the rows beyond so many are not worked out."""
        if counts is None:
            seen = self.gru(rows)[0]
        else:
            packed = pack_padded_sequence(rows, counts, batch_first=True, enforce_sorted=False)
            seen = pad_packed_sequence(self.gru(packed)[0], batch_first=True, total_length=rows.shape[1])[0]
        return self.head(torch.relu(self.dense(seen)))
