"""Kernels over the seats that wait to be asked about a tile of another: the fields `queue`, `claim` and `can_win`."""

from suzaku.kernel import kernel


@kernel
def ask_queued(s, only_wins):
    """Ask the next queued seat, of those that may win if only these matter; whether there is one."""
    while s.queue[0] >= 0:
        p = s.queue[0]
        s.queue[0] = s.queue[1]
        s.queue[1] = s.queue[2]
        s.queue[2] = s.queue[3]
        s.queue[3] = -1
        if only_wins and not (s.can_win >> p) & 1:
            continue
        s.seat = p
        return True
    return False


@kernel
def is_queued(s, seat):
    """Whether a seat waits to be asked."""
    for i in range(4):  # noqa: SIM110 (kernels have no generators)
        if s.queue[i] == seat:
            return True
    return False


@kernel
def ask_afresh(s, seat, answer, queued):
    """After claims were opened anew for redrawn hands: what `seat` answered stays, and whether it waits to be asked."""
    s.claim[seat] = answer
    at = 0
    for i in range(4):
        p = s.queue[i]
        s.queue[i] = -1
        if p >= 0 and p != s.seat and (p != seat or queued):
            s.queue[at] = p
            at += 1
