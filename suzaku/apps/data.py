"""`suzaku data`: game records, from the world's formats to a store for learning."""

import typer

from suzaku.apps.data_export import export
from suzaku.apps.data_import import import_
from suzaku.apps.data_show import show
from suzaku.apps.data_stats import stats
from suzaku.apps.data_verify import verify

app = typer.Typer(
    name="data",
    help=(
        "Game records: check them against the rules, and store them for learning.\n\n"
        "Reads Tenhou mjlog XML, tenhou.net/6 JSON and mjai JSON lines, gzipped or not, from files, folders, globs and "
        "archives (zip, tar, tar.gz, tar.xz) without unpacking."
    ),
    epilog="Start with: suzaku data verify FOLDER, then suzaku data import FOLDER --out STORE",
    no_args_is_help=True,
)
app.command(name="import")(import_)
app.command()(verify)
app.command()(stats)
app.command()(show)
app.command()(export)
