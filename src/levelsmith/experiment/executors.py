"""Where runs are done: in this process, in others on this machine, on a cluster; all in the same way."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import Any

from levelsmith import __version__
from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.experiment.work import RunJob, WorkDone, work
from levelsmith.making.runs import check_portable
from levelsmith.making.task import Task
from levelsmith.numbers import check_workers
from levelsmith.processes import Workers

CLUSTER = "dask://"
CONNECT_SECONDS = 5.0
GONE_SECONDS = 10.0  # how long a cluster may be out of reach
LOOK_SECONDS = 1.0  # between two looks at how many workers a cluster has


class GoneError(LevelsmithError):
    """Nobody is left to do the runs; nothing that was typed is to blame."""


class RunExecutor:
    """Does jobs, so many at the same time."""

    slots: int = 1
    deaths: tuple[type[BaseException], ...] = ()  # the errors of a job whose worker died with it

    def submit(self, jobs: Sequence[RunJob]) -> Future[WorkDone]:
        raise NotImplementedError

    def renew(self) -> None:
        """Makes it work again, after a worker has died."""

    def check(self) -> None:
        """Raises LevelsmithError where nobody is left to do anything; it is called again and again."""

    def stop(self) -> None:
        """Tells all workers to stop soon."""

    def close(self) -> None:
        """Ends the workers; nothing is called after it."""


class InProcess(RunExecutor):
    """This process, one job after the other; without a timeout, as a run that hangs ends with its process."""

    def __init__(self, cancel: Callable[[], bool]):
        self.cancel = cancel

    def submit(self, jobs: Sequence[RunJob]) -> Future[WorkDone]:
        future: Future[WorkDone] = Future()
        future.set_result(work(jobs, None, self.cancel))
        return future


class BorrowedExecutor(RunExecutor):
    """Any executor that somebody else has started, and will stop."""

    deaths: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)

    def __init__(self, executor: Executor, slots: int, timeout: float | None):
        self.executor, self.slots, self.timeout = executor, slots, timeout

    def submit(self, jobs: Sequence[RunJob]) -> Future[WorkDone]:
        return self.executor.submit(work, jobs, self.timeout)

    def renew(self) -> None:
        raise GoneError("a worker of the executor died; what is done is kept: go on with a new executor")


class WorkerProcesses(BorrowedExecutor):
    """Processes of this machine, started anew when one dies."""

    executor: Workers

    def __init__(self, workers: int, timeout: float | None):
        super().__init__(Workers(workers), workers, timeout)

    def renew(self) -> None:
        self.executor.renew()

    def stop(self) -> None:
        self.executor.stop()

    def close(self) -> None:
        self.executor.close()


class DaskCluster(BorrowedExecutor):
    """A Dask cluster, whose scheduler gives what a dead worker did to another."""

    def __init__(self, address: str, timeout: float | None):
        try:
            from distributed import Client
            from distributed.scheduler import KilledWorker
        except ImportError:
            raise LevelsmithError(
                f"{CLUSTER}{address} needs Dask: pip install 'levelsmith[cluster]'"
            ) from None
        self.client: Any  # Dask tells no types
        self.address = address
        self.deaths = (KilledWorker, CancelledError)
        self.seen = self.looked = time.monotonic()
        connect: Any = Client
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told here, in one line
        try:
            self.client = connect(f"tcp://{address}", timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise LevelsmithError(
                f"no Dask scheduler answers at {address} ({type(error).__name__}); "
                f"start one with: dask scheduler --port {address.rpartition(':')[2]}"
            ) from None
        try:
            self._check_versions()
        except BaseException:
            self.close()
            raise
        super().__init__(self.client.get_executor(pure=False), self._threads(), timeout)

    def _check_versions(self) -> None:
        try:
            found = set(self.client.run(_version).values())
        except ImportError as error:
            raise LevelsmithError(
                f"the workers of {self.address} cannot load levelsmith ({error}); install it there too"
            ) from None
        if found - {__version__}:
            raise LevelsmithError(
                f"the workers of {self.address} have levelsmith {listed(sorted(found))}, and this is "
                f"{__version__}: install the same version there"
            )

    def _threads(self) -> int:
        return max(1, int(sum(self.client.nthreads().values())))

    def renew(self) -> None: ...

    def check(self) -> None:
        now = time.monotonic()
        if self.client.status == "running" and now - self.looked >= LOOK_SECONDS:
            with contextlib.suppress(OSError):  # it may have gone away just now
                self.looked = now
                self.slots = self._threads()
                self.seen = now
        if now - self.seen >= GONE_SECONDS or self.client.status == "closed":
            raise self._gone()

    def submit(self, jobs: Sequence[RunJob]) -> Future[WorkDone]:
        from distributed.client import ClosedClientError

        try:
            return super().submit(jobs)
        except ClosedClientError:  # since the last look
            raise self._gone() from None

    def _gone(self) -> GoneError:
        return GoneError(
            f"the Dask cluster at {self.address} has gone away; what is done is kept: "
            "start it again and type the same command"
        )

    def close(self) -> None:
        self.client.close(timeout=CONNECT_SECONDS)


def _version() -> str:
    import levelsmith

    return levelsmith.__version__


def check(executor: str | Executor | None, workers: int, timeout: float | None) -> None:
    """Refuses what cannot be, before anything is begun."""
    check_workers(workers)
    if timeout is not None and not 0 < timeout < float("inf"):
        raise LevelsmithError(f"expected a timeout of more than 0 seconds, got {timeout:g}")
    if isinstance(executor, str):
        host, _, port = executor.removeprefix(CLUSTER).rpartition(":")
        if not (executor.startswith(CLUSTER) and host and port.isdecimal()):
            raise LevelsmithError(
                f"expected an executor such as dask://localhost:8786, got {quoted(executor)}"
            )


def executor_for(
    executor: str | Executor | None,
    workers: int,
    timeout: float | None,
    cancel: Callable[[], bool],
    tasks: Sequence[Task],
) -> RunExecutor:
    """Returns what does the runs: `dask://HOST:PORT`, an executor of Python's kind, or so many processes."""
    if executor is None and workers == 1 and timeout is None:
        return InProcess(cancel)
    if isinstance(executor, Executor):
        return BorrowedExecutor(executor, workers, timeout)
    for task in tasks:
        check_portable(task)
    if executor is None:
        return WorkerProcesses(workers, timeout)
    return DaskCluster(executor.removeprefix(CLUSTER), timeout)
