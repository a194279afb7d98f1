"""`python -m suzaku` is the command `suzaku`."""

from suzaku.apps.main import run

run()
