"""What the tools are compared with: found, or installed, which is said."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from inputs import Inputs
from keyrings import say
from measuring import Command, Failed, Sample

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

    def libolm(self, core: int, sessions: int, each: int) -> Callable[[], Sample]:
        """A loop in C; its program is compiled here."""
        self.packages("libolm-dev", "gcc", "libc6-dev")
        program, source = self.folder / "olm", HERE / "olm.c"
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            quietly("gcc", "-O2", "-o", program, source, "-lolm")
        return self._loop(core, [str(program), str(sessions), str(each)])

    def vodozemac(self, core: int, sessions: int, each: int) -> Callable[[], Sample]:
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
        loop = str(HERE / "vodozemac_loop.py")
        return self._loop(core, [str(place / "bin/python"), loop, str(sessions), str(each)])

    def _loop(self, core: int, argv: list[str]) -> Callable[[], Sample]:
        """Runs what measures itself, and prints its seconds."""
        output = self.folder / "loop.seconds"
        command = Command(argv, output=output)

        def run() -> Sample:
            command.run(core)
            clock, cpu = output.read_text().split()
            if float(clock) <= 0:
                raise Failed(f"{argv[0]} measured nothing")
            return Sample(float(clock), float(cpu))

        return run
