"""Jobs of the studio: watched, held, stopped, killed; what they make is what the library makes."""

import asyncio
import contextlib
import os
import re
import signal
import time

import pytest

import levelsmith
from levelsmith.studio.app import Studio, make_app
from levelsmith.studio.jobs import Job
from levelsmith.studio.limits import StudioLimits
from studio.asgi import Request
from studio.running import Running, children

ORCHARD = {"game": "orchard", "size": "6x6", "search": "hc", "evaluations": 5000, "seed": 5}
ENDLESS = {
    "game": "orchard",
    "size": "6x6",
    "search": "hc",
    "seed": 5,
    "want": {"trees": "40.."},
}  # of 36 cells

UNREACHABLE = {
    "game": "binary",
    "size": "10x10",
    "search": "hc",
    "objective": "path-length",
    "set": {"goal": 70},
}


def runs(job):
    return job["state"] == "running" and job["evaluations"] > 0


def test_a_job_makes_the_levels_that_the_library_makes(studio):
    job = studio.finished(**ORCHARD, count=3)
    made = levelsmith.generate("orchard", size=(6, 6), search="hc", evaluations=5000, seed=5, count=3)
    levels = studio.get(f"levels?job={job['id']}&sort=id")["levels"]
    assert job["state"] == "done"
    assert [level["text"] for level in levels] == [level.text for level in made.levels]
    assert [level["id"] for level in levels] == job["levels"]
    assert (job["evaluations"], job["score"]) == (made.evaluations, made.score)
    assert levels[0]["metrics"] == levelsmith.measure(made.levels[0])
    assert levels[0]["provenance"]["seed"] == 5


def test_a_proposal_leaves_no_trace(studio):
    before = studio.get("levels/counts"), [job["id"] for job in studio.get("jobs")["jobs"]]
    job = studio.finished(game="binary", edit="repair", start="...\n.#.\n###\n..#", seed=1)
    assert job["state"] == "done"
    assert job["text"] != "...\n.#.\n###\n..#"
    assert (studio.get("levels/counts"), [job["id"] for job in studio.get("jobs")["jobs"]]) == before
    studio.call("DELETE", f"jobs/{job['id']}", expect=200)
    studio.call("GET", f"jobs/{job['id']}", expect=404)
    studio.call("POST", "jobs", {"game": "binary", "edit": "repair"}, expect=400)


def test_the_curve_of_a_job_knows_where_each_level_began(studio):
    job = studio.finished(game="orchard", size="6x6", evaluations=50, count=3, seed=1)
    starts = [point[3] for point in job["history"]]
    assert starts == sorted(starts)
    assert len(set(starts)) == 3
    assert all(point[0] > point[3] for point in job["history"])


def test_a_job_that_made_nothing_says_how_near_it_came(studio):
    job = studio.finished(game="orchard", size="4x4", want={"trees": [17, None]}, evaluations=200, seed=1)
    assert (job["state"], job["levels"]) == ("done", [])
    assert job["error"].startswith("no level could be made in 200 tries (1")
    assert job["error"].endswith(" trees were the most found; asked for 17..)")


def test_parameters_of_parts_that_do_not_run_are_refused(studio):
    setting = {"game": "sokoban", "want": {"difficulty": "hard"}, "seed": 1, "seconds": 1}
    told = studio.post("jobs/preview", setting)
    assert (told["plan"]["search"], told["plan"]["representation"]) == ("warehouse", None)
    refused = studio.call("POST", "jobs", {**setting, "set": {"mcts.trees": 3}}, expect=400)["error"]
    assert "mcts" in refused


def test_the_python_that_a_job_shows_makes_its_level(studio, capsys):
    job = studio.finished(**ORCHARD, set={"hc.patience": 50}, objective="spaced")
    exec(compile(job["python"], "shown", "exec"), {})
    assert capsys.readouterr().out.strip() == studio.get(f"levels/{job['levels'][0]}")["text"]
    assert job["command"] == (
        "levelsmith generate orchard --size 6x6 --search hc --objective spaced --set hc.patience=50 "
        "--evaluations 5000 --seed 5"
    )


def test_events_tell_progress_levels_and_states_in_order(studio):
    long = {**UNREACHABLE, "evaluations": 400_000}  # so that we come before the first run ends
    number = studio.job(**long, count=2)
    events = list(studio.events(number))
    names = [name for _, name, _ in events]
    assert names[0] == names[-1] == "state"
    assert events[-1][2]["state"] == "done"
    assert names.count("level") == 2
    spent = [data["evaluations"] for _, name, data in events if name == "progress"]
    assert spent == sorted(spent)
    numbers = [number for number, _, _ in events]
    assert numbers == sorted(numbers)


