"""Prepares keyrings with many contacts that are synchronised with a second keyring.

Each contact costs a computation of scrypt on both sides: about eight minutes for 1,000 contacts. Therefore
the keyrings are kept in .build/bench, and measured on copies, so that every run begins with the same state.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from measure import Command, Failed, say

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
    """The keyrings that are kept, by the number of their contacts."""

    def __init__(self, kept: Path, memory: Path, tools: Path) -> None:
        self.kept, self.memory, self.tools = kept, memory, tools
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)

    def pair(self, contacts: int, synchronised: int) -> tuple[Keyring, Keyring]:
        """A sender with `contacts` contacts, and a receiver who is synchronised with the first of them."""
        folder = self.kept / f"{contacts}-{synchronised}"
        pair = Keyring(folder / "sender", self.tools), Keyring(folder / "receiver", self.tools)
        if not (folder.exists() and all(map(works, pair))):
            shutil.rmtree(folder, ignore_errors=True)
            self._make(folder, contacts, synchronised)
            for one in pair:
                one.unlock()
        return pair

    def _make(self, folder: Path, contacts: int, synchronised: int) -> None:
        say(f"preparing a keyring with {contacts:,} contacts, {synchronised:,} of them synchronised …")
        began = time.monotonic()
        # In memory, since many small commits would wait for the disk.
        both = [Keyring(self.memory / side, self.tools) for side in ("sender", "receiver")]
        for one in both:
            shutil.rmtree(one.folder, ignore_errors=True)
            one.make()
        names = "".join(f"{contact_name(i)}\n" for i in range(synchronised)).encode()
        both[0].keyring("add", "-", input=table(range(contacts)))
        both[1].keyring("add", "-", input=table(range(synchronised)))
        offers = [one.keyring("offer", "-", input=names) for one in both]
        both[0].keyring("accept", "-", input=offers[1])
        both[1].keyring("accept", "-", input=offers[0])
        part = folder.with_name(folder.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        for one in both:
            one.copy(part / one.folder.name)
            shutil.rmtree(one.folder)
        os.replace(part, folder)
        say(f"… which took {time.monotonic() - began:.0f} s; it is kept in {folder}")


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
