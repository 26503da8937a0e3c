"""Reads the command line, gathers what the rows need, and runs them."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import growth
import other_rows
import pad_rows
import text_rows
from bench import Bench
from inputs import Inputs
from keyrings import Keyrings, say
from measuring import Failed, Others
from peers import Peers
from table import Table

PROJECT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Row:
    run: Callable[[Bench], None]
    about: str


ROWS = {
    "check-line": Row(text_rows.check_line, "gsm7-check on one line, beside cat"),
    "check-bulk": Row(text_rows.check_bulk, "gsm7-check on 200 MB, beside grep -cP"),
    "check-counts": Row(text_rows.check_counts, "the same with -c"),
    "frame-bulk": Row(text_rows.frame_bulk, "smsenc-frame on a million messages"),
    "unframe-bulk": Row(text_rows.unframe_bulk, "smsenc-frame -d on a million frames"),
    "compress": Row(text_rows.compress, "smsenc-frame on messages that it compresses, and -d"),
    "split": Row(text_rows.split, "smsenc-frame -s on messages of 2,000 characters, script by script"),
    "pad-line": Row(pad_rows.pad_line, "smsenc-pad on one message, beside age and openssl"),
    "pad-rounds": Row(pad_rows.pad_rounds, "100 messages to each of 1,000 contacts, in rounds"),
    "pad-sorted": Row(pad_rows.pad_sorted, "the same, contact by contact"),
    "pad-one": Row(pad_rows.pad_one_contact, "100,000 messages to one contact"),
    "pad-mixed": Row(pad_rows.pad_mixed, "100,000 messages to 10,000 contacts in no order"),
    "unpad-bulk": Row(pad_rows.unpad_bulk, "smsenc-pad -d, 1,000 contacts with 100 messages each"),
    "unpad-shuffled": Row(
        pad_rows.unpad_shuffled, "smsenc-pad -d, messages of 100 contacts that arrive in no order"
    ),
    "pad-million": Row(pad_rows.pad_million, "one message with 1,000,000 contacts in the keyring"),
    "pipeline": Row(other_rows.pipeline, "smsenc-frame | smsenc-pad, beside the slower of the two"),
    "memory": Row(other_rows.memory, "the most memory that any input makes the tools take"),
    "search": Row(other_rows.search, "a ciphertext for nobody's keys, with as many keys as there can be"),
    "size": Row(other_rows.size, "the executables"),
    "grow-records": Row(growth.grow_records, "all tools, 10^2 to 10^6 records; 10^7 with --large"),
    "grow-contacts": Row(growth.grow_contacts, "10^2 to 10^5 contacts; 10^6 with --large"),
    "grow-loss": Row(growth.grow_loss, "late messages, lost messages, gaps"),
}

HELP = """\
usage: scripts/bench [--core N] [--rounds N] [--beside FOLDER] [--large] [--fresh] [ROW ...]
       scripts/bench --list

Measures the tools beside their peers, and prints medians and ratios with the goal beside; on the last
lines, which goals were missed. Without a ROW it measures all, in some twenty minutes; the first time it
also prepares inputs and keyrings, and installs the peers, which it says.

  --core N     run on core N; without it, on the last
  --rounds N   runs of each case (5), forty times as many of what takes milliseconds; a first is not
               counted
  --beside FOLDER
               the tools in FOLDER as well, each row once more with them; they may be of another version
  --large      also what takes long: 10^7 records, and a keyring with 1,000,000 contacts, which is
               prepared once
  --fresh      prepare all again; keyrings of more than 10,000 contacts are not remade by themselves
               when the tools are new
  --list       print the names of the rows
  --help       show this text

The tools are those that scripts/build makes, or those in the folder SMSENC_TOOLS. All that is kept is
in .build/bench, keyrings to be measured on a disk among it. How to read the table:

- One core: all is pinned to it, peers too; in the row `pipeline` each stage has a core of its own.
- Cases run in turns, A B, B A, ...; a ratio is the median of the ratios of each round.
- Ours is shown by the clock and by CPU, the peer by the clock, and the ratio by both. A goal is for a
  ratio, and says for which: by CPU, which leaves out the waiting for others; by the clock where both
  sides wait for a disk, or several processes for each other. On a machine where others work, rely on
  the first alone. The middle half is the quartiles of the ratio that is judged.
- A ratio of times is ours to the peer's; one of throughputs likewise. Absolute figures are shown, and
  are no goals, but for memory. MB are 10^6 bytes.
- Output goes to /dev/null unless a line says otherwise. `disk` and `memory` say where the keyring is:
  in memory (/dev/shm) a commit costs next to nothing, which shows what the disk costs.
