"""Standard streams that are closed, full, or read by nobody any more."""

import os
import subprocess
import sys

import pytest

COMMAND = f"{sys.executable} -m levelsmith"
FULL = "levelsmith: cannot write the output: No space left on device; make room, or send it elsewhere\n"
LOST = "levelsmith: cannot write the output: standard output is closed; make room, or send it elsewhere\n"
# What is left of workers, once they have had time to see that their parent has ended.
LEFT = "for _ in {1..100}; do pgrep -g 0 -f [m]ultiprocessing >/dev/null || break; sleep 0.1; done; "
LEFT += "pgrep -g 0 -f [m]ultiprocessing"
CLOSED = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-", "all": "<&- >&- 2>&-"}


@pytest.fixture
def shell(tmp_path):
    """Runs a line of bash in a folder with some levels; `levelsmith` is the command."""
    (tmp_path / "a.txt").write_text("; game: binary\n#.\n.#\n")
    (tmp_path / "big.txt").write_text("; game: binary\n" + "\n\n".join(["#." * 30 + "\n"] * 2000))

    def run(line, **environment):
        return subprocess.run(
            ["bash", "-c", line.replace("levelsmith", COMMAND)],
            cwd=tmp_path,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            start_new_session=True,
            timeout=100,
            check=False,
        )

    return run


@pytest.mark.first(2)
@pytest.mark.parametrize(
    "words",
    [
        *("--help", "--version", "list games --json", "show a.txt", "convert a.txt - --format json"),
        "studio --no-browser --port 0",
    ],
)
def test_an_output_that_is_full_is_told_in_one_line(words, shell):
    done = shell(f"levelsmith {words} > /dev/full")
    assert (done.returncode, done.stderr) == (2, FULL)


def test_a_full_output_is_told_where_nothing_is_buffered(shell):
    done = shell("levelsmith list games > /dev/full", PYTHONUNBUFFERED="1")
    assert (done.returncode, done.stderr) == (2, FULL)


@pytest.mark.first(2)
@pytest.mark.parametrize(("words", "status"), [("show a.txt", 0), ("show none.txt", 2)])
def test_where_nothing_can_be_said_the_status_is_right(words, status, shell):
    assert shell(f"levelsmith {words} 2> /dev/full").returncode == status
    assert shell(f"levelsmith {words} 2>&1 >/dev/null | true; exit $PIPESTATUS").returncode == status
    assert shell(f"levelsmith {words} > /dev/full 2>&1").returncode == 2


@pytest.mark.parametrize("which", CLOSED)
def test_a_closed_input_is_empty_and_a_closed_output_an_error(which, shell):
    done = shell(f"levelsmith show a.txt {CLOSED[which]}")
    if ">&-" in CLOSED[which].split():
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == ("" if "2>&-" in CLOSED[which] else LOST)
    else:
        assert (done.returncode, done.stdout, done.stderr) == (0, "#.\n.#\n", "")


def test_a_level_that_went_nowhere_is_no_success(shell):
    done = shell("levelsmith generate orchard --seed 1 >&-")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == LOST.strip()
    done = shell("levelsmith generate orchard --seed 1 -o made.txt >&-; grep -c game: made.txt")
    assert done.stdout == "1\n"


def test_a_closed_input_is_an_empty_file(shell):
    done = shell("levelsmith show - --game binary <&-")
    assert done.returncode == 2
    assert done.stderr == (
        "levelsmith: standard input: expected a level in the format text, got an empty file\n"
    )


def test_no_file_gets_the_number_of_a_closed_stream(shell, tmp_path):
    program = """
import os
from levelsmith.cli.streams import prepare
prepare()
file = os.open("numbers", os.O_WRONLY | os.O_CREAT)
same = [os.path.samestat(os.fstat(i), os.stat(os.devnull)) and os.get_inheritable(i) for i in range(3)]
os.write(file, f"{file > 2} {same}".encode())
"""
    (tmp_path / "open.py").write_text(program)
    done = shell(f"{sys.executable} open.py <&- >&- 2>&-; cat numbers")
    assert done.stdout == "True [True, True, True]"


def test_workers_start_where_all_streams_are_closed(shell):
    many = "generate orchard --size 12x12 --count 40 --workers 2 --seed 1"
    done = shell(f"levelsmith {many} -o made.txt <&- >&- 2>&-; echo $?; grep -c game: made.txt")
    assert done.stdout == "0\n1\n"


@pytest.mark.first(2)
@pytest.mark.parametrize("words", ["show big.txt", "show big.txt --json"])
@pytest.mark.parametrize("reader", ["head -n 1", "true"])
def test_a_reader_that_goes_away_is_no_error(words, reader, shell):
    done = shell(f"levelsmith {words} | {reader}; echo ${{PIPESTATUS[*]}}")
    assert done.stdout.splitlines()[-1] == "0 0"
    assert done.stderr == ""


def test_workers_end_when_the_reader_goes_away(shell):
    hard = "generate orchard --set share=0.5 --size 16x16 --count 50 --workers 2 --seconds 0.2 --json"
    done = shell(f"levelsmith {hard} | head -n 1; echo ${{PIPESTATUS[*]}}; {LEFT}")
    assert done.stdout.count("\n") == 2
    assert done.stdout.splitlines()[1] == "0 0"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", ["show u.txt", "info u.txt", "convert u.txt - --format text"])
def test_letters_that_a_stream_cannot_encode_are_no_error(words, shell, tmp_path):
    (tmp_path / "u.txt").write_text("; game: binary\n; title: Höhle 洞窟\n#.\n.#\n", encoding="utf-8")
    done = shell(f"levelsmith {words}", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert (done.returncode, done.stderr) == (0, "")
    assert "hle" in done.stdout
