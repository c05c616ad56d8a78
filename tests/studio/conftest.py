"""One running studio for a file of tests."""

import pytest

from studio.running import Running


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("studio") / "studio.db", "--jobs", 2)
    yield running
    assert running.stop() == ""  # it has complained about nothing
