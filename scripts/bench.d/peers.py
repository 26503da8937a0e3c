"""What the tools are compared with: found, or installed, which is said."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inputs import Inputs, contact_numbers
from keyrings import say
from measuring import Case, Command, Failed, Sample

HERE = Path(__file__).parent
VODOZEMAC = "vodozemac==0.10.0"


class Absent(Exception):
    """A peer that is not here and cannot be installed."""


def quietly(*command: str | Path) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        for line in (done.stdout + done.stderr).strip().splitlines()[-5:]:
            say(line)
        raise Absent


@dataclass(frozen=True)
class Work:
    """Messages that are enciphered, or deciphered, and whose they are in turn."""

    verb: str
    contacts: int
    each: int
    order: str

    @property
    def messages(self) -> int:
        return self.contacts * self.each

    def words(self) -> tuple[str, ...]:
        return self.verb, self.order, str(self.contacts), str(self.each)

    def opened(self, commits: int) -> int:
        """How many sessions are opened and saved where each commit saves those that were used for it."""
        numbers = contact_numbers(self.contacts, self.each, self.order)
        places = [len(numbers) * i // commits for i in range(commits + 1)]
        return sum(len(set(numbers[start:end])) for start, end in zip(places, places[1:]))


@dataclass(frozen=True)
class Store:
    """Where sessions are written back, in so many commits."""

    commits: int
    database: Path

    def words(self) -> tuple[str | Path, ...]:
        return str(self.commits), self.database


class Peers:
    def __init__(self, folder: Path, inputs: Inputs) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.inputs = folder, inputs
        self._asked: dict[tuple[str, ...], bool] = {}

    def packages(self, *names: str) -> None:
        """Sees to it that these Debian packages are there; it is asked for once only."""
        if names not in self._asked:
            done = subprocess.run([HERE.parent / "setup", *names], stdout=sys.stderr)
            self._asked[names] = done.returncode == 0
        if not self._asked[names]:
            raise Absent

    def grep_not_gsm(self, alphabet: str, input: Path) -> Command:
        """Counts the lines with a character that is not GSM; into a file, see Command."""
        characters = "".join(sorted(set(alphabet)))
        class_ = "".join("\\" + c if c in r"\]^-[" else c for c in characters)
        return Command(
            ["grep", "-cP", f"[^{class_}]"], input, self.folder / "grep.count",
            environment={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}, statuses=(0, 1),
        )  # fmt: skip

    def age(self, input: Path) -> Command:
        self.packages("age")
        key = self.folder / "age.key"
        if not key.exists():
            quietly("age-keygen", "-o", key)
        public = subprocess.run(["age-keygen", "-y", key], capture_output=True, text=True, check=True)
        return Command(["age", "-r", public.stdout.strip()], input)

    def openssl(self, input: Path) -> Command:
        self.packages("openssl")
        key, start = "0f" * 32, "00" * 16
        return Command(["openssl", "enc", "-aes-256-ctr", "-K", key, "-iv", start], input)

    def libolm(self, core: int, work: Work, store: Store | None = None) -> Case:
        """A loop in C; its program is compiled here."""
        self.packages("libolm-dev", "libsqlite3-dev", "gcc", "libc6-dev")
        program = self._compiled("olm.c", "-lolm", "-lsqlite3")
        return self._loop(core, [program, *work.words(), *(store.words() if store else ())])

    def vodozemac(self, core: int, work: Work, store: Store | None = None) -> Case:
        """A loop in Python, in an environment of its own with what PyPI has."""
        place = self.folder / "python"
        if not (place / "done").exists():
            say(f"installing {VODOZEMAC} from PyPI into {place}")
            try:
                import ensurepip  # noqa: F401  what venv needs, and Debian keeps apart
            except ImportError:
                self.packages("python3-venv")
            quietly(sys.executable, "-m", "venv", place)
            quietly(place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", VODOZEMAC)
            (place / "done").touch()
        loop = [place / "bin/python", HERE / "vodozemac_loop.py"]
        return self._loop(core, [*loop, *work.words(), *(store.words() if store else ())])

    def limit(self, core: int, *words: str | Path) -> Case:
        """What libcrypto alone takes: a loop in C, see limit.c."""
        self.packages("libssl-dev", "gcc", "libc6-dev")
        program = self._compiled("limit.c", f"-I{HERE.parent.parent / 'Sources/CCrypto'}", "-lcrypto")
        return self._loop(core, [program, *words])

    def _compiled(self, name: str, *options: str) -> Path:
        program, source = self.folder / Path(name).stem, HERE / name
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            quietly("gcc", "-O2", "-o", program, source, *options)
        return program

    def _loop(self, core: int, argv: Sequence[str | Path]) -> Case:
        """Runs what measures itself, and prints its seconds."""
        output = self.folder / "loop.seconds"
        command = Command([*map(str, argv)], output=output)

        def run() -> Sample:
            command.run(core)
            clock, cpu = output.read_text().split()
            if float(clock) <= 0:
                raise Failed(f"{argv[0]} measured nothing")
            return Sample(float(clock), float(cpu))

        return run
