"""Measures the tools beside other programs; `scripts/bench --help`."""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from keyrings import CONTACTS, Keyring, Keyrings, contact_name
from measure import Absent, Case, Command, Failed, Goal, Sample, Table, interleave, say

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
HOME = PROJECT / ".build/bench"
VODOZEMAC = "vodozemac==0.10.0"

HELP = """\
usage: scripts/bench [--core N] [--rounds N] [--beside FOLDER] [ROW ...]

Measures the tools beside other programs, and prints medians and ratios with their goals. The last lines list
the goals that were missed. Without a ROW it measures all rows:

  message   smsenc-pad on one message, beside age and openssl
  decrypt   smsenc-pad -d, 250 contacts with 400 messages each, beside libolm and vodozemac
  disorder  smsenc-pad -d, 250 contacts with 40 messages each in no order, beside libolm
  frame     smsenc-frame on a million messages, beside grep
  forged    smsenc-pad -d on forged SMS with as many keys to try as there can be, beside the limit
  list      smsenc-keyring list with 20,000 contacts
  memory    the most memory that the tools use

  --core N         run on core N (the last)
  --rounds N       number of runs of each case (7); forty times as many of what takes milliseconds
  --beside FOLDER  also measure the tools in FOLDER, for example of another version
  --help           show this text

The tools are the small build, which is what packages contain. The first run prepares keyrings, which takes
about a minute on two cores, and installs the other programs. Everything that is kept is in .build/bench;
remove that folder to prepare it again.

All programs run on one core, in turns. The tools and the other programs are copied to a new place before each
row, because identical copies of a file differ by up to 25 %. The ratio is the median of the ratios round by
round. Ratios by CPU time are reliable on a busy machine too; ratios by the clock are not.

libolm and vodozemac run in a loop of their own, without starting a process, and without reading or storing
anything. The limit is a loop in C (limit.c) that makes only the calls of libcrypto that the search for a key
needs.

Exit status: 0 measured, also if goals were missed; 1 something could not be measured; 64 usage."""

WORDS = """the road to clinic is closed at bridge take river bring water fuel and blue box for kids
meet north gate before dawn call when you are there truck four has left with medicine send two
drivers rice oil blankets arrived safe all well no signal since noon wait until further news market
camp school doctor needs blood type how many people came today please confirm number of boxes
Gate 6, 06:00 (north) +27 82 123 4567 No. 17 OK? yes! 300 km @ noon""".split()


def messages(count: int) -> Iterator[str]:
    """Messages of 20 to 144 characters. 15 % have a character beyond ASCII."""
    chance = random.Random(count)
    for _ in range(count):
        length, text = chance.randint(20, 144), ""
        while len(text) <= length:
            text += chance.choice(WORDS) + " "
        text = text[:length].rstrip()
        if chance.random() < 0.15:
            text = text[:5] + chance.choice("éèùìòÇøåäöñüà") + text[6:]
        yield text


@dataclass
class Bench:
    """The tools to measure, by the name of their build, and the folders to work in."""

    builds: Mapping[str, Path]
    rounds: int
    disk: Path
    memory: Path
    table: Table

    @property
    def tools(self) -> Path:
        """Those that prepare inputs and keyrings."""
        return next(iter(self.builds.values()))

    def fresh_tools(self) -> dict[str, Path]:
        """Copies all builds, and returns the folders of the copies."""
        tools = "gsm7-check", "smsenc-frame", "smsenc-pad", "smsenc-keyring"
        return {
            name: fresh_copies(*(folder / tool for tool in tools)) for name, folder in self.builds.items()
        }

    @property
    def keyrings(self) -> Keyrings:
        return Keyrings(HOME / "keyrings", self.memory, self.tools)

    def kept(self, name: str, lines: Callable[[], Iterator[str]]) -> Path:
        """An input file, written when it is first needed."""
        path = HOME / name
        if not path.exists():
            path.write_text("".join(line + "\n" for line in lines()), encoding="utf-8")
        return path

    def frames(self, name: str, lines: Callable[[], Iterator[str]], *options: str) -> Path:
        """The same lines as frames."""
        path = HOME / f"{name}.frames"
        if not path.exists():
            Command([self.tools / "smsenc-frame", *options], self.kept(name, lines), path).run()
        return path

    def table_frames(self, contacts: int, each: int) -> Path:
        """Frames of CONTACT TAB MESSAGE, contact by contact."""

        def lines() -> Iterator[str]:
            for number, text in enumerate(messages(contacts * each)):
                yield f"{contact_name(number // each)}\t{text}"

        return self.frames(f"table-{contacts}x{each}", lines, "-f", "2")

    def compare(
        self, row: str, what: str, ours: Callable[[Path], Case], peers: Mapping[str, Callable[[], Case]],
        goals: Mapping[str, Goal], amount: float = 1, rounds: int = 0,
    ) -> None:  # fmt: skip
        """Measures all builds and peers in turns. `goals` has the goal for each peer."""
        cases = {f"{build} build": ours(tools) for build, tools in self.fresh_tools().items()}
        builds, present = list(cases), []
        for name, find in peers.items():
            try:
                cases[name] = find()
                present.append(name)
            except Absent:
                self.table.absent(row, what, name)
        taken = interleave(cases, rounds or self.rounds)
        for build in builds:
            for peer in present:
                self.table.compare(
                    row, f"{what}, {build}", taken[build], (peer, taken[peer]), goals[peer], amount
                )