- libolm, in C, and vodozemac, in Python, whose empty loop is taken off, run in a loop of their own:
  they neither start a process nor read, nor keep anything. `stored` is the same with what smsenc-pad
  does: in as many commits each session that was used is written back to SQLite, pickled, a row each.
  Sessions are as they are when somebody has answered: the first message takes a new ratchet key.
- `the limit` is what the same messages, links and commits take of libcrypto and fdatasync alone, in a
  loop in C, without anything else; scripts/bench.d/limit.c says what is counted. A ratio of 0.4 is two
  fifths of it.

Exit status: 0 measured, whether goals were met or not; 1 something could not be measured; 64 usage;
69 this is not Linux."""


def misuse(text: str) -> int:
    print(f"bench: {text}; see --help", file=sys.stderr)
    return 64


def tools_folder() -> Path:
    """Where the tools are: SMSENC_TOOLS, or built now."""
    if named := os.environ.get("SMSENC_TOOLS"):
        return Path(named).resolve()
    done = subprocess.run([PROJECT / "scripts/build"], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return Path(done.stdout.strip().splitlines()[-1])


@contextmanager
def alone(home: Path, fresh: bool) -> Iterator[None]:
    """Waits until no other bench runs here: they would disturb each other."""
    with (home / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another one is running here; waiting for it ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        # What one that was killed has left goes, and on request all that was prepared.
        for old in home.glob("*" if fresh else "work.*"):
            if old.is_dir():
                shutil.rmtree(old)
        yield


def main(words: list[str]) -> int:
    numbers = {"--core": -1, "--rounds": 5}
    beside: Path | None = None
    switches = {"--large": False, "--fresh": False}
    chosen: list[str] = []
    while words:
        word = words.pop(0)
        if word == "--help":
            print(HELP)
            return 0
        if word == "--list":
            for name, row in ROWS.items():
                print(f"{name:<14}  {row.about}")
            return 0
        if word in numbers:
            if not words or not words[0].isdigit():
                return misuse(f"{word} takes a number")
            numbers[word] = int(words.pop(0))
        elif word == "--beside":
            beside = Path(words.pop(0)).resolve() if words else None
            if not beside or not (beside / "smsenc-pad").exists():
                return misuse(f"{word} takes a folder with the tools")
        elif word in switches:
            switches[word] = True
        elif word in ROWS:
            chosen.append(word)
        else:
            return misuse(f"there is no {'option' if word.startswith('-') else 'row'} {word}")
    cores = sorted(os.sched_getaffinity(0))
    core = cores[-1] if numbers["--core"] < 0 else numbers["--core"]
    if core not in cores:
        return misuse(f"there is no core {core} for this process, but {cores}")
    other = next((one for one in reversed(cores) if one != core), core)

    # So that the folders that are made below go in any case.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    tools = tools_folder()
    home = PROJECT / ".build/bench"
    home.mkdir(parents=True, exist_ok=True)
    with (
        alone(home, fresh=switches["--fresh"]),
        tempfile.TemporaryDirectory(prefix="work.", dir=home) as disk,
        tempfile.TemporaryDirectory(prefix="smsenc-bench.", dir="/dev/shm") as memory,
    ):
        inputs = Inputs(home / "inputs")
        peers, table = Peers(home / "peers", inputs), Table()

        def with_tools(tools: Path, *rest) -> Bench:
            copies = [Path(place) / f"copies-{len(rest)}" for place in (disk, memory)]
            for folder in copies:
                folder.mkdir()
            keyrings = Keyrings(home / "keyrings", *copies, tools)
            rounds, large = max(numbers["--rounds"], 1), switches["--large"]
            return Bench(tools, core, other, rounds, large, inputs, keyrings, peers, table, *rest)

        bench = with_tools(tools, with_tools(beside, None, "beside: ") if beside else None)
        bench.table.note(f"tools in {tools}, on core {core}, {os.cpu_count()} in all; times are medians")
        if beside:
            bench.table.note(f"beside these those in {beside}")
        bench.describe_machine()
        others = Others(core)
        for name in chosen or ROWS:
            try:
                ROWS[name].run(bench)
            except Failed as failed:
                say(f"{name} cannot be measured: {failed}")
                return 1
        if (share := others.share()) > 0.05:
            bench.table.note(
                f"other processes took {share:.0%} of core {core} meanwhile: figures that are no ratios"
                " are worse by it, but for those by CPU"
            )
        bench.table.summary()
    return 0


sys.exit(main(sys.argv[1:]))
