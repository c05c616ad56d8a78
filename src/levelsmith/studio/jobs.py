"""Searches as jobs: a queue, a few processes, pause, resume and cancel; nothing is lost on a restart."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.studio.feed import Feed
from levelsmith.studio.limits import Refusal, StudioLimits, missing
from levelsmith.studio.processes import Process
from levelsmith.studio.setting import spellings
from levelsmith.studio.shortfall import REPEATED, shortfall
from levelsmith.studio.store import UNFINISHED, StudioStore

SAVE_SECONDS = 2.0  # between two looks at how things stand that are kept
CANCEL_SECONDS = 5.0  # for a search to give its best so far, before its process is killed
GRACE_SECONDS = 120.0  # beyond its limit, for compilation, before a silent process is killed
MOST_POINTS = 400  # of a curve
BUTTONS = ("pause", "resume", "cancel")
STATES = (*UNFINISHED, "done", "failed", "cancelled", "interrupted")

InStore = Callable[..., Awaitable[Any]]  # calls a method of the store in its own thread

KEPT = ("state", "score", "evaluations", "seconds", "history", "text", "error", "stopped")  # on the store


class Job:
    """A job that is not over yet."""

    def __init__(self, row: Mapping[str, Any]):
        self.id: int = row["id"]
        self.state: str = row["state"]
        self.setting: dict[str, Any] = row["setting"]
        self.plan: dict[str, Any] = row["plan"]
        self.created: str = row["created"]
        self.feed = Feed()
        self.inbox: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self.process: Process | None = None
        self.score: float | None = None
        self.evaluations = 0
        self.seconds = 0.0
        self.rate = 0
        self.run = 0
        self.note = ""
        self.text: str | None = None
        self.history: list[list[Any]] = []  # evaluations, seconds, score; evaluations when that run began
        self.before = (0, 0.0)  # evaluations and seconds of the runs before this one
        self.levels: list[int] = row.get("levels", [])
        self.times: int = self.plan.get("times", 0)  # that it was done before, and went on
        self.made: list[tuple[int, str]] = []  # by then: run and text of each level
        self.best: tuple[float, str] | None = None  # score and text of the best level that was made
        self.repeated = 0  # levels that it had made before
        self.missing = 0  # levels, once it is over
        self.error: str | None = None
        self.stopped: str | None = None
        self.begun = time.monotonic()
        self.cancelled = self.over = False

    @property
    def is_proposal(self) -> bool:
        """Whether it is for the editor: its level goes to the page that asked, and nowhere else."""
        return "edit" in self.setting

    @property
    def repeatable(self) -> bool:
        return self.plan["evaluations"] is not None and self.plan["seconds"] is None

    def standing(self) -> list[tuple[str, Any]]:
        """Returns where a newcomer comes in."""
        told: list[tuple[str, Any]] = [("state", self.state_fields())]
        if self.score is not None or self.evaluations:
            told.append(("progress", {**self.progress(), "text": self.text}))
        return told

    def state_fields(self) -> dict[str, Any]:
        told = {"state": self.state, "note": self.note, "error": self.error}
        return {**told, "missing": self.missing} if self.over else told

    def progress(self) -> dict[str, Any]:
        names = ("run", "evaluations", "seconds", "score", "rate")
        return {**{name: getattr(self, name) for name in names}, "start": self.before[0]}

    def see(self, data: Mapping[str, Any]) -> None:
        self.note = ""
        for name in ("evaluations", "seconds", "score", "rate", "run"):
            if name in data:
                setattr(self, name, data[name])
        self.text = data.get("text", self.text)
        last = self.history[-1] if self.history else [0, 0, None]
        if last[2] != self.score or not self.history:
            self.history.append([self.evaluations, self.seconds, self.score, self.before[0]])
        if len(self.history) > MOST_POINTS:  # every other point says as much
            self.history = [*self.history[:-1:2], self.history[-1]]


class Jobs:
    def __init__(self, in_store: InStore, limits: StudioLimits):
        self.in_store, self.limits = in_store, limits
        self.live: dict[int, Job] = {}
        self.queue: deque[Job] = deque()
        self.idle: list[Process] = []
        self.watchers = 0
        self.closing = False
        self.tasks: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Takes up what an earlier server left: jobs that can be repeated begin again, others are over."""
        for row in reversed(await self.in_store(StudioStore.jobs, UNFINISHED, 10_000)):
            job = Job(await self.in_store(StudioStore.job, row["id"]))
            if job.is_proposal:  # the page that asked for it is gone
                await self.in_store(StudioStore.delete_job, job.id)
            elif row["state"] == "queued" or job.repeatable:
                job.state, job.made = "queued", await self.in_store(StudioStore.made_by, job.id)
                self.live[job.id] = job
                self.queue.append(job)
            else:
                why = "the studio was stopped while this ran"
                await self.in_store(StudioStore.update_job, job.id, state="interrupted", error=why)
        self._later(self._look())
        self._pump()

    async def close(self) -> None:
        """Searches that cannot be repeated give their best so far; the others begin again next time."""
        self.closing = True
        waiting = []
        for job in list(self.live.values()):
            if job.process is not None and not job.repeatable:
                job.process.send("cancel")
                waiting.append(job)
        deadline = time.monotonic() + CANCEL_SECONDS
        while any(job.id in self.live for job in waiting) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        for job in self.live.values():
            job.feed.close()
        processes = [job.process for job in self.live.values() if job.process is not None]
        for process in [*processes, *self.idle]:
            process.heard = lambda word, data: None
            await asyncio.to_thread(process.close)
        for task in self.tasks:
            task.cancel()

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # -------------------------------------------------------------------------------------------- requests

    async def add(self, setting: Mapping[str, Any], plan: Mapping[str, Any]) -> Job:
        self._check_room()
        return self._enqueue(Job(await self.in_store(StudioStore.add_job, setting, plan)))

    def _check_room(self) -> None:
        if len(self.queue) >= self.limits.queue:
            raise Refusal(f"expected at most {self.limits.queue} jobs in the queue; wait or cancel some", 429)

    def _enqueue(self, job: Job) -> Job:
        self.live[job.id] = job
        self.queue.append(job)
        self._pump()
        return job

    async def go_on(self, number: int) -> Job:
        """Takes up a job that is over for the levels that it did not make, by further runs of its seed."""
        self._check_room()
        row = await self.in_store(StudioStore.job, number)
        made = await self.in_store(StudioStore.made_by, number)
        if number in self.live:
            raise Refusal(f"job {number} is {self.live[number].state}: wait until it is over", 409)
        if "edit" in row["setting"] or not missing_levels(row["setting"], made):
            raise Refusal(f"job {number} has made all its levels", 409)
        plan = {**row["plan"], "times": row["plan"].get("times", 0) + 1}
        await self.in_store(StudioStore.update_job, number, state="queued", plan=plan, error=None)
        job = Job({**row, "state": "queued", "plan": plan})
        job.made = made
        job.evaluations, job.seconds = job.before = row["evaluations"], row["seconds"]
        job.history, job.text = row["history"], row["text"]
        if made and row["text"] is not None and row["score"] is not None:
            job.best = row["score"], row["text"]
        return self._enqueue(job)

    async def described(self, number: int) -> dict[str, Any]:
        """Returns a job as the interface tells it, from memory while it lasts."""
        row = await self.in_store(StudioStore.job, number)
        job = self.live.get(number)
        if job is not None:
            row |= {name: getattr(job, name) for name in (*KEPT, "rate", "note")}
            if job.over and not job.is_proposal:
                row["missing"] = job.missing
        elif "edit" not in row["setting"]:
            row["missing"] = missing_levels(row["setting"], await self.in_store(StudioStore.made_by, number))
        return {
            **{name: value for name, value in row.items() if name != "deleted"},
            "rate": row.get("rate") or round(row["evaluations"] / max(row["seconds"], 1e-9)),
            **spellings(row["setting"]),
        }

    async def press(self, number: int, button: str) -> str:
        """Presses a button; returns the state that the job is in or on its way to."""
        job = self.live.get(number)
        if job is None:
            state = (await self.in_store(StudioStore.job, number))["state"]
            if button == "cancel":  # twice is no mistake
                return str(state)
            raise Refusal(f"job {number} is {state} and cannot {button} any more", 409)
        if button == "cancel":
            self._cancel(job)
        elif job.state == "queued":
            raise Refusal(f"job {number} waits in the queue: it cannot {button} yet", 409)
        elif job.process is not None and not job.cancelled:
            job.process.send(button)
        return job.state

    def _cancel(self, job: Job) -> None:
        if job in self.queue:
            self.queue.remove(job)
            self._later(self._finish(job, "cancelled", None, "cancelled"))
        elif job.process is not None and not job.cancelled:
            job.cancelled = True
            process = job.process
            process.send("cancel")
            loop = asyncio.get_running_loop()
            loop.call_later(CANCEL_SECONDS, lambda: process.kill() if job.process is process else None)

    async def remove(self, number: int) -> None:
        """Takes a job off the list; its levels stay."""
        await self.in_store(StudioStore.job, number)
        if number in self.live:
            raise Refusal(f"job {number} is {self.live[number].state}: cancel it first", 409)
        await self.in_store(StudioStore.delete_job, number)

    # -------------------------------------------------------------------------------------------- processes

    def _pump(self) -> None:
        """Gives waiting jobs to processes that are free."""
        running = sum(job.process is not None for job in self.live.values())
        while self.queue and running < self.limits.jobs and not self.closing:
            job = self.queue.popleft()
            process = self.idle.pop() if self.idle else Process(lambda word, data: None)
            process.heard = lambda word, data, job=job: job.inbox.put_nowait((word, data))  # type: ignore[misc]
            job.process, job.begun, job.note = process, time.monotonic(), "starting"
            self._state(job, "running")
            self._later(self._attend(job))
            limits = {"seconds": self.limits.seconds, "megabytes": self.limits.megabytes}
            going_on = {"made": job.made, "times": job.times, "before": job.before} if job.times else {}
            process.send("search", {"setting": job.setting, "most": self.limits.count, **limits, **going_on})
            running += 1

    def _state(self, job: Job, state: str) -> None:
        job.state = state
        job.feed.tell("state", job.state_fields())

    async def _attend(self, job: Job) -> None:
        """Takes one message after the other, until the job is over."""
        while job.id in self.live:
            word, data = await job.inbox.get()
            try:
                await self._heard(job, word, data)
            except LevelsmithError as error:  # such as a full disk
                self._free(job, keep=False)
                await self._finish(job, "failed", str(error))
            except Exception:
                self._free(job, keep=False)
                await self._finish(job, "failed", "something went wrong here; see what was printed")
                raise

    async def _heard(self, job: Job, word: str, data: Any) -> None:
        if word == "state":
            job.note = ""
            self._state(job, data)
            await self._save(job)  # one that has begun is told from one that waits, whatever happens next
        elif word == "note":
            job.note = data
            job.feed.tell("state", job.state_fields())
        elif word == "progress":
            job.see(data)
            job.feed.tell("progress", {**data, "start": job.before[0]})
        elif word == "levels":
            await self._keep(job, data)
        elif word == "result":
            await self._result(job, data)
        elif word == "done":
            await self._done(job, data)
        elif word == "wrong":
            self._free(job)
            await self._finish(job, "failed", data)
        elif word == "gone":
            job.process = None
            if job.cancelled:
                await self._finish(job, "cancelled", None, "cancelled")
            else:
                why = f"its process ended ({_reason(data)}); the other jobs are not touched"
                await self._finish(job, "failed", why)

    async def _result(self, job: Job, data: Mapping[str, Any]) -> None:
        """Keeps the levels of a run that is over; its exact curve takes the place of what was told."""
        score = max((s for s in (job.score, data["score"]) if s is not None), default=None)
        evaluations, seconds = job.before
        done = [point for point in job.history if point[0] <= evaluations] if evaluations else []
        exact = [[evaluations + e, round(seconds + s, 4), v, evaluations] for e, s, v in data["history"]]
        job.see({name: data[name] for name in ("evaluations", "seconds", "rate", "text")} | {"score": score})
        job.history = [*done, *exact] or job.history
        if len(job.history) > MOST_POINTS:
            job.history = [*job.history[:-1:2], job.history[-1]]
        job.before = (data["evaluations"], data["seconds"])
        await self._keep(job, data["levels"])
        if data["levels"] and (job.best is None or (data["score"] or 0.0) > job.best[0]):
            job.best = data["score"] or 0.0, data["text"]
        told = {"told": data["told"]} if job.is_proposal else {}
        job.feed.tell("progress", {**job.progress(), "text": job.text, "start": evaluations, **told})

    async def _keep(self, job: Job, levels: list[dict[str, Any]]) -> None:
        if job.is_proposal:
            return
        added = await self.in_store(StudioStore.add_levels, levels, job.id)
        job.repeated += len(levels) - len(added)
        for level in added:
            job.levels.append(level["id"])
            job.feed.tell("level", level)

    async def _done(self, job: Job, data: Mapping[str, Any]) -> None:
        stopped = data["stopped"]
        self._free(job, keep=not data["large"])
        if stopped == "cancelled" and self.closing:
            await self._finish(job, "interrupted", "the studio was stopped while this ran", stopped)
        elif stopped == "cancelled" or job.cancelled:
            await self._finish(job, "cancelled", None, stopped)
        else:
            await self._finish(job, "done", await self._shortfall(job, data), stopped)

    async def _shortfall(self, job: Job, data: Mapping[str, Any]) -> str | None:
        """Returns why levels are missing; None where none is."""
        if job.is_proposal:
            return None
        asked = job.setting.get("count", 1)
        missing = missing_levels(job.setting, await self.in_store(StudioStore.made_by, job.id))
        limit = data["stopped"] if data["stopped"].startswith("the limit") else ""
        reasons = [*data["reasons"], *[REPEATED] * job.repeated][:missing]
        return shortfall(asked - missing, asked, reasons, data["spent"], limit) or None

    def _free(self, job: Job, keep: bool = True) -> None:
        """Lets a process that has said how its job ended wait for the next one."""
        process, job.process = job.process, None
        if process is None:
            return
        process.heard = lambda word, data: self._lost(process, word)
        if keep and not self.closing:
            self.idle.append(process)
        else:
            process.kill()

    def _lost(self, process: Process, word: str) -> None:
        if word == "gone" and process in self.idle:
            self.idle.remove(process)

    async def _finish(self, job: Job, state: str, error: str | None, stopped: str | None = None) -> None:
        if job.over:
            return
        job.over = True
        with contextlib.suppress(LevelsmithError):
            if not job.is_proposal:
                made = await self.in_store(StudioStore.made_by, job.id)
                job.missing = missing_levels(job.setting, made)
        job.state, job.error, job.stopped, job.note = state, error, stopped, ""
        if job.best is not None:  # not the run that happened to be the last
            job.score, job.text = job.best
        with contextlib.suppress(LevelsmithError):  # a full disk: those who watch are told all the same
            await self._save(job)
        self.live.pop(job.id, None)
        job.feed.tell("state", {**job.state_fields(), "stopped": stopped})
        job.feed.close()
        self._pump()

    async def _save(self, job: Job) -> None:
        await self.in_store(StudioStore.update_job, job.id, **{name: getattr(job, name) for name in KEPT})

    async def _look(self) -> None:
        """Keeps now and then how things stand, and ends processes that do not keep to their limits."""
        paused: dict[int, float] = {}
        while True:
            await asyncio.sleep(SAVE_SECONDS)
            for job in list(self.live.values()):
                if job.process is None:
                    continue
                if job.state == "paused":
                    paused[job.id] = paused.get(job.id, 0.0) + SAVE_SECONDS
                spent = time.monotonic() - job.begun - paused.get(job.id, 0.0)
                if spent > self.limits.seconds + GRACE_SECONDS:
                    job.process.kill()
                with contextlib.suppress(LevelsmithError):  # a full disk now may have room later
                    await self._save(job)

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Counts a watcher while the block lasts; one too many is refused."""
        if self.watchers >= self.limits.watchers:
            raise Refusal(
                f"expected at most {self.limits.watchers} watchers, and there are as many; close a page", 429
            )
        self.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1

    async def feed_of(self, number: int) -> Job | None:
        """Returns the job to watch; None where it is over."""
        if number not in self.live:
            await self.in_store(StudioStore.job, number)
        return self.live.get(number)


def missing_levels(setting: Mapping[str, Any], made: Sequence[tuple[int, str]]) -> int:
    """Returns how many levels of a job are not there; a run that goes on with it stands for a first one."""
    asked, skip = setting.get("count", 1), setting.get("skip", 0)
    return int(asked - len({(run - skip) % asked for run, _ in made}))


def _reason(status: int | None) -> str:
    if status is not None and status < 0:
        return f"killed by signal {-status}; out of memory?"
    return f"status {quoted(status)}"


def known_button(name: str) -> str:
    if name not in BUTTONS:
        raise missing("button", name)
    return name
