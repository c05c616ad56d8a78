"""Compiles the kernels ahead of time, as plain libraries for every system that they ship for.

python tools/kernels.py            builds what is stale, for all targets: `make kernels`
python tools/kernels.py record     asks for everything that ships, and builds what is called and was not built
python tools/kernels.py check [LIBRARY …]   builds libraries, or all of them, once more and compares the bytes

`src/levelsmith/kernels/built/manifest.json` says which kernels are built, for which types. Numba translates
each to LLVM's language without looking at this processor. For every target that is optimised and becomes an
object, with an entry that takes one block of addresses and numbers, and objects are linked to libraries. The
same sources and versions give the same bytes. Objects are kept in `.kernels`, so that little is done twice.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from importlib import import_module
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
OBJECTS = ROOT / ".kernels"
# Numba leaves its code as it wrote it, for the processor that it runs on would show in what it made of it.
SETTINGS = {
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "LEVELSMITH_KERNELS": "numba",
    "PYTHONHASHSEED": "0",  # numba writes what it keeps in sets in their order
}
if __name__ in {"__main__", "__mp_main__"}:
    os.environ.update(SETTINGS)

import llvmlite.binding as llvm
import numba
from llvmlite import __version__ as llvmlite_version
from numba import types as numba_types

from levelsmith.kernels import built, jit, signature
from levelsmith.kernels.problem import all_names
from levelsmith.kernels.sources import PACKAGE, kernel_files

# Files of the ground that are made into no kernel.
GROUND = {"built.py", "cache.py", "compile.py", "jit.py", "probe.py", "signature.py", "sources.py"}
PROBE = ("levelsmith.kernels.probe:probe", "i32[2],f64")


class Target(NamedTuple):
    """A system and a processor that all of its kind are as good as."""

    triple: str
    processor: str
    features: str
    linker: tuple[str, ...]
    suffix: str = ".so"
    reads_numpy: bool = True  # whether entries read the arrays of a Python that they run in
    only: str = ""  # how the names of the libraries begin that are built for it


SHARED = (
    "ld.lld",
    "-shared",
    "--strip-all",
    "--hash-style=gnu",
    "-z",
    "max-page-size=65536",
    "--build-id=none",
    "--icf=all",  # what several kernels call is there once
)
# Pages bring the memory, and put what they hand over behind what is there already, `__heap_base`.
WASM = (
    "wasm-ld",
    "--no-entry",
    "--import-memory",
    "--export-dynamic",
    "--export=__heap_base",
    "--stack-first",
    "--strip-all",
)
FEATURES = (
    "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"  # of all browsers since 2023
)
TARGETS = {
    "linux-x86_64": Target("x86_64-unknown-linux-gnu", "x86-64-v2", "", (*SHARED, "-m", "elf_x86_64")),
    # Searches shift and count bits all the time. With the instructions of 2013 they take two thirds of it.
    "linux-x86_64-v3": Target(
        "x86_64-unknown-linux-gnu", "x86-64-v3", "", (*SHARED, "-m", "elf_x86_64"), only="search"
    ),
    "linux-aarch64": Target("aarch64-unknown-linux-gnu", "generic", "", (*SHARED, "-m", "aarch64linux")),
    "wasm": Target("wasm32-unknown-unknown", "generic", FEATURES, WASM, ".wasm", reads_numpy=False),
}
NEUTRAL = Target("x86_64-unknown-linux-gnu", "x86-64", "", ())  # for what serves all targets


class Wanted(NamedTuple):
    """A kernel and the types that it is to be built for."""

    kernel: str  # module:function
    types: str


PROBED = (Wanted(*PROBE), "")  # sources that never change


# --------------------------------------------------------------------------------------- what is made of what


def module_of(path: Path) -> str:
    return ".".join(("levelsmith", *path.relative_to(PACKAGE).with_suffix("").parts))


@cache
def imported() -> dict[str, set[str]]:
    """Returns for every module with kernels those that it imports."""
    modules = {module_of(path): path for path in kernel_files() if path.name not in GROUND}
    found: dict[str, set[str]] = {}
    for module, path in modules.items():
        named: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                named |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
        found[module] = named & set(modules)
    return found


@cache
def implementing() -> dict[str, set[str]]:
    """Returns for every class the modules in which a name gets its body for it."""
    for module in imported():
        if not module.endswith(".gpu"):
            import_module(module)
    found: dict[str, set[str]] = defaultdict(set)
    for named in all_names:
        for kind, body in named.implementations.items():
            found[f"{kind.__module__}:{kind.__qualname__}"].add(body.__module__)
    return found


def files_of(wanted: Wanted) -> list[str]:
    """Returns the files that the code of a kernel for its types is made of."""
    kinds = re.findall(r"[\w.]+:\w+", wanted.types)
    waiting = {wanted.kernel.partition(":")[0]}
    for kind in kinds:
        waiting |= {kind.partition(":")[0]} | implementing()[kind]
    found: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module not in found and module in imported():
            found.add(module)
            waiting |= imported()[module]
    return sorted(f"{module.removeprefix('levelsmith.').replace('.', '/')}.py" for module in found)


def library_of(wanted: Wanted) -> str:
    """Returns the library that a kernel goes to: its folder or file, and the games whose types it takes."""
    parts = [part for part in wanted.kernel.partition(":")[0].split(".")[1:] if part != "kernels"]
    if parts[0] == "games":
        return "-".join(parts[1:3])
    games = sorted(set(re.findall(r"levelsmith\.games\.(\w+)", wanted.types)))
    return "-".join([*parts, *games])


def symbol_of(wanted: Wanted) -> str:
    name = wanted.kernel.rpartition(":")[2]
    return f"{name}_{hashlib.sha256(wanted.types.encode()).hexdigest()[:8]}"


def versions() -> str:
    return f"numba {numba.__version__}, llvmlite {llvmlite_version}, builder {built.VERSION}"


# ----------------------------------------------------------------------------------------------- translation


def numba_type(given: signature.Type) -> Any:
    """Returns a type as numba calls it."""
    if isinstance(given, signature.Group):
        items = [numba_type(item) for item in given.items]
        return numba_types.BaseTuple.from_types(items, signature.class_of(given.kind))
    if isinstance(given, signature.Array):
        return numba_types.Array(_number(given.word), given.axes, given.layout, readonly=given.fixed)
    return numba_types.none if given.word == signature.NONE else _number(given.word)


def _number(word: str) -> Any:
    long = {"i": "int", "u": "uint", "f": "float", "b": "boolean"}[word[0]]
    return getattr(numba_types, long if word == "b1" else f"{long}{word[1:]}")


def text_of(given: Any) -> str:
    """Returns a type of numba, which a kernel returns, as text."""
    if isinstance(given, numba_types.BaseTuple):
        kind = getattr(given, "instance_class", None)
        name = f"{kind.__module__}:{kind.__qualname__}" if kind else ""
        return f"{name}({','.join(map(text_of, given.types))})"
    if given == numba_types.none:
        return signature.NONE
    if given == numba_types.boolean:
        return "b1"
    if isinstance(given, numba_types.Integer | numba_types.Float):
        return (
            f"{'f' if isinstance(given, numba_types.Float) else 'i' if given.signed else 'u'}{given.bitwidth}"
        )
    raise TypeError(f"no built kernel returns {given}")


def translated(wanted: Wanted) -> tuple[str, str, str]:
    """Returns a kernel in LLVM's language, the name of its function there, and the type that it returns."""
    module, _, name = wanted.kernel.partition(":")
    function = getattr(import_module(module), name)
    function = getattr(function, "py_func", function)
    compiled = numba.njit(**jit.OPTIONS)(function)
    types = tuple(map(numba_type, signature.parsed(wanted.types)))
    compiled.compile(types)
    made = compiled.overloads[types]
    code = shortened(compiled.inspect_llvm(types))
    return code, made.fndesc.llvm_func_name, text_of(made.signature.return_type)