def test_kept_levels_arrive_while_the_search_runs(studio):
    number = studio.job(**UNREACHABLE, keep_above=0.3, keep_most=4, seconds=60)
    job = studio.until(number, lambda job: len(job["levels"]) == 4)
    assert job["state"] == "running"
    studio.post(f"jobs/{number}/cancel")
    job = studio.until(number, lambda job: job["state"] == "cancelled")
    levels = studio.get(f"levels?job={number}&sort=id")["levels"]
    assert {level["id"] for level in levels} == set(job["levels"])
    assert all(level["score"] >= 0.3 for level in levels)
    assert job["text"] in [level["text"] for level in levels]  # the best is kept in any case


def test_a_watcher_who_lost_the_line_misses_nothing(studio):
    number = studio.job(**ENDLESS, seconds=1.5, count=2)
    studio.until(number, runs)
    seen = []
    for event in studio.events(number):
        seen.append(event)
        if len(seen) == 4:
            break
    rest = list(studio.events(number, last=seen[-1][0]))
    assert rest[0][0] == seen[-1][0] + 1
    assert [event[0] for event in rest] == list(range(rest[0][0], rest[0][0] + len(rest)))
    assert rest[-1][2]["state"] == "done"


def test_a_paused_job_spends_nothing_and_goes_on(studio):
    number = studio.job(**ENDLESS, seconds=2)
    studio.until(number, runs)
    studio.post(f"jobs/{number}/pause")
    paused = studio.until(number, lambda job: job["state"] == "paused")
    time.sleep(2.2)  # longer than it may run
    assert studio.get(f"jobs/{number}")["evaluations"] == paused["evaluations"]
    studio.post(f"jobs/{number}/resume")
    job = studio.until(number, lambda job: job["state"] == "done")
    assert job["evaluations"] > 2 * paused["evaluations"]
    assert 1.9 < job["seconds"] < 4


def test_a_cancelled_job_gives_its_best_so_far(studio):
    number = studio.job(**UNREACHABLE, seconds=60)
    studio.until(number, runs)
    studio.post(f"jobs/{number}/cancel")
    job = studio.until(number, lambda job: job["state"] == "cancelled")
    (level,) = studio.get(f"levels?job={number}")["levels"]
    assert level["text"] == job["text"]
    assert level["score"] == job["score"] > 0
    studio.post(f"jobs/{number}/cancel")  # twice is no mistake
    assert studio.post(f"jobs/{number}/pause", expect=409)["error"]


def test_jobs_wait_for_their_turn_and_can_be_called_off(studio):
    numbers = [studio.job(**ENDLESS, seconds=30) for _ in range(4)]
    states = [studio.get(f"jobs/{number}")["state"] for number in numbers]
    assert states == ["running", "running", "queued", "queued"]
    listed = [job["id"] for job in studio.get("jobs?state=queued")["jobs"]]
    assert listed == numbers[:1:-1]
    assert studio.call("DELETE", f"jobs/{numbers[0]}", expect=409)["error"]
    for number in reversed(numbers):
        studio.post(f"jobs/{number}/cancel")
    for number in numbers:
        studio.until(number, lambda job: job["state"] == "cancelled")
    studio.call("DELETE", f"jobs/{numbers[0]}", expect=200)
    assert studio.call("GET", f"jobs/{numbers[0]}", expect=404)["error"]


@pytest.mark.skipif(not os.path.exists("/proc"), reason="needs /proc to find the process")
def test_a_worker_that_dies_fails_its_job_alone(studio):
    number = studio.job(**ENDLESS, seconds=60)
    other = studio.job(**ENDLESS, seconds=60)
    for each in (number, other):
        studio.until(each, runs)
    before = {pid: used(pid) for pid in children(studio.process.pid)}
    time.sleep(0.5)
    os.kill(max(before, key=lambda pid: used(pid) - before[pid]), signal.SIGKILL)
    ended = [studio.until(each, lambda job: True) for each in (number, other)]
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not any(job["state"] == "failed" for job in ended):
        ended = [studio.get(f"jobs/{each}") for each in (number, other)]
    assert sorted(job["state"] for job in ended) == ["failed", "running"]
    assert "killed by signal 9" in next(job["error"] for job in ended if job["error"])
    for each in (number, other):
        studio.post(f"jobs/{each}/cancel")
    assert studio.finished(**ORCHARD)["state"] == "done"


