"""The environments are registered, also where levelsmith is not installed but only on the path."""

import pytest

import levelsmith.envs


@pytest.fixture(autouse=True, scope="session")
def _registered():
    levelsmith.envs.register()