def shortened(code: str) -> str:
    """Returns code in LLVM's language, simplified once for all targets and on every machine alike."""
    module, machine = _read(code, NEUTRAL, 1)
    _optimise(module, machine, llvm.create_pipeline_tuning_options(speed_level=1))
    return str(module)


def _read(code: str, target: Target, level: int) -> tuple[Any, Any]:
    """Returns a module for a target, and what makes code for that."""
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, features=target.features, opt=level, reloc="pic", codemodel="default"
    )
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n'
    code = re.sub(r'target (datalayout|triple) = ".*"\n', "", code)
    return llvm.parse_assembly(head + re.sub(r'"target-(cpu|features)"="[^"]*"', "", code)), machine


def _optimise(module: Any, machine: Any, options: Any) -> None:
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


# What numpy calls the numbers of an array, in its headers: two names for the same where C has two.
KINDS = {
    "b1": (0,), "i8": (1,), "u8": (2,), "i16": (3,), "u16": (4,), "i32": (5,), "u32": (6,),
    "i64": (7, 9), "u64": (8, 10), "f32": (11,), "f64": (12,),
}  # fmt: skip
BYTES = {"b1": 1, **{f"{kind}{bits}": bits // 8 for kind in "iuf" for bits in (8, 16, 32, 64)}}
NUMBERS = {
    "b1": "i8",
    "f32": "float",
    "f64": "double",
}  # in LLVM's language; the others are as long as they say
TYPE, DATA, AXES, SHAPE, STRIDES, DTYPE, FLAGS = 8, 16, 24, 32, 40, 56, 64  # in numpy's record of an array
ORDER, KIND = 26, 28  # in its record of the array's numbers
IN_ORDER, ALIGNED, WRITEABLE = {"C": 1, "F": 2, "A": 0}, 0x100, 0x400


class Writer:
    """Writes a function in LLVM's language, line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0

    def value(self, code: str) -> str:
        self.count += 1
        self.lines.append(f"  %v{self.count} = {code}")
        return f"%v{self.count}"

    def load(self, kind: str, base: str, offset: int) -> str:
        place = self.value(f"getelementptr i8, ptr {base}, i64 {offset}")
        return self.value(f"load {kind}, ptr {place}")

    def need(self, condition: str, otherwise: str) -> None:
        """Goes on where a condition holds."""
        self.count += 1
        self.lines += [f"  br i1 {condition}, label %b{self.count}, label %{otherwise}", f"b{self.count}:"]


def entry(symbol: str, function: str, arguments: list[str], types: str, target: Target) -> str:
    """Returns the function that is called from outside, in LLVM's language: it reads a block and calls the
    kernel."""
    leaves = signature.leaves(signature.parsed(types))
    arrays = [leaf for leaf in leaves if isinstance(leaf, signature.Array)]
    write = Writer()
    if target.reads_numpy:
        fields, at_number = _from_numpy(write, arrays)
    else:
        fields, at_number = _from_block(write, arrays)
    given = ["ptr %result", "ptr %scratch"]
    for leaf in leaves:
        if isinstance(leaf, signature.Array):
            given += fields.pop(0)
        elif leaf.word == signature.NONE:
            given.append("ptr null")
        else:
            kind_of_number = NUMBERS.get(leaf.word, f"i{leaf.word[1:]}")
            given.append(f"{kind_of_number} {write.load(kind_of_number, '%block', at_number)}")
            at_number += 8
    if [argument.partition(" ")[0] for argument in given] != arguments:
        raise TypeError(f"{function} takes {arguments}, expected {given}")
    return "\n".join(
        (
            f'declare i32 @"{function}"({", ".join(arguments)})',
            f"define i32 @{symbol}(ptr %block, ptr %scratch) {{",
            f"  %result = getelementptr i8, ptr %scratch, i64 {built.SCRATCH}",
            *write.lines,
            f'  %status = call i32 @"{function}"({", ".join(given)})',
            "  ret i32 %status",
            "misfit:",
            f"  ret i32 {built.MISFIT}",
            "}",
        )
    )


Fields = list[list[str]]  # what a kernel gets for each array


def _from_block(write: Writer, arrays: list[signature.Array]) -> tuple[Fields, int]:
    """Reads where each array lies, its shape and strides in the block; returns also where that ends."""
    fields, at = [], 0
    for array in arrays:
        data = write.value(f"inttoptr i64 {write.load('i64', '%block', at)} to ptr")
        words = [write.load("i64", "%block", at + 8 * (1 + k)) for k in range(2 * array.axes)]
        fields.append(_fields(write, array, data, words[: array.axes], words[array.axes :]))
        at += 8 * (1 + 2 * array.axes)
    return fields, at


def _from_numpy(write: Writer, arrays: list[signature.Array]) -> tuple[Fields, int]:
    """Reads numpy's own records, whose addresses the block has, and looks whether they are of these types."""
    kind = write.load("i64", "%block", 0)
    records = []
    for k, array in enumerate(arrays):
        record = write.load("ptr", "%block", 8 * (1 + k))
        records.append(record)
        found = write.load("i64", record, TYPE)
        write.need(write.value(f"icmp eq i64 {found}, {kind}"), "misfit")
        axes = write.load("i32", record, AXES)
        write.need(write.value(f"icmp eq i32 {axes}, {array.axes}"), "misfit")
        numbers = write.load("ptr", record, DTYPE)
        number = write.load("i32", numbers, KIND)
        fits = [write.value(f"icmp eq i32 {number}, {known}") for known in KINDS[array.word]]
        write.need(fits[0] if len(fits) == 1 else write.value(f"or i1 {fits[0]}, {fits[1]}"), "misfit")
        order = write.load("i8", numbers, ORDER)
        write.need(write.value(f"icmp ne i8 {order}, {ord('>')}"), "misfit")
        flags = write.load("i32", record, FLAGS)
        mask = IN_ORDER[array.layout] | ALIGNED | (0 if array.fixed else WRITEABLE)
        masked = write.value(f"and i32 {flags}, {mask}")
        write.need(write.value(f"icmp eq i32 {masked}, {mask}"), "misfit")
    fields = []
    for record, array in zip(records, arrays, strict=True):
        data = write.load("ptr", record, DATA)
        shape, strides = write.load("ptr", record, SHAPE), write.load("ptr", record, STRIDES)
        lengths = [write.load("i64", shape, 8 * axis) for axis in range(array.axes)]
        steps = [write.load("i64", strides, 8 * axis) for axis in range(array.axes)]
        fields.append(_fields(write, array, data, lengths, steps))
    return fields, 8 * (1 + len(arrays))


def _fields(
    write: Writer, array: signature.Array, data: str, lengths: list[str], steps: list[str]
) -> list[str]:
    """Returns what a kernel gets for an array: no owner, its cells, where they lie, its shape and strides."""
    cells = "1"
    for length in lengths:
        cells = write.value(f"mul i64 {cells}, {length}")
    plain = [f"i64 {cells}", f"i64 {BYTES[array.word]}", f"ptr {data}"]
    return ["ptr null", "ptr null", *plain, *(f"i64 {word}" for word in (*lengths, *steps))]


def compiled(code: str, function: str, symbol: str, wanted: Wanted, target: Target) -> bytes:
    """Returns the object of a kernel and its entry for a target."""
    code = code.replace("= common ", "= weak ")
    # What numba would raise, pickled with the names of files on this machine: nobody reads it.
    code = re.sub(
        r"(@\.const\.picklebuf\.\w+ = internal constant \{[^}]*\}) \{.*\}", r"\1 zeroinitializer", code
    )
    code = _in_sections(code) if target.reads_numpy else code
    module, machine = _read(code, target, 3)
    arguments = [str(argument.type) for argument in module.get_function(function).arguments]
    made = entry(symbol, function, arguments, wanted.types, target)
    module.link_in(_read(made, target, 3)[0])
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration and thing.name != symbol:
            thing.linkage = llvm.Linkage.internal
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    # Elsewhere loops are short, and taking several turns at once made them longer and not faster.
    options.loop_vectorization = "levelsmith.learn" in f"{wanted.kernel} {wanted.types}"
    options.slp_vectorization = True
    _optimise(module, machine, options)
    if not target.reads_numpy:
        _check_pointers(module)
    return bytes(machine.emit_object(module))


def _in_sections(code: str) -> str:
    """Puts each function into a section of its own, so that the linker can tell which are the same."""
    number = count()
    return re.sub(
        r"^(define .*) \{$",
        lambda found: f'{found[1]} section ".text.{next(number)}" {{',
        code,
        flags=re.MULTILINE,
    )


def _check_pointers(module: Any) -> None:
    """Refuses a kernel that keeps addresses in memory: numba laid that out for addresses of 64 bits."""
    for function in module.functions:
        for block in function.blocks:
            for each in block.instructions:
                if each.opcode == "alloca" and re.search(r"alloca [\[{].*ptr", str(each)):
                    raise TypeError(f"{function.name} keeps addresses in memory: {each}")


# -------------------------------------------------------------------------------------------------- building


def objects_of(wanted: Wanted, digest: str, targets: Sequence[str]) -> tuple[dict[str, Path], str, float]:
    """Returns the objects of a kernel by target, kept or made now, its type of result, and the seconds."""
    started = time.perf_counter()
    key = hashlib.sha256(f"{wanted.kernel} {wanted.types} {digest} {versions()}".encode()).hexdigest()[:32]
    paths = {name: OBJECTS / f"{key}.{name}.o" for name in targets}
    told = OBJECTS / f"{key}.txt"
    missing = {name: path for name, path in paths.items() if not (told.exists() and path.exists())}
    if missing:
        code, function, returns = translated(wanted)
        symbol = "probe" if wanted == PROBE else symbol_of(wanted)
        for name, path in missing.items():
            write = partial(_write, path, code, function, symbol, wanted, TARGETS[name])
            write() if TARGETS[name].reads_numpy else _apart(write)
        told.write_text(returns)
    return paths, told.read_text(), time.perf_counter() - started


def _write(path: Path, *made_of: Any) -> None:
    path.write_bytes(compiled(*made_of))


def _apart(work: Callable[[], None]) -> None:
    """Does something in a fork of this process. What LLVM sets for WebAssembly, such as how short a jump
    table may be, would stay set for the next kernel of every target."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        raise RuntimeError("a kernel could not be made into WebAssembly")


def begin(folder: Path) -> None:
    """Readies a process that builds, and keeps objects in a folder."""
    global OBJECTS
    OBJECTS = folder
    OBJECTS.mkdir(exist_ok=True)
    llvm.set_option("levelsmith", "-inline-threshold=0")  # a kernel calls what is long
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    implementing()  # which imports all


Member = tuple[Wanted, str]  # a kernel and the digest of its files
Library = tuple[str, list[str], dict[str, bytes], float]


def build_libraries(
    groups: dict[str, list[Member]], targets: dict[str, list[str]], folder: Path
) -> Iterator[Library]:
    """Yields libraries, each built for its targets: first all their objects are made, side by side."""
    pool = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), begin, (folder,))
    try:
        pool.submit(objects_of, *PROBED, list(TARGETS)).result()  # which all libraries have
        making = {
            (member, name): pool.submit(objects_of, *member, made_for)
            for name, made_for in targets.items()
            for member in groups[name]
        }
        seconds = {key: future.result()[2] for key, future in making.items()}
        linking = {
            name: pool.submit(build_library, groups[name], made_for) for name, made_for in targets.items()
        }
        for name, future in linking.items():
            yield name, *future.result(), sum(seconds[member, name] for member in groups[name])
    finally:
        pool.shutdown(cancel_futures=True)


def build_library(members: list[Member], targets: Sequence[str]) -> tuple[list[str], dict[str, bytes]]:
    """Returns the types of result of a library's kernels, and its bytes by target."""
    made = [objects_of(*member, targets) for member in members]
    first = objects_of(*PROBED, targets)
    libraries = {}
    for target in targets:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "library"
            linker = [sys.executable, "-m", "ziglang", *TARGETS[target].linker]
            objects = [str(paths[target]) for paths, _, _ in (first, *made)]
            subprocess.run([*linker, "-o", str(out), *objects], check=True)
            libraries[target] = out.read_bytes()
    return [returns for _, returns, _ in made], libraries


def targets_of(library: str) -> list[str]:
    """Returns the targets that a library is built for."""
    return [name for name, target in TARGETS.items() if library.startswith(target.only)]


class Plan(NamedTuple):
    """What is to be built: the kernels of each library with their digests, and the files of each kernel."""

    groups: dict[str, list[Member]]
    files: dict[Wanted, list[str]]
    stale: dict[
        str, list[str]
    ]  # libraries, and the targets for which they are older than their sources or missing


def plan(told: dict[str, Any]) -> Plan:
    """Returns what a manifest asks for, and what of it is stale."""
    groups: dict[str, list[Member]] = defaultdict(list)
    files: dict[Wanted, list[str]] = {}
    changed = set()
    for kernel, entries in told["kernels"].items():
        for types, known in entries.items():
            wanted = Wanted(kernel, types)
            files[wanted] = files_of(wanted)
            digest, name = built.digest_of(files[wanted]), library_of(wanted)
            groups[name].append((wanted, digest))
            if digest != known.get("digest") or name != known.get("library"):
                changed.add(name)
    anew = told["made_with"] != versions()
    stale = {}
    for name in sorted(groups):
        targets = [
            target
            for target in targets_of(name)
            if anew or name in changed or not _is_whole(told, target, name)
        ]
        if targets:
            stale[name] = targets
    return Plan(groups, files, stale)


def _is_whole(told: dict[str, Any], target: str, name: str) -> bool:
    """Returns whether the file of a library is the one that a manifest means."""
    path = library_path(target, name)
    data = path.read_bytes() if path.exists() else b""
    return bool(hashlib.sha256(data).hexdigest() == told["libraries"].get(target, {}).get(name))


def take_out_misfits(told: dict[str, Any]) -> None:
    """Takes out of a manifest, and names, kernels that are gone or of which a type has other fields now."""
    gone = [
        (kernel, types)
        for kernel, each in told["kernels"].items()
        for types in each
        if not fits(kernel, types)
    ]
    for kernel, types in gone:
        del told["kernels"][kernel][types]
        print(f"taken out, as its types are not what they were: {kernel} {types[:60]}")
    if gone:
        print("to build them for the types of now: python tools/kernels.py record")


def fits(kernel: str, types: str) -> bool:
    """Returns whether a kernel is there, and the classes of its types have the fields that the text says."""
    module, _, name = kernel.partition(":")
    try:
        getattr(import_module(module), name)
        return all(map(_fits, signature.parsed(types)))
    except (ImportError, AttributeError, TypeError):
        return False


def _fits(given: signature.Type) -> bool:
    if not isinstance(given, signature.Group):
        return True
    fields = getattr(signature.class_of(given.kind), "_fields", given.items)
    return len(fields) == len(given.items) and all(map(_fits, given.items))


def library_path(target: str, name: str) -> Path:
    return built.FOLDER / target / f"{name}{TARGETS[target].suffix}"


def build() -> None:
    """Builds the libraries of which a kernel is stale or missing, and writes the manifest."""
    told = read_manifest()
    take_out_misfits(told)
    groups, files, stale = plan(told)
    names = sorted({file for listed in files.values() for file in listed})
    libraries = {target: dict(told["libraries"].get(target, {})) for target in TARGETS}
    returns = {Wanted(k, t): e.get("returns") for k, es in told["kernels"].items() for t, e in es.items()}
    print(f"{len(stale)} of {len(groups)} libraries to build, {sum(len(groups[n]) for n in stale)} kernels")
    for name, found, made, seconds in build_libraries(groups, stale, OBJECTS) if stale else ():
        returns |= {wanted: kind for (wanted, _), kind in zip(groups[name], found, strict=True)}
        for target, data in made.items():
            path = library_path(target, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            libraries[target][name] = hashlib.sha256(data).hexdigest()
        sizes = ", ".join(f"{target} {len(data):,}" for target, data in made.items())
        print(f"{name}: {len(found)} kernels in {seconds:.1f} s, {sizes} bytes", flush=True)
    kernels: dict[str, dict[str, Any]] = defaultdict(dict)
    for name in groups:
        for wanted, digest in groups[name]:
            kernels[wanted.kernel][wanted.types] = {
                "library": name,
                "symbol": symbol_of(wanted),
                "returns": returns[wanted],
                "files": [names.index(file) for file in files[wanted]],
                "digest": digest,
            }
    for target in TARGETS:
        kept = {name for name in groups if target in targets_of(name)}
        libraries[target] = {name: digest for name, digest in libraries[target].items() if name in kept}
        for path in (built.FOLDER / target).glob(f"*{TARGETS[target].suffix}"):
            if path.stem not in kept:
                path.unlink()
    write_manifest(
        {
            "version": built.VERSION,
            "made_with": versions(),
            "files": names,
            "kernels": kernels,
            "libraries": libraries,
        }
    )


def read_manifest() -> dict[str, Any]:
    empty = {"version": built.VERSION, "made_with": "", "files": [], "kernels": {}, "libraries": {}}
    return json.loads(built.MANIFEST.read_text()) if built.MANIFEST.exists() else empty


def write_manifest(told: dict[str, Any]) -> None:
    built.FOLDER.mkdir(exist_ok=True)
    built.MANIFEST.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n")


def record() -> None:
    """Asks for everything that ships, and adds the kernels that are not built; the next build builds them."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "wanted"
        lines.touch()
        settings = {
            "LEVELSMITH_KERNELS": "built",
            "LEVELSMITH_WANTED": str(lines),
            "LEVELSMITH_CACHE": folder,
        }
        asked = [sys.executable, str(ROOT / "tools" / "asking.py")]
        subprocess.run(asked, env={**os.environ, **settings}, check=True)
        add(lines.read_text().splitlines())


def add(lines: list[str]) -> None:
    """Adds kernels to the manifest, each line a kernel and its types as JSON."""
    told = read_manifest()
    for line in sorted(set(lines)):
        kernel, types = json.loads(line)
        if not all(
            name.startswith("levelsmith.") for name in re.findall(r"[\w.]+(?=:)", f"{kernel} {types}")
        ):
            continue  # of a plug-in
        told["kernels"].setdefault(kernel, {}).setdefault(types, {})
    write_manifest(told)


def check(names: list[str]) -> None:
    """Builds libraries from their sources alone, and ends with 1 where one comes out otherwise."""
    groups = plan(read_manifest()).groups
    wrong = 0
    wanted = {name: targets_of(name) for name in names or groups}
    with tempfile.TemporaryDirectory() as folder:
        for name, _, made, _ in build_libraries(groups, wanted, Path(folder)):
            for target, data in made.items():
                same = library_path(target, name).read_bytes() == data
                wrong += not same
                print(f"{target} {name}: {'the same' if same else 'OTHER BYTES'}, {len(data):,}", flush=True)
    sys.exit(int(wrong > 0))


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        check(sys.argv[2:])
    if sys.argv[1:] == ["record"]:
        record()
    elif sys.argv[1:2] == ["add"]:
        add(Path(sys.argv[2]).read_text().splitlines())
    elif sys.argv[1:]:
        sys.exit(__doc__)
    build()
