"""Plays Lode Runner by the page's kernels: recorded games against guards, and plans to their end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from pages import Page

from levelsmith.registry import games
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import with_files

PLAY = """
import { Game } from "./games/loderunner/game.js";
import { boardOf } from "./games/loderunner/level.js";
import { ticksOf } from "./games/loderunner/plan.js";
import { carried, loaded } from "./kernels.js";

let ready = null;

export default async function play({ told, kind, traces, plans }) {
  ready ??= loaded("loderunner", carried({ loderunner: told }));
  const compiled = await ready;
  const gameOf = (rows, exit) => new Game(compiled, boardOf(kind, rows.join("\\n")), exit);
  const all = (works, play) => works.map((work) => play(work, gameOf));
  return { traces: all(traces, recorded), plans: all(plans, ended) };
}

/** The states at the ticks that are asked for, and a checksum of all. */
function recorded({ level, exit, inputs, ticks, asked }, gameOf) {
  const game = gameOf(level, exit);
  const keys = new Map(inputs);
  const states = [];
  let check = 0;
  for (let tick = 0; tick <= ticks; tick++) {
    if (tick) game.tick(keys.get(tick));
    const state = seen(game);
    if (asked.includes(tick)) states.push(state);
    check = summed(lineOf(state), check);
  }
  return { states, crc32: check.toString(16).padStart(8, "0") };
}

/** How a plan ends, and when. */
function ended({ rows, plan }, gameOf) {
  const game = gameOf(rows);
  for (const key of ticksOf(plan)) if (game.status === "playing") game.tick(key);
  return [game.status, game.ticks];
}

/** All that can be seen of a game, as the rule book tells it. */
function seen(game) {
  const place = ({ row, column, dy, dx }) => [row, column, dy, dx];
  const { GOLD } = game.numbers;
  return {
    tick: game.ticks,
    runner: place(game.runner),
    falling: game.falling,
    guards: game.guards.map((guard) => [...place(guard), guard.mode, guard.count, guard.wait]),
    holes: game.holes.sort((one, other) => one[0] - other[0] || one[1] - other[1]),
    dig: game.dig,
    left: game.left,
    gold: game.tiles.flatMap((tiles, row) =>
      tiles.flatMap((tile, column) => (tile === GOLD ? [[row, column]] : []))),
    status: game.status,
  };
}

function lineOf({ tick, runner, falling, guards, holes, dig, left, gold, status }) {
  const text = (items) => items.map((item) => item.join(" ")).join(";");
  const [men, pits, pieces] = [guards, holes, gold].map(text);
  const first = [tick, ...runner, Number(falling)].join(" ");
  return `${[first, men, pits, dig?.join(" ") ?? "-", left, pieces, status].join("|")}\\n`;
}

/** The CRC-32 of what came before and a text. */
function summed(text, before) {
  let sum = ~before;
  for (const letter of text) {
    sum ^= letter.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
"""


@cache
def page(node: bool) -> tuple[Page, dict[str, Any]]:
    """Returns what plays, in node where that is wanted and there, else in a browser; and what it is told."""
    kind = {"name": "loderunner", "tiles": game_entry(games.get("loderunner"))["tiles"]}
    return Page(PLAY, node), {"told": with_files("loderunner"), "kind": kind}


def recorded(trace: dict[str, Any], node: bool = True) -> tuple[list[dict[str, Any]], str]:
    """Returns the states of a trace at the ticks at which it tells them, and the checksum of all."""
    play, told = page(node)
    asked = [state["tick"] for state in trace["states"]]
    (came,) = play({**told, "traces": [{**trace, "states": [], "asked": asked}], "plans": []})["traces"]
    return came["states"], came["crc32"]


def ended(plans: Sequence[tuple[list[str], str]], node: bool = True) -> list[list[Any]]:
    """Returns of plans for levels, as rows, the status that each ends with, and at which tick."""
    play, told = page(node)
    asked = [{"rows": rows, "plan": plan} for rows, plan in plans]
    found: list[list[Any]] = play({**told, "traces": [], "plans": asked})["plans"]
    return found
