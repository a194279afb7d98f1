"""Reinforcement learning by self-play (Suphx 3.1, Fig. 6): actors, replay buffer, learner."""
