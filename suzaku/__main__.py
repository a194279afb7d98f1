"""`python -m suzaku` is the command `suzaku`."""

from suzaku.cli.main import run

run()
