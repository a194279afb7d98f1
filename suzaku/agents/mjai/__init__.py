"""mjai: our agents as mjai players, and other people's mjai programs as agents."""
