// Levels out of the studio and into it.
import { ApiError } from "../api.js";
import { plural, toast } from "../ui.js";

/** Levels as a file of the browser's downloads. */
export async function download(ids, format) {
  const response = await fetch("/api/download", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids, format }),
  });
  if (!response.ok) throw new ApiError(response.status, (await response.json()).error);
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? `levels.${format}`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Uploads files one after the other; what one of them lacks is told. */
export async function upload(files, game) {
  let added = 0;
  for (const file of files) {
    const where = new URLSearchParams({ name: file.name, ...(game ? { game } : {}) });
    const response = await fetch(`/api/upload?${where}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
    const answer = await response.json();
    if (response.ok) added += answer.levels.length;
    else toast(answer.error, null, 12);
  }
  if (added) toast(`${plural(added, "level")} added.`);
  return added;
}

/** Drag and drop on the whole page. */
export function onDrop(root, take) {
  let depth = 0;
  const over = (on) => root.classList.toggle("dropping", on);
  addEventListener("dragenter", (event) => { event.preventDefault(); depth += 1; over(true); });
  addEventListener("dragleave", () => { depth -= 1; over(depth > 0); });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    over(false);
    if (event.dataTransfer.files.length) take([...event.dataTransfer.files]);
  });
}
