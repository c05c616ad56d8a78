"""The same kernels as WebAssembly, in node: the same levels to the byte; a page brings memory alone."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from levelsmith.kernels import built

ROOT = Path(__file__).parents[2]
FOLDER = built.FOLDER / "wasm"
LOADED = """
const { readFileSync, readdirSync } = await import("node:fs");
const [folder] = process.argv.slice(1);
const found = readdirSync(folder).map((name) => {
  const module = new WebAssembly.Module(readFileSync(`${folder}/${name}`));
  const memory = new WebAssembly.Memory({ initial: 64 });
  const { probe, __heap_base: end } = new WebAssembly.Instance(module, { env: { memory } }).exports;
  const [scratch, block] = [end.value + 64, end.value + 128];
  const cells = block + 128;
  new Int32Array(memory.buffer, cells, 6).set([0, 1, 2, 3, 4, 5]);
  new BigInt64Array(memory.buffer, block, 5).set([BigInt(cells), 2n, 3n, 12n, 4n]);
  new Float64Array(memory.buffer, block + 40, 1)[0] = 0.5;
  const status = probe(block, scratch);
  const imports = WebAssembly.Module.imports(module).map((one) => `${one.module}.${one.name}`);
  const exports = WebAssembly.Module.exports(module).map((one) => one.name);
  return [name, { status, imports, exports, answer: new Float64Array(memory.buffer, scratch + 16, 1)[0] }];
});
console.log(JSON.stringify(Object.fromEntries(found)));
"""

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def test_every_library_loads_with_nothing_but_memory_and_has_its_entries():
    command = ["node", "--input-type=module", "-e", LOADED, str(FOLDER)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert set(found) == {f"{name}.wasm" for name in built.manifest()["libraries"]["wasm"]}
    for known in built.manifest()["kernels"].values():
        for entry in known.values():
            assert entry["symbol"] in found[f"{entry['library']}.wasm"]["exports"]
    expected = built.probe(built.PROBE, 0.5)
    for told in found.values():
        assert (told["status"], told["imports"], told["answer"]) == (0, ["env.memory"], expected)


@pytest.mark.parametrize("few", [pytest.param("2"), pytest.param("10", marks=pytest.mark.slow)])
def test_requests_give_the_same_levels_in_node(few):
    program = [ROOT / "tests" / "node.py", ROOT / "tools" / "golden.py", "--check", "--few", few]
    done = subprocess.run([sys.executable, *program], capture_output=True, text=True, check=False)
    assert f"{few} requests, 0 with another outcome" in done.stdout, done.stdout + done.stderr
    assert int(done.stderr.split("node answered ")[1].split(" calls")[0].replace(",", "")) > 5
