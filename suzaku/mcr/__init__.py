"""Chinese Standard Mahjong (MCR, 国标麻将)."""
