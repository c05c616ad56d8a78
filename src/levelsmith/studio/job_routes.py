"""The part of the JSON interface that is about jobs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.studio.feed import encoded
from levelsmith.studio.jobs import STATES, Jobs, known_button
from levelsmith.studio.limits import Refusal
from levelsmith.studio.requests import answered, json_body, whole
from levelsmith.studio.setting import checked, spellings
from levelsmith.studio.store import StudioStore


async def make_job(request: Request) -> Response:
    studio = request.app.state.studio
    setting = checked(await json_body(request), studio.limits)
    plan = await studio.clerk.ask("plan", setting=setting, cells=studio.limits.cells)
    job = await studio.jobs.add(setting, plan)
    return answered({"id": job.id, "state": job.state, "setting": setting, "plan": plan}, 201)


async def preview_job(request: Request) -> Response:
    """Returns what a job would run, and how to say it elsewhere; nothing is begun."""
    studio = request.app.state.studio
    setting = checked(await json_body(request), studio.limits)
    told = {"setting": setting, **spellings(setting)}
    try:
        plan = await studio.clerk.ask("plan", setting=setting, cells=studio.limits.cells)
    except LevelsmithError as error:
        return answered({**told, "plan": None, "error": str(error)})
    return answered({**told, "plan": plan, "error": None})


async def list_jobs(request: Request) -> Response:
    studio = request.app.state.studio
    states = [word for word in request.query_params.get("state", "").split(",") if word]
    for state in states:
        if state not in STATES:
            raise Refusal(f"no state is called {quoted(state)}; expected one of {', '.join(STATES)}")
    rows = await studio.in_store(StudioStore.jobs, (), whole(request, "limit", 100, 1000))
    for row in rows:
        live = studio.jobs.live.get(row["id"])
        if live is not None:
            names = ("state", "score", "evaluations", "seconds", "note")
            row |= {name: getattr(live, name) for name in names}
    return answered({"jobs": [row for row in rows if not states or row["state"] in states]})


async def show_job(request: Request) -> Response:
    return answered(await request.app.state.studio.jobs.described(request.path_params["id"]))


async def press_button(request: Request) -> Response:
    await json_body(request)
    button = known_button(request.path_params["button"])
    state = await request.app.state.studio.jobs.press(request.path_params["id"], button)
    return answered({"state": state})


async def go_on(request: Request) -> Response:
    """Takes up a job for the levels that it did not make."""
    await json_body(request)
    job = await request.app.state.studio.jobs.go_on(request.path_params["id"])
    return answered({"id": job.id, "state": job.state})


async def remove_job(request: Request) -> Response:
    await request.app.state.studio.jobs.remove(request.path_params["id"])
    return answered({})


async def watch_job(request: Request) -> Response:
    """Sends events of a job as they happen; `Last-Event-ID` goes on where a broken line ended."""
    studio = request.app.state.studio
    number = request.path_params["id"]
    job = await studio.jobs.feed_of(number)
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isdecimal() and len(last) < 16 else None

    async def events() -> AsyncIterator[bytes]:
        if job is None:
            told = await studio.jobs.described(number)
            yield encoded("state", _state_fields(told), 0)
            return
        async for chunk in job.feed.follow(after, job.standing):
            yield chunk

    return Watched(studio.jobs, events())


class Watched(StreamingResponse):
    """Events for a watcher, who is counted for as long as they are sent, and not before or after."""

    def __init__(self, jobs: Jobs, events: AsyncIterator[bytes]):
        super().__init__(events, media_type="text/event-stream")
        self.jobs = jobs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.jobs.watching():
            await super().__call__(scope, receive, send)


def _state_fields(told: dict[str, Any]) -> dict[str, Any]:
    return {name: told[name] for name in ("state", "error", "stopped", "missing") if name in told}


ROUTES = [
    Route("/api/jobs", make_job, methods=["POST"]),
    Route("/api/jobs", list_jobs, methods=["GET"]),
    Route("/api/jobs/preview", preview_job, methods=["POST"]),
    Route("/api/jobs/{id:number}", show_job, methods=["GET"]),
    Route("/api/jobs/{id:number}", remove_job, methods=["DELETE"]),
    Route("/api/jobs/{id:number}/events", watch_job, methods=["GET"]),
    Route("/api/jobs/{id:number}/more", go_on, methods=["POST"]),
    Route("/api/jobs/{id:number}/{button}", press_button, methods=["POST"]),
]
