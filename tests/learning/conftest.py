"""A small store of games that our own players played."""

import pytest

from suzaku.records.importing import import_records
from tests.records.made import write_folder


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    top = tmp_path_factory.mktemp("learning")
    write_folder(top / "in", range(40, 52))
    import_records([str(top / "in")], top / "store")
    return top / "store"
