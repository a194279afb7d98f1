"""What goes wrong in reinforcement learning: seen in the figures of an iteration, a sentence each with what to do."""

from collections.abc import Mapping

COLLAPSE = 0.5  # of the entropy's target
WEIGHTS = 0.5  # effective share of the importance weights
MISMATCH = 0.05  # divergence of the learner's first policy from the one that played
STARVING = 0.6  # of the time spent waiting
IDLE = 0.02
STALE = 0.05  # of the games left out, since their weights were too old
TOO_OLD = (
    "{} of the games began with weights that are older than staleness allows, the long ones first: fewer tables, or "
    "more games an iteration"
)


def alarms(figures: Mapping[str, float], workers: int, first: bool) -> list[str]:
    """The alarms of an iteration; `first` says that nothing has been learnt yet."""
    said = []
    if figures.get("illegal", 0.0) > 0:
        said.append(
            f"{figures['illegal']:.2%} of the actions that were played are illegal to the learner: its mask is wrong; "
            "stop, and report it"
        )
    if first and abs(figures.get("kl_first", 0.0)) > MISMATCH:
        said.append(
            f"before anything was learnt, the learner's policy is not the one that played (KL "
            f"{figures['kl_first']:.3f}): start from the weights that the actors have"
        )
    if figures.get("drawn", 1.0) == 0:
        said.append(
            "no game was learnt from: " + TOO_OLD.format("all")
            if figures.get("stale", 0.0)
            else "no game was drawn from the buffer, and nothing learnt: more games an iteration, or less reuse"
        )
    elif figures.get("rate", 1.0) == 0:
        said.append("no game had a decision of the models that learn, and nothing was learnt: more games an iteration")
    elif figures.get("stale", 0.0) > STALE:
        said.append(TOO_OLD.format(f"{figures['stale']:.0%}"))
    if figures.get("reward", 1.0) < 1e-6:
        said.append("the rewards are all the same: nothing can be learnt; look at the reward model and the games")
    target = figures.get("entropy_target", float("nan"))
    if figures.get("entropy", 1.0) < COLLAPSE * target:
        said.append(
            f"the entropy has fallen to {figures['entropy']:.3f}, its target is {target:.3f}: lower rate, or raise beta"
        )
    if figures.get("effective", 1.0) < WEIGHTS:
        lower = "natural" if "natural_step" in figures else "rate, epochs or reuse"
        said.append(f"the importance weights count for {figures['effective']:.0%} of their number: lower {lower}")
    if workers and not first:
        if figures.get("waiting", 0.0) > STARVING:
            said.append(
                f"the learner waits {figures['waiting']:.0%} of the time for games: more workers, if cores are free"
            )
        elif figures.get("waiting", 1.0) < IDLE:
            said.append("the workers wait for the learner: more games an iteration, or fewer workers")
    return said
