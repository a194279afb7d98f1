"""`python -m suzaku` is the command `suzaku`."""

from suzaku.apps.main import app

app(prog_name="suzaku")
