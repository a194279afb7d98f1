"""The player that learns: where its models come from, and how it is written as one that can be seated."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor, nn

from suzaku.agents.network import NetworkAgent
from suzaku.agents.suphx import OracleAgent
from suzaku.networks import checkpoint
from suzaku.networks.bundled import find_models, sees_ahead
from suzaku.networks.info import CheckpointError, Info, read_weights
from suzaku.networks.run import Model
from suzaku.networks.spec import spec_of
from suzaku.rl.config import WIDEN, RlConfig, game_of, start_folder
from suzaku.rl.games import learning_of
from suzaku.rl.oracle import cut_back, widened

Tensors = dict[str, dict[str, Tensor]]  # of the models that learn


class Player:
    """The models to start from, and the oracle's of those that learn."""

    def __init__(self, config: RlConfig) -> None:
        """Find the models; what cannot learn together is refused."""
        self.config = config
        self.folder = start_folder(config.start)
        self.game = learning_of(game_of(config.start))()
        self.game.check(config)
        self.paths = find_models(self.folder, self.game.agent.name, self.game.agent.MODELS)
        loaded = {model: checkpoint.load(path) for model, path in self.paths.items()}
        self.infos = {model: info for model, (_, info) in loaded.items()}
        self.specs = {model: spec_of(info) for model, info in self.infos.items()}
        self.lookahead = all(sees_ahead(info) for info in self.infos.values())
        self.modules: dict[str, nn.Module] = {model: loaded[model][0] for model in config.models}
        self.folders = {"start": self.folder}  # that it was taken from
        self.oracle_infos: dict[str, Info] = {}  # of an oracle that was trained before
        self.oracles = self._oracles() if config.oracle else {}

    def oracle_info(self, model: str) -> Info:
        """What a checkpoint of a model with the oracle channels says of itself."""
        network = self.infos[model]["network"].replace("suphx", "oracle", 1)
        return {"network": network, "model": model, "training": self.infos[model].get("training")}

    def _oracles(self) -> dict[str, nn.Module]:
        """The models that learn with the oracle channels."""
        config = self.config
        if config.oracle == WIDEN:
            out: dict[str, nn.Module] = {}
            for model, module in self.modules.items():
                tensors = {name: value.numpy() for name, value in widened(module.state_dict()).items()}
                out[model] = checkpoint.from_tensors(tensors, spec_of(self.oracle_info(model)))
            return out
        try:
            found = find_models(config.oracle, "oracle", config.models)
        except CheckpointError as problem:
            raise ValueError(f"oracle: {problem} (--oracle widen begins with the start's own weights)") from None
        self.folders["oracle"] = Path(config.oracle)
        out = {}
        for model in config.models:
            out[model], info = checkpoint.load(found[model])
            self.oracle_infos[model] = info
            network, start = spec_of(info).network, self.specs[model].network
            if network.family.name != "oracle":
                raise ValueError(
                    f"oracle: {found[model]} is {network.name}, without the oracle channels; "
                    "--oracle widen begins with the start's own weights"
                )
            if network.sizes != start.sizes:
                raise ValueError(
                    f"oracle: {found[model]} is {network.name}, of another size than the start's {start.name}: "
                    "start from a player of its size"
                )
            if sees_ahead(info) != self.lookahead:
                raise ValueError(
                    f"oracle: {found[model]} was trained {'with' if sees_ahead(info) else 'without'} the look-ahead "
                    f"channels, and the start {'with' if self.lookahead else 'without'} them"
                )
        return out

    def tensors(self, newest: Tensors) -> dict[str, tuple[dict[str, np.ndarray], Info]]:
        """All models as actors need them; those that are masked, with the oracle channels, have the newest weights."""
        models = {model: read_weights(path) for model, path in self.paths.items()}
        for model, tensors in newest.items() if self.config.oracle else ():
            models[model] = {name: value.cpu().numpy() for name, value in tensors.items()}, self.oracle_info(model)
        return models

    def agent(self, modules: dict[str, nn.Module], version: int) -> NetworkAgent:
        """The player with the newest weights; models with the oracle channels are cut back."""
        agent = self.game.agent(self.folder)
        agent.replace_weights(
            {model: self.ordinary(model, module).state_dict() for model, module in modules.items()}, version
        )
        return agent

    def oracle(self, modules: dict[str, nn.Module], version: int) -> OracleAgent:
        """The same as one that sees everything."""
        models = {model: Model(path) for model, path in self.paths.items()}
        for model, module in modules.items():
            models[model] = Model.from_tensors(module.state_dict(), self.oracle_info(model), version, "cpu")
        return OracleAgent.from_models(models)

    def write(self, path: Path, modules: dict[str, nn.Module], about: dict[str, Any], oracle: bool = False) -> None:
        """A folder of all models: a whole player, or with `oracle` one that sees everything."""
        for model, where in self.paths.items():
            info = dict(self.infos[model])
            if model not in modules:
                checkpoint.save(path / model, *checkpoint.load(where))
                continue
            network = self.oracle_info(model)["network"] if oracle else info["network"]
            module = modules[model] if oracle else self.ordinary(model, modules[model])
            checkpoint.save(path / model, module, {"network": network, "model": model, **about, "started": info})

    def ordinary(self, model: str, module: nn.Module) -> nn.Module:
        """A model without the oracle channels: itself, or a copy that is cut back."""
        stem: Any = module.stem
        if not self.config.oracle or stem.in_channels == self.specs[model].features.channels:
            return module
        copied = copy.deepcopy(module)
        cut_back(copied)
        return copied
