"""Prepares keyrings with many contacts that are synchronised with a second keyring.

Each contact costs a computation of scrypt on both sides, a quarter of a second each. Therefore the
keyrings are kept in .build/bench, and measured on copies, so that every run begins with the same state.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from measure import Command, Failed, say

# Number of contacts that are synchronised.
CONTACTS = 250
PASSWORD = "Correct horse of the bench!"


def contact_name(number: int) -> str:
    return f"contact {number:07d}"


@dataclass(frozen=True)
class Keyring:
    """A folder with a keyring, its rollback note and an open session, and the tools that use it."""

    folder: Path
    tools: Path

    @property
    def environment(self) -> dict[str, str]:
        session = self.folder / "session"
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "SMSENC_KEYRING": str(self.folder / "keyring"),
            "SMSENC_PASSWORD_FILE": str(self.folder / "password"),
            "SMSENC_SESSION": session.read_text() if session.exists() else "",
            "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "LC_ALL": "C.UTF-8",
        }

    def keyring(self, *arguments: str, input: bytes = b"") -> bytes:
        """Runs `smsenc-keyring` and returns its output."""
        command = [self.tools / "smsenc-keyring", *arguments]
        done = subprocess.run(command, input=input, capture_output=True, env=self.environment)
        if done.returncode:
            raise Failed(f"smsenc-keyring {' '.join(arguments)}: {done.stderr.decode()[:300]}")
        return done.stdout

    def pad(
        self, *arguments: str, input: Path, output: Path | None = None, statuses: tuple[int, ...] = (0,)
    ) -> Command:
        argv = [self.tools / "smsenc-pad", *arguments]
        return Command(argv, input, output, self.environment, statuses)

    def unlock(self) -> None:
        """Begins a session, and removes the files of earlier sessions, which each tool would look into."""
        for session in (self.folder / "run").glob("smsenc/*"):
            session.unlink()
        said = self.keyring("unlock", "--for", "1d").decode()
        (self.folder / "session").write_text(said.partition("=")[2].partition(";")[0])

    def make(self) -> None:
        for folder in (self.folder, self.folder / "state", self.folder / "run"):
            folder.mkdir(mode=0o700, parents=True)
        password = self.folder / "password"
        password.write_text(PASSWORD + "\n")
        password.chmod(0o600)
        self.keyring("init", "--user", self.folder.name)
        self.unlock()

    def copy(self, folder: Path) -> Keyring:
        """Returns a copy that the tools accept, with its blocks on the disk."""
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", self.folder, folder], check=True)
        descriptor = os.open(folder / "keyring", os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
        copied = Keyring(folder, self.tools)
        copied.keyring("adopt", "--moved", "--complete")
        return copied

    def commits(self) -> int:
        """The count of commits in the rollback note."""
        notes = (self.folder / "state/smsenc").iterdir()
        return next(int(note.read_text()) for note in notes if "-" not in note.name)


class Keyrings:
    """The keyrings that are kept."""

    def __init__(self, kept: Path, memory: Path, tools: Path) -> None:
        self.kept, self.memory, self.tools = kept, memory, tools
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)

    def pair(self) -> tuple[Keyring, Keyring]:
        """A sender and a receiver with the same contacts, who are synchronised with each other."""
        sender, receiver = self._kept("pair", ["sender", "receiver"], self._synchronise)
        return sender, receiver

    def crowd(self, contacts: int) -> Keyring:
        """The sender with further contacts, `contacts` in all."""

        def add(crowd: Keyring) -> None:
            sender, _ = self.pair()
            sender.copy(crowd.folder).keyring("add", "-", input=table(range(CONTACTS, contacts)))

        return self._kept(f"crowd-{contacts}", ["sender"], add)[0]

    def _kept(self, name: str, sides: list[str], make: Callable[..., None]) -> list[Keyring]:
        """The keyrings in a folder, which `make` makes if they are missing or of another version."""
        folder = self.kept / name
        kept = [Keyring(folder / side, self.tools) for side in sides]
        if not (folder.exists() and all(map(works, kept))):
            shutil.rmtree(folder, ignore_errors=True)
            say(f"preparing {name} …")
            began = time.monotonic()
            # In memory, since many small commits would wait for the disk.
            made = [Keyring(self.memory / side, self.tools) for side in sides]
            for one in made:
                shutil.rmtree(one.folder, ignore_errors=True)
            make(*made)
            part = folder.with_name(folder.name + ".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(mode=0o700)
            for one in made:
                one.copy(part / one.folder.name)
                shutil.rmtree(one.folder)
            os.replace(part, folder)
            for one in kept:
                one.unlock()
            say(f"… which took {time.monotonic() - began:.0f} s; it is kept in {folder}")
        return kept

    def _synchronise(self, *both: Keyring) -> None:
        """Makes two keyrings with the same contacts, and synchronises them on all cores."""
        names = "".join(f"{contact_name(i)}\n" for i in range(CONTACTS)).encode()
        for one in both:
            one.make()
            one.keyring("add", "-", input=table(range(CONTACTS)))
        offers = [one.keyring("offer", "-", input=names) for one in both]
        core = os.sched_getaffinity(0)
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        with ThreadPoolExecutor() as pool:
            accepted = [
                pool.submit(one.keyring, "accept", "-", input=theirs)
                for one, theirs in zip(both, reversed(offers), strict=True)
            ]
            for one in accepted:
                one.result()
        os.sched_setaffinity(0, core)


def works(keyring: Keyring) -> bool:
    """Whether the present tools can open a keyring that was kept."""
    try:
        keyring.unlock()
        keyring.keyring("show", contact_name(0))
    except Failed:
        return False
    return True


def table(numbers: Sequence[int]) -> bytes:
    """NAME TAB NUMBER, for `add -`."""
    return "".join(f"{contact_name(i)}\t+2782{i:07d}\n" for i in numbers).encode()