def fresh_copies(*programs: str | Path) -> Path:
    """Copies programs to a new folder, which is removed when the bench ends."""
    folder = Path(tempfile.mkdtemp(prefix="programs."))
    for program in programs:
        shutil.copy(shutil.which(program) or program, folder)
    return folder


# The other programs.


def packages(*names: str) -> None:
    """Installs Debian packages that are missing."""
    if subprocess.run([HERE.parent / "setup", *names], stdout=sys.stderr).returncode:
        raise Absent


def quietly(*command: str | Path) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        say((done.stdout + done.stderr).strip()[-500:])
        raise Absent


def age(input: Path) -> Case:
    packages("age")
    key = HOME / "age.key"
    if not key.exists():
        quietly("age-keygen", "-o", key)
    public = subprocess.run(["age-keygen", "-y", key], capture_output=True, text=True, check=True)
    return Command([fresh_copies("age") / "age", "-r", public.stdout.strip()], input).run


def openssl(input: Path) -> Case:
    packages("openssl")
    program = fresh_copies("openssl") / "openssl"
    return Command([program, "enc", "-aes-256-ctr", "-K", "0f" * 32, "-iv", "00" * 16], input).run


def grep(alphabet: str, input: Path, output: Path) -> Case:
    """Counts the lines that have a character beyond GSM. It writes a file: with /dev/null it stops early."""
    characters = "".join("\\" + c if c in r"\]^-[" else c for c in sorted(set(alphabet)))
    environment = {"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}
    program = fresh_copies("grep") / "grep"
    return Command([program, "-cP", f"[^{characters}]"], input, output, environment, (0, 1)).run


def loop(*argv: object) -> Case:
    """Runs a program that measures itself and prints the seconds by the clock and of CPU time."""
    output = HOME / "loop.seconds"
    command = Command([str(word) for word in argv], output=output)

    def run() -> Sample:
        command.run()
        clock, cpu = map(float, output.read_text().split())
        return Sample(clock, cpu)

    return run


def compiled(name: str, *options: str | Path) -> Path:
    program, source = HOME / Path(name).stem, HERE / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        quietly("gcc", "-O2", "-o", program, source, *options)
    return fresh_copies(program) / program.name


def libolm(order: str, sessions: int, each: int) -> Case:
    packages("libolm-dev", "gcc", "libc6-dev")
    return loop(compiled("olm.c", "-lolm"), order, sessions, each)


def limit(*words: object) -> Case:
    packages("libssl-dev", "gcc", "libc6-dev")
    return loop(compiled("limit.c", f"-I{PROJECT / 'Sources/CCrypto'}", "-lcrypto"), *words)


def vodozemac(sessions: int, each: int) -> Case:
    """A loop in Python, in a virtual environment with the package of PyPI."""
    place = HOME / "python"
    if not (place / "done").exists():
        say(f"installing {VODOZEMAC} from PyPI into {place}")
        packages("python3-venv")
        quietly(sys.executable, "-m", "venv", place)
        quietly(place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", VODOZEMAC)
        (place / "done").touch()
    return loop(place / "bin/python", HERE / "vodozemac_loop.py", sessions, each)


# The rows.


def message(bench: Bench) -> None:
    frame = bench.frames("one", lambda: messages(1))
    sender, _ = bench.keyrings.pair()

    def ours(tools: Path) -> Case:
        copy = Keyring(sender.folder, tools).copy(Path(tempfile.mkdtemp()))
        return copy.pad("-c", contact_name(50), input=frame).run

    peers = {"age": lambda: age(frame), "openssl": lambda: openssl(frame)}
    goals = {"age": Goal(1.0, of_time=True, by_clock=True), "openssl": Goal(0.7, of_time=True, by_clock=True)}
    bench.compare("message", "smsenc-pad, one message", ours, peers, goals, rounds=bench.rounds * 40)


def received(bench: Bench, each: int, is_shuffled: bool) -> Callable[[Path], Case]:
    """Returns a case that decrypts `each` messages of each contact with a fresh copy of the keyring."""
    sender, receiver = bench.keyrings.pair()
    ciphertexts = bench.disk / f"ciphertexts-{each}"
    sender = sender.copy(bench.memory / "sender")
    sender.pad(input=bench.table_frames(CONTACTS, each), output=ciphertexts).run()
    if is_shuffled:
        lines = ciphertexts.read_text(encoding="utf-8").splitlines(keepends=True)
        random.Random(1).shuffle(lines)
        ciphertexts.write_text("".join(lines), encoding="utf-8")

    def ours(tools: Path) -> Case:
        def run() -> Sample:
            copy = Keyring(receiver.folder, tools).copy(bench.disk / "receiver")
            return copy.pad("-d", input=ciphertexts).run()

        return run

    return ours


def decrypt(bench: Bench) -> None:
    each = 400
    peers = {
        "libolm": lambda: libolm("sorted", CONTACTS, each),
        "vodozemac": lambda: vodozemac(CONTACTS, each),
    }
    bench.compare(
        "decrypt", f"-d, {CONTACTS * each:,} messages", received(bench, each, is_shuffled=False), peers,
        {"libolm": Goal(5.5), "vodozemac": Goal(0.8)}, CONTACTS * each,
    )  # fmt: skip


def disorder(bench: Bench) -> None:
    each = 40
    bench.compare(
        "disorder", "-d, in no order", received(bench, each, is_shuffled=True),
        {"libolm": lambda: libolm("shuffled", CONTACTS, each)}, {"libolm": Goal(1.2)}, CONTACTS * each,
    )  # fmt: skip


def alphabet(bench: Bench) -> str:
    probe = subprocess.run([bench.tools / "gsm7-check", "--probe"], capture_output=True, check=True)
    return probe.stdout.decode().strip("\n") + "^{}\\[~]|€␊"


def frame(bench: Bench) -> None:
    count = 1_000_000
    input = bench.kept("messages", lambda: messages(count))
    peers = {"grep -cP": lambda: grep(alphabet(bench), input, bench.memory / "count")}
    bench.compare(
        "frame", "smsenc-frame, a million messages",
        lambda tools: Command([tools / "smsenc-frame"], input).run, peers, {"grep -cP": Goal(0.5)}, count,
    )  # fmt: skip


# The limits of smsenc-protocol(7). The gap is below the window of 128 keys, because keys that the sender
# discards count as well. It discards a key if the ciphertext has spaces in the wrong places.
RETIRED_CHAINS, KEPT_KEYS, GAP = 64, 1024, 112


def with_all_keys(bench: Bench) -> Keyring:
    """A receiver who has every key to try that can be kept for contact 0."""
    sender, receiver = bench.keyrings.pair()
    sender, receiver = sender.copy(bench.memory / "worst-sender"), receiver.copy(bench.memory / "worst")
    contact, text = ("-c", contact_name(0)), bench.memory / "text"
    one, many = bench.frames("one", lambda: messages(1)), bench.frames("gap", lambda: messages(GAP))
    # Each answer brings a new key, and retires the chain before it.
    for _ in range(RETIRED_CHAINS + 1):
        for here, there in ((receiver, sender), (sender, receiver)):
            here.pad(*contact, input=one, output=text).run()
            there.pad("-d", *contact, input=text).run()
    # Of each batch only the last message arrives: the keys of the others are kept.
    for _ in range(KEPT_KEYS // (GAP - 1) + 1):
        sender.pad(*contact, input=many, output=text).run()
        text.write_bytes(text.read_bytes().splitlines(keepends=True)[-1])
        receiver.pad("-d", *contact, input=text).run()
    receiver.pad(*contact, input=one).run()
    return receiver


def forgeries(bench: Bench, count: int) -> Path:
    symbols = sorted(set(alphabet(bench)) - set(" ^{}\\[~]|€␊"))
    chance = random.Random("forged")

    def lines() -> Iterator[str]:
        return ("".join(chance.choices(symbols, k=160)) for _ in range(count))

    return bench.kept(f"forged-{count}", lines)


def forged(bench: Bench) -> None:
    count = 200
    input, receiver = forgeries(bench, count), with_all_keys(bench)
    # 128 keys of the chain and of the one that an offer would begin, 16 of each retired chain; kept keys are
    # there without a step.
    steps = 2 * 128 + 16 * RETIRED_CHAINS
    bench.compare(
        "forged", f"-d, {count} forged SMS",
        lambda tools: Keyring(receiver.folder, tools).pad(
            "-d", "-c", contact_name(0), input=input, statuses=(1,)).run,
        {"the limit": lambda: limit(count * steps, count * (steps + KEPT_KEYS))},
        {"the limit": Goal(1.2, of_time=True)}, count,
    )  # fmt: skip


def list_contacts(bench: Bench) -> None:
    sender = bench.keyrings.crowd(20_000)
    cases = {
        build: Command([tools / "smsenc-keyring", "list"], environment=sender.environment).run
        for build, tools in bench.fresh_tools().items()
    }
    for build, taken in interleave(cases, bench.rounds).items():
        middle = sorted(sample.clock for sample in taken)[len(taken) // 2]
        bench.table.value("list", f"list of 20,000 contacts, {build} build", middle, 0.06, "s")


def memory(bench: Bench) -> None:
    packages("time")
    big = bench.kept("messages", lambda: messages(1_000_000))
    endless = bench.memory / "endless"
    endless.write_bytes(b"a" * 300_000_000)
    table, worst = bench.table_frames(CONTACTS, 400), with_all_keys(bench)
    sender, receiver = bench.keyrings.pair()
    crowd = bench.keyrings.crowd(20_000)
    ciphertexts = bench.memory / "ciphertexts"
    for build, tools in bench.fresh_tools().items():
        def show(what: str, command: Command, build: str = build) -> None:
            bench.table.value("memory", f"{what}, {build} build", command.peak() / 1e6, 10, "MB")

        for name, options in (("gsm7-check", ["-t"]), ("smsenc-frame", ["-s"])):
            show(f"{name}, a million lines", Command([tools / name, *options], big))
            show(f"{name}, a line of 300 MB", Command([tools / name, *options], endless))
        writing = Keyring(sender.folder, tools).copy(bench.memory / "writing")
        show("smsenc-pad, 100,000 messages", writing.pad(input=table, output=ciphertexts))
        reading = Keyring(receiver.folder, tools).copy(bench.memory / "reading")
        show("smsenc-pad -d, 100,000 messages", reading.pad("-d", input=ciphertexts))
        options = ("-d", "--far", "-c", contact_name(0))
        searching = Keyring(worst.folder, tools).pad(*options, input=forgeries(bench, 200))
        show("smsenc-pad -d --far, forged SMS", searching)
        listing = Command([tools / "smsenc-keyring", "list"], environment=crowd.environment)
        show("list of 20,000 contacts", listing)
    endless.unlink()


ROWS: dict[str, Callable[[Bench], None]] = {
    "message": message, "decrypt": decrypt, "disorder": disorder, "frame": frame, "forged": forged,
    "list": list_contacts, "memory": memory,
}  # fmt: skip


def misuse(text: str) -> int:
    print(f"bench: {text}; see --help", file=sys.stderr)
    return 64


def build(*options: str) -> Path:
    done = subprocess.run([PROJECT / "scripts/build", *options], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(1)
    return Path(done.stdout.strip().splitlines()[-1])


def main(words: list[str]) -> int:
    cores, rounds, beside = sorted(os.sched_getaffinity(0)), 7, None
    core, chosen = cores[-1], []
    while words:
        word = words.pop(0)
        if word == "--help":
            print(HELP)
            return 0
        if word in ("--core", "--rounds", "--beside") and not words:
            return misuse(f"{word} needs a value")
        if word == "--beside":
            beside = Path(words.pop(0)).resolve()
        elif word in ("--core", "--rounds"):
            value = words.pop(0)
            number = int(value) if value.isdigit() else -1
            if number not in (cores if word == "--core" else range(2, 1000)):
                return misuse(f"{word} cannot be {value}")
            core, rounds = (number, rounds) if word == "--core" else (core, number)
        elif word in ROWS:
            chosen.append(word)
        else:
            return misuse(f"there is no option or row {word}")
    builds = {"small": build("--arch", "amd64")}
    if beside:
        builds["other"] = beside
    HOME.mkdir(parents=True, exist_ok=True)
    os.sched_setaffinity(0, {core})
    with (
        (HOME / "lock").open("w") as lock,
        tempfile.TemporaryDirectory(prefix="work.", dir=HOME) as disk,
        tempfile.TemporaryDirectory(prefix="smsenc-bench.", dir="/dev/shm") as shared_memory,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        tempfile.tempdir = disk
        table = Table()
        bench = Bench(builds, rounds, Path(disk), Path(shared_memory), table)
        for name in chosen or ROWS:
            try:
                ROWS[name](bench)
            except (Failed, Absent) as failure:
                say(f"cannot measure {name}: {failure}")
                return 1
        table.summary()
    return 0


sys.exit(main(sys.argv[1:]))
