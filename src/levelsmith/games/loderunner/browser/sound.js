// Sounds of Lode Runner, made of plain tones; there are none until they are switched on.

// Each tone is [hertz, seconds] or [from, seconds, to].
const SOUNDS = {
  gold: [[880, 0.06], [1320, 0.09]],
  dig: [[160, 0.12, 70]],
  trapped: [[300, 0.14, 120]],
  killed: [[120, 0.08], [90, 0.08], [60, 0.12]],
  fall: [[700, 0.35, 250]],
  lost: [[400, 0.2, 200], [200, 0.35, 60]],
  won: [[523, 0.1], [659, 0.1], [784, 0.1], [1047, 0.25]],
};
const LOUD = 0.08;

let context = null; // one for the page, made when sound is first switched on
let isOn = false;

/** A switch for the sound, off at first. */
export function soundSwitch(el) {
  const box = el("input", { type: "checkbox", onchange: () => turn(box.checked) });
  box.checked = isOn;
  box.disabled = typeof AudioContext === "undefined";
  return el("label", { class: "check" }, box, "Sound");
}

function turn(on) {
  isOn = on;
  if (on) context ??= new AudioContext();
}

/** What of a game can be heard when it changes. */
export function noted(game) {
  const count = (mode) => game.guards.filter((guard) => guard.mode === mode).length;
  return { left: game.left, dig: game.dig !== null, falling: game.falling, trapped: count("hole"), reborn: count("reborn"), status: game.status };
}

/** Plays what has happened since a note of the game was taken. */
export function sound(before, game) {
  const now = noted(game);
  if (now.status !== before.status) return play(now.status === "won" ? "won" : "lost");
  if (now.left < before.left) play("gold");
  if (now.dig && !before.dig) play("dig");
  if (now.falling && !before.falling) play("fall");
  if (now.trapped > before.trapped) play("trapped");
  if (now.reborn > before.reborn) play("killed");
  return undefined;
}

function play(name) {
  if (!isOn) return;
  let at = context.currentTime;
  for (const [from, seconds, to = from] of SOUNDS[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = "square";
    tone.frequency.setValueAtTime(from, at);
    tone.frequency.linearRampToValueAtTime(to, at + seconds);
    volume.gain.setValueAtTime(LOUD, at);
    volume.gain.linearRampToValueAtTime(0, at + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}
