"""Run-time policy adaptation (pMCPA, Suphx 3.4): the policy is fine-tuned to the hand it was dealt, for one round."""
