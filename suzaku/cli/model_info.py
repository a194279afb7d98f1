"""What `suzaku model info` shows: a checkpoint, or all models of a folder, laid out for people."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from suzaku.networks.bundled import bundled
from suzaku.networks.info import (
    CheckpointError,
    Info,
    check_sum,
    checkpoint_of,
    files,
    misfit,
    parameters,
    read_info,
    read_shapes,
)
from suzaku.networks.spec import FAMILIES

MOST_FREQUENT = "always the most frequent"
BORING = ("network", "model", "eval_every", "eval_samples", "save_every", "workers")  # settings that change no weight


class Described:
    """A checkpoint with what can be told of it."""

    def __init__(self, path: Path) -> None:
        self.weights = files(path)[0]
        self.info: Info = read_info(path)
        self.parameters = parameters(read_shapes(path))
        self.size = self.weights.stat().st_size
        self.misfit = misfit(self.info) or _other_weights(path, self.info)

    def to_dict(self) -> dict[str, Any]:
        """All of it, for programs."""
        own = {"path": str(self.weights), "parameters": self.parameters, "bytes": self.size}
        return own | {"fits": self.misfit is None, "misfit": self.misfit, **self.info}


def find(path: Path) -> list[Path]:
    """The checkpoint of this name, those of a folder of checkpoints, of training runs or of one run, or bundled ones.

    Bundled are the models of a player (suphx) and each of them (suphx/discard).
    """
    own = bundled(str(path))
    if not path.exists() and not files(path)[1].exists() and (own.is_dir() or files(own)[1].exists()):
        path = own
    if not path.is_dir():
        return [path]
    models = dict.fromkeys(model for family in FAMILIES.values() for model in family.models)
    places = dict.fromkeys(checkpoint_of(path, model) for model in models)
    found = [place for place in places if files(place)[1].exists()]
    if not found:
        raise CheckpointError(f"{path} holds no checkpoint: there is no discard.json, discard/best.json or best.json")
    return found


def table_of(models: list[Described], title: str) -> RenderableType:
    """A row a model."""
    columns = [
        "model",
        "network",
        "features",
        "parameters",
        "MB",
        "trained on",
        "right, %",
        "of",
        f"{MOST_FREQUENT}, %",
    ]
    shown = _table(title, columns, left=3)
    notes = []
    for model in models:
        split, results = _best_results(model.info)
        shown.add_row(
            escape(model.info["model"]),
            escape(model.info["network"]),
            escape(str(model.info["features"].get("table"))),
            f"{model.parameters:,}",
            f"{model.size / 1e6:.1f}",
            escape(_samples(model.info)),
            _share(results),
            escape(f"{_number(results.get('samples'))} {split}".strip()),
            _per_cent(results.get("majority")),
        )
        if model.misfit:
            notes.append(f"[red]{escape(model.info['model'])} does not fit[/]: {escape(model.misfit)}")
    return Group(shown, *notes)


def page_of(model: Described) -> RenderableType:
    """All that matters of one checkpoint."""
    info = model.info
    features = info["features"]
    head = _table(f"{info['model']}, {info['network']}", ["", ""], left=2, show_header=False)
    rows = [
        ("file", str(model.weights)),
        (
            "parameters",
            f"{model.parameters:,} ({model.size / 1e6:.1f} MB, {info['weights'].get('precision')} precision)",
        ),
        ("features", f"{features.get('table')}, version {features.get('version')}, hash {features.get('hash')}"),
        ("fits this Suzaku", "yes" if model.misfit is None else f"no: {model.misfit}"),
        ("mean of", ", ".join(run.get("from", "a run") for run in info.get("mean_of", []))),
        ("trained on", ", ".join(filter(None, (_data(info), _samples(info))))),
        ("time", _time(info)),
        ("at the table", _match(info)),
        ("settings", _settings(info)),
        ("written by", f"suzaku {info.get('suzaku', 'unknown')}"),
    ]
    for name, text in rows:
        if text:
            head.add_row(name, escape(text))
    results = {name: part for name, part in _results(info).items() if "accuracy" in part}
    if not results:
        errors = {name: part for name, part in _results(info).items() if isinstance(part.get("squared_errors"), dict)}
        return Group(head, *(_squared_errors(name, part) for name, part in errors.items()))
    return Group(head, _figures(results), *_cuts(results))


def _figures(results: dict[str, dict[str, Any]]) -> Table:
    """A row for each set of games that the model was looked at with."""
    two_way = any(isinstance(part.get("classes"), dict) for part in results.values())
    more = (
        ["precision", "recall", "F1"] if two_way else ["without the legal mask, %", "legal then, %", "among first 3, %"]
    )
    shown = _table("how often it is right", ["games", "samples", "right, %", f"{MOST_FREQUENT}, %", "loss", *more])
    for name, part in results.items():
        if two_way:
            classes = part["classes"] if isinstance(part.get("classes"), dict) else {}
            cells = [_classes(classes.get(key)) for key in ("precision", "recall", "f1")]
        else:
            cells = [_per_cent(part.get(key)) for key in ("unmasked_accuracy", "unmasked_legal", "top_3")]
        loss = part.get("loss")
        shown.add_row(
            escape(name),
            _number(part.get("samples")),
            _share(part),
            _per_cent(part.get("majority")),
            f"{loss:.3f}" if isinstance(loss, float) else "",
            *cells,
        )
    return shown


def _squared_errors(name: str, part: dict[str, Any]) -> Table:
    """How far a reward predictor is off, beside the naive ones."""
    shown = _table(f"mean squared error ({name})", ["predictor", "error", "95 %", "of the variance, %"])
    for predictor, (error, half) in part["squared_errors"].items():
        share = _per_cent(error / part["variance"]) if part.get("variance") else ""
        shown.add_row(escape(predictor), f"{error:,.1f}", f"± {half:,.1f}", share)
    return shown


def _cuts(results: dict[str, dict[str, Any]]) -> Iterable[Table]:
    """Right by shanten, of the games that say most."""
    name, part = list(results.items())[-1]
    cut = part.get("by_shanten")
    cut = {key: value for key, value in cut.items() if isinstance(value, list)} if isinstance(cut, dict) else {}
    if not cut:
        return []
    shown = _table(f"by shanten ({name})", ["", *map(_shanten, cut)])
    shown.add_row("right, %", *(_per_cent(value[0]) for value in cut.values()))
    shown.add_row("samples", *(_number(value[-1]) for value in cut.values()))
    return [shown]


def _shanten(key: str) -> str:
    return {"-1": "complete", "0": "tenpai"}.get(key, f"{key}-shanten")


def _results(info: Info) -> dict[str, dict[str, Any]]:
    """Results by set of games. Figures without such a name are those of "all"."""
    results = info.get("results")
    if not isinstance(results, dict):
        return {}
    named = {name: part for name, part in results.items() if isinstance(part, dict)}
    return named if "accuracy" not in results else {"all": results}


def _best_results(info: Info) -> tuple[str, dict[str, Any]]:
    """The results that say most: of the test, or else of the validation games."""
    named = _results(info)
    for name in ("test", "validation", "all"):
        if name in named:
            return ("" if name == "all" else name), named[name]
    return "", {}


def _data(info: Info) -> str:
    data = info.get("data")
    if isinstance(data, dict):
        games = f"{_number(data['games'])} games" if "games" in data else ""
        store = f"store {data['store']}" if "store" in data else ""
        return f"{games} ({store})" if games and store else games or store
    return f"store {data}" if data else ""


def _samples(info: Info) -> str:
    """How many samples were learnt from up to this checkpoint."""
    training, step = info.get("training"), info.get("step")
    if isinstance(info.get("played"), int) and isinstance(info.get("learnt"), int):
        return f"{info['played']:,} games against itself, {info['learnt']:,} decisions"
    if not isinstance(training, dict) or not isinstance(step, int) or not isinstance(training.get("batch"), int):
        return ""
    return f"{step * training['batch']:,} {'games' if 'target' in training else 'samples'}"


def _time(info: Info) -> str:
    """All pieces of the run up to this checkpoint."""
    pieces = info.get("pieces")
    if not isinstance(pieces, list) or not pieces:
        return ""
    try:
        from suzaku.learning.learner import read_pieces, totals

        return totals(read_pieces(pieces, 0, 0))
    except (KeyError, TypeError, ValueError, AttributeError):
        return "not readable"


def _match(info: Info) -> str:
    """What it reached against three others."""
    found = _results(info).get("match", {})
    if not {"average_rank", "interval", "against", "hanchan"} <= set(found):
        return ""
    rank = f"average rank {found['average_rank']:.3f} ± {found['interval']:.3f}"
    return f"{rank} against three {found['against']}, {found['hanchan']:,} hanchan"


def _settings(info: Info) -> str:
    training = info.get("training")
    if not isinstance(training, dict):
        return ""
    told = {key: value for key, value in training.items() if key not in BORING and value != ""}
    return ", ".join(f"{key} {str(value).lower() if isinstance(value, bool) else value}" for key, value in told.items())


def _share(results: dict[str, Any]) -> str:
    share, half = results.get("accuracy"), results.get("interval")
    if not isinstance(share, float):
        return ""
    return f"{100 * share:.2f} ± {100 * half:.2f}" if isinstance(half, float) else f"{100 * share:.2f}"


def _classes(values: list[Any] | None) -> str:
    """Figures of the classes but the first, which is no."""
    return " / ".join(f"{value:.3f}" for value in values[1:] if isinstance(value, float)) if values else ""


def _per_cent(value: Any) -> str:
    return f"{100 * value:.2f}" if isinstance(value, (int, float)) else ""


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else ""


def _table(title: str, columns: list[str], left: int = 1, show_header: bool = True) -> Table:
    """An empty table whose first columns hold words and whose others hold figures."""
    shown = Table(title=escape(title), title_justify="left", box=box.SIMPLE_HEAD, show_header=show_header)
    for i, column in enumerate(columns):
        shown.add_column(column, justify="right" if i >= left else "left", overflow="fold")
    return shown


def _other_weights(path: Path, info: Info) -> str | None:
    try:
        check_sum(path, files(path)[0].read_bytes(), info)
    except CheckpointError as problem:
        return str(problem)
    return None
