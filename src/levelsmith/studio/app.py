"""The studio as an ASGI application: its pages, its JSON interface, and what lives as long as it does."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from levelsmith.errors import LevelsmithError
from levelsmith.experiment.store import plain_errors
from levelsmith.studio import job_routes, level_routes, pack_routes, script_routes
from levelsmith.studio.jobs import Jobs
from levelsmith.studio.limits import MEGABYTE, StudioLimits, missing
from levelsmith.studio.modules import FOLDERS, STATIC, preloads
from levelsmith.studio.processes import Clerk
from levelsmith.studio.requests import HANDLERS, Bodies, answered
from levelsmith.studio.safety import REPORT_POLICY, Guard
from levelsmith.studio.store import RESTORE_SECONDS, StudioStore

PAGES = ("/", "/generate", "/gallery", "/edit", "/play", "/script", "/pack", "/compare")
START_SECONDS = 120.0  # for the first answer, which loads what there is
REPORT_SECONDS = 300.0
PURGE_SECONDS = 60.0
BODY_MEGABYTES = 64  # of all requests that are read or wait for their answer


class Studio:
    """The store in its one thread, the clerk, and the jobs."""

    def __init__(self, store: str, limits: StudioLimits, experiments: Sequence[str] = ()):
        self.path, self.limits = store, limits
        self.experiments = {Path(path).stem: path for path in experiments}
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self.store: StudioStore | None = None
        self.purging: asyncio.Task[None] | None = None
        self.clerk = Clerk()  # for what is soon answered
        self.reporter = Clerk()  # for reports, which may take a minute
        self.judge = Clerk()  # for what may take seconds: solving, measuring, drawing many
        self.smith = Clerk()  # for solving and making levels of games in one text
        self.compiling: asyncio.Task[None] | None = None  # for that, ahead of the first who asks for it
        self.jobs = Jobs(self.in_store, limits)
        self.reports: dict[str, tuple[float, str]] = {}  # when the file was changed, the page
        self.constants: dict[tuple[str, ...], bytes] = {}

    async def open(self) -> None:
        most = self.limits.store_megabytes * MEGABYTE
        self.store = await self._in_thread(lambda: StudioStore(self.path, most))
        self.purging = asyncio.create_task(self._purge())
        await self.constant("catalogue", limits=asdict(self.limits))
        await self.jobs.open()

    async def close(self) -> None:
        await self.jobs.close()
        if self.purging is not None:
            self.purging.cancel()
        if self.compiling is not None:
            self.compiling.cancel()
        for clerk in (self.clerk, self.judge, self.reporter, self.smith):
            await asyncio.to_thread(clerk.close)
        if self.store is not None:
            await self._in_thread(self.store.close)
        self.thread.shutdown()

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.thread, work)

    async def in_store(self, method: Callable[..., Any], *values: Any, **named: Any) -> Any:
        """Calls a method of the store in its thread; what SQLite complains about comes as one sentence."""

        def work() -> Any:
            with plain_errors(self.path):
                return method(self.store, *values, **named)

        return await self._in_thread(work)

    async def _purge(self) -> None:
        """Removes now and then what was deleted long enough ago, some of it at a time."""
        while True:
            await asyncio.sleep(PURGE_SECONDS)
            with contextlib.suppress(LevelsmithError):  # a full disk now may have room later
                while await self.in_store(StudioStore.purge, time.time() - RESTORE_SECONDS):
                    pass

    def begin_compiling(self, text: str) -> None:
        """Makes a level of the first game in one text that is looked at, so that what this takes is compiled
        before somebody asks for it."""

        async def make() -> None:
            with contextlib.suppress(LevelsmithError):  # such as a game that no levels are made of
                await self.smith.ask("script_made", text=text, count=1, moves="", needs="", seed=0, limit=1.0)

        if self.compiling is None:
            self.compiling = asyncio.create_task(make())

    async def report(self, name: str) -> str:
        """Returns the report on an experiment, made anew when its file has changed."""
        path = self.experiments[name]
        real = os.path.realpath(path)  # its log lies beside the file, not beside a link to it
        files = [file for file in (real, f"{real}-wal") if os.path.exists(file)]
        changed = max(map(os.path.getmtime, files), default=-1.0)
        if self.reports.get(name, (0.0, ""))[0] != changed:
            self.reports[name] = changed, await self.reporter.ask("report", REPORT_SECONDS, path=path)
        return self.reports[name][1]

    async def constant(self, question: str, **values: Any) -> bytes:
        """Returns an answer that never changes while the studio runs, as JSON."""
        limits = values.pop("limits", None)
        key = (question, *map(str, values.values()))
        if key not in self.constants:
            answer = await self.clerk.ask(question, START_SECONDS, **values)
            if limits is not None:
                answer["limits"] = limits
            self.constants[key] = json.dumps(answer, allow_nan=False).encode()
        return self.constants[key]


async def page(request: Request) -> Response:
    links = preloads(request.url.path.strip("/"))
    return FileResponse(STATIC / "index.html", headers={"link": links})


async def catalogue(request: Request) -> Response:
    studio = request.app.state.studio
    return Response(
        await studio.constant("catalogue", limits=asdict(studio.limits)), media_type="application/json"
    )


async def sprites(request: Request) -> Response:
    theme = request.query_params.get("theme", "light")
    answer = await request.app.state.studio.constant("sprites", game=request.path_params["game"], theme=theme)
    return Response(answer, media_type="application/json")


async def compiled(request: Request) -> Response:
    answer = await request.app.state.studio.constant("compiled", game=request.path_params["game"])
    return Response(answer, media_type="application/json")


async def scripts(request: Request) -> Response:
    return Response(await request.app.state.studio.constant("scripts"), media_type="application/json")


async def list_experiments(request: Request) -> Response:
    return answered({"experiments": list(request.app.state.studio.experiments)})


async def show_experiment(request: Request) -> Response:
    """Returns the report of an experiment that was named on the command line."""
    studio = request.app.state.studio
    name = request.path_params["name"]
    if name not in studio.experiments:
        raise missing("experiment", name)
    return Response(
        await studio.report(name), media_type="text/html", headers={"content-security-policy": REPORT_POLICY}
    )


def make_app(studio: Studio, host: str = "127.0.0.1", token: str | None = None) -> Starlette:
    """Returns the application of a studio that is open, or will be before the first request."""
    bodies = max(BODY_MEGABYTES, 2 * studio.limits.upload) * MEGABYTE
    app = Starlette(
        routes=[
            *(Route(path, page, methods=["GET"]) for path in PAGES),
            Route("/api/catalogue", catalogue, methods=["GET"]),
            Route("/api/sprites/{game}", sprites, methods=["GET"]),
            Route("/api/kernels/{game}", compiled, methods=["GET"]),
            Route("/api/scripts", scripts, methods=["GET"]),
            Route("/api/experiments", list_experiments, methods=["GET"]),
            Route("/experiment/{name}", show_experiment, methods=["GET"]),
            *job_routes.ROUTES,
            *level_routes.ROUTES,
            *pack_routes.ROUTES,
            *script_routes.ROUTES,
            *(Mount(f"/static/{path}", StaticFiles(directory=folder)) for path, folder in FOLDERS.items()),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, host=host, token=token), Middleware(Bodies, most=bodies)],
        exception_handlers=HANDLERS,
    )
    app.state.studio = studio
    return app