def used(pid):
    """Ticks of the processor that a process has used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_never_more_watchers_than_the_limit_and_all_are_given_back(tmp_path):
    """However many ask at the same time, stay, or leave before the first event."""

    async def run():
        studio = Studio(str(tmp_path / "unused.db"), StudioLimits(watchers=2))
        row = {"id": 1, "state": "running", "setting": {}, "plan": {}, "created": ""}
        studio.jobs.live[1] = Job(row)
        app = make_app(studio)
        requests = [Request(app, "GET", "/api/jobs/1/events") for _ in range(5)]
        tasks = [asyncio.create_task(request.answered()) for request in requests]
        await asyncio.sleep(0.05)
        told = [request.status for request in requests], studio.jobs.watchers
        for request in requests:
            request.gone.set()
        await asyncio.gather(*tasks)
        left = Request(app, "GET", "/api/jobs/1/events")
        left.gone.set()
        await left.answered()
        lost = Request(app, "GET", "/api/jobs/1/events")

        async def broken(message):
            raise OSError("the line is cut")

        lost.send = broken
        with contextlib.suppress(OSError):
            await lost.answered()
        return *told, studio.jobs.watchers

    statuses, most, least = asyncio.run(run())
    assert sorted(statuses) == [200, 200, 429, 429, 429]
    assert (most, least) == (2, 0)


def test_nothing_is_lost_when_the_server_is_killed(tmp_path):
    store = tmp_path / "studio.db"
    first = Running(store, "--jobs", 2)
    done = first.finished(**ORCHARD)
    starred = first.call(
        "PATCH", f"levels/{done['levels'][0]}", {"starred": True, "tags": ["kept"]}, expect=200
    )
    repeatable = first.job(**ENDLESS, evaluations=100_000_000)  # seconds, on a fast machine too
    timed = first.job(**ENDLESS, seconds=60)
    for number in (repeatable, timed):
        first.until(number, runs)
    waiting = first.job(**ORCHARD)
    first.kill()
    second = Running(store, "--jobs", 2)
    assert second.get(f"levels/{starred['id']}") == starred
    assert second.get(f"jobs/{done['id']}")["history"] == done["history"]
    assert second.get(f"jobs/{timed}")["state"] == "interrupted"
    for number in (repeatable, waiting):
        job = second.until(number, lambda job: job["state"] == "done")
        assert job["evaluations"] > 0
    assert second.stop() == ""


def test_a_limit_ends_a_job_that_has_none(tmp_path):
    running = Running(tmp_path / "studio.db", "--seconds", 1)
    job = running.finished(**ENDLESS, evaluations=10**9)
    assert job["state"] == "done"
    assert job["stopped"] == "the limit of 1 seconds for a job"
    assert running.call("POST", "jobs", {**ENDLESS, "seconds": 2}, expect=400)["error"]
    running.stop()


SHORT = {
    "game": "orchard",
    "size": "4x4",
    "search": "hc",
    "evaluations": 5,
    "want": {"trees": "6"},
    "seed": 1,
}


def test_a_job_says_how_many_levels_are_missing_and_goes_on_for_those(studio):
    job = studio.finished(**SHORT, count=8)
    made = len(job["levels"])
    assert 0 < made < 8
    assert (job["state"], job["missing"]) == ("done", 8 - made)
    assert job["error"].startswith(f"{made} of 8: ")
    assert re.search(r": \w+ could not be made in 5 tries( each)? \(", job["error"])
    assert job["score"] == 1  # of the best that was made, not of the run that was the last
    assert job["text"] in [studio.get(f"levels/{number}")["text"] for number in job["levels"]]
    assert studio.get("jobs?limit=1")["jobs"][0]["made"] == made
    for _ in range(40):
        before = job
        studio.post(f"jobs/{job['id']}/more")
        job = studio.until(job["id"], lambda job: job["state"] == "done")
        assert job["levels"][: len(before["levels"])] == before["levels"]
        assert job["evaluations"] > before["evaluations"]
        if not job["missing"]:
            break
    assert (len(job["levels"]), job["error"]) == (8, None)
    texts = [studio.get(f"levels/{number}")["text"] for number in job["levels"]]
    assert len(set(texts)) == 8
    assert "all its levels" in studio.post(f"jobs/{job['id']}/more", expect=409)["error"]


def test_no_reason_is_given_that_is_not_known(studio):
    asked = {"game": "orchard", "size": "4x4", "want": {"trees": [17, None]}, "evaluations": 200}
    job = studio.finished(**asked, seed=1, count=2)
    assert (job["levels"], job["missing"]) == ([], 2)
    assert job["error"].startswith("0 of 2: none could be made in 200 tries each (1")
    assert job["error"].endswith(" trees were the most found; asked for 17..)")


def test_a_level_that_repeats_another_is_missing_and_said_to_be_so(studio):
    start = {"start": "^.\n..", "lock": ["0,0,2x1", "0,1,1x1"]}  # of which one cell may change
    job = studio.finished(game="orchard", search="hc", evaluations=20, count=3, seed=1, **start)
    assert len(job["levels"]) == 1
    told = "1 of 3: two could not be made in 20 tries each (every level that was made repeats an earlier one)"
    assert job["error"] == told


def test_a_limit_for_all_levels_is_named_where_it_came_first(studio):
    job = studio.finished(**ENDLESS, seconds=0.4, within=0.6, count=40)
    assert job["levels"] == []
    assert job["error"] == "0 of 40: the limit of 0.6 s for all levels came before any"
    assert job["seconds"] < 5
