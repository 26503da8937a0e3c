"""Keyrings with many contacts that are in step: two people exchange offers.

Each contact costs a computation of scrypt on both sides, about eight minutes for 1,000 on two cores. So the
keyrings are kept in .build/bench, and measured on copies, so that every run finds the same. A copy is
a keyring that was moved: it says so itself, and `adopt --moved` is the answer.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inputs import contact_name
from measuring import Command, Failed

# Counts up when keyrings are made in another way.
RECIPE = 1
PASSWORD = "Correct horse of the bench!"


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Keyring:
    """A folder with a keyring, the note of its commits, and an open session."""

    folder: Path
    tools: Path

    @property
    def file(self) -> Path:
        return self.folder / "keyring"

    @property
    def environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith("SMSENC_")}
        session = self.folder / "session"
        return own | {
            "SMSENC_KEYRING": str(self.file),
            "SMSENC_PASSWORD_FILE": str(self.folder / "password"),
            "SMSENC_SESSION": session.read_text() if session.exists() else "",
            "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "LC_ALL": "C.UTF-8",
        }

    def keyring(self, *arguments: str, input: bytes = b"") -> bytes:
        """What `smsenc-keyring` prints."""
        command = [str(self.tools / "smsenc-keyring"), *arguments]
        done = subprocess.run(command, input=input, capture_output=True, env=self.environment)
        if done.returncode:
            raise Failed(f"{' '.join(command)}: {done.stderr.decode()[:300]}")
        return done.stdout

    def pad(
        self, *arguments: str, input: Path | None = None, output: Path | None = None,
        statuses: tuple[int, ...] = (0,),
    ) -> Command:  # fmt: skip
        """`smsenc-pad` on this keyring; its notes go nowhere."""
        argv = [str(self.tools / "smsenc-pad"), *arguments]
        return Command(argv, input, output, environment=self.environment, statuses=statuses)

    def unlock(self) -> None:
        """Opens a session; the computation of scrypt is not what is measured."""
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
        """A copy that works, its blocks already on the disk."""
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", self.folder, folder], check=True)
        descriptor = os.open(folder / "keyring", os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
        copied = Keyring(folder, self.tools)
        copied.keyring("adopt", "--moved")
        return copied

    def commits(self) -> int:
        """How many were made, by the note outside; each exchange makes two, one of them to tidy up."""
        notes = (self.folder / "state/smsenc").iterdir()
        return next(int(note.read_text()) for note in notes if "-" not in note.name)

    def works(self) -> bool:
        try:
            self.unlock()
            self.keyring("show", contact_name(0))
        except Failed:
            return False
        return True


@dataclass(frozen=True)
class Pair:
    """Two people who have each other's contacts in step, under the same names."""

    sender: Keyring
    receiver: Keyring


class Keyrings:
    """Those that are kept, and the folders for copies: on a disk and in memory."""

    def __init__(self, kept: Path, disk: Path, memory: Path, tools: Path) -> None:
        self.kept, self.disk, self.memory, self.tools = kept, disk, memory, tools
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._made_by = hashlib.sha256((tools / "smsenc-keyring").read_bytes()).hexdigest()[:12]
        self._open: dict[Path, Pair] = {}

    def _place(self, contacts: int, in_step: int | None) -> tuple[str, Path]:
        name = f"{contacts}" if in_step is None else f"{contacts}-of-which-{in_step}"
        # The big ones take long: another build of the tools goes on with them, see --fresh.
        by = self._made_by if contacts <= 10_000 else "any"
        return name, self.kept / f"{name}-{RECIPE}-{by}"

    def is_kept(self, contacts: int, in_step: int | None) -> bool:
        return self._place(contacts, in_step)[1].exists()

    def pair(self, contacts: int, in_step: int | None = None) -> Pair:
        """A sender with so many contacts; all are in step with a receiver, or so many of them."""
        name, folder = self._place(contacts, in_step)
        if folder not in self._open:
            pair = Pair(Keyring(folder / "sender", self.tools), Keyring(folder / "receiver", self.tools))
            if not (folder.exists() and pair.sender.works() and pair.receiver.works()):
                shutil.rmtree(folder, ignore_errors=True)
                # Those of one other build stay: they may be measured beside these.
                others = self.kept.glob(f"{name}-[0-9]*")
                for old in sorted(others, key=lambda other: other.stat().st_mtime)[:-1]:
                    shutil.rmtree(old)
                self._make(folder, contacts, synchronised(contacts, in_step or contacts))
            self._open[folder] = pair
        return self._open[folder]

    def _make(self, folder: Path, contacts: int, in_step: Sequence[int]) -> None:
        say(f"preparing a keyring with {contacts:,} contacts, {len(in_step):,} of them in step ...")
        began = time.monotonic()
        part = folder.with_name(folder.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        # In memory, where its many commits wait for no disk.
        both = [Keyring(self.memory / side, self.tools) for side in ("sender", "receiver")]
        names = "".join(f"{contact_name(i)}\n" for i in in_step).encode()
        for one in both:
            # A row before may have measured with a copy of this name.
            shutil.rmtree(one.folder, ignore_errors=True)
            one.make()
        both[0].keyring("add", "-", input=table(range(contacts)))
        both[1].keyring("add", "-", input=table(in_step))
        offers = [one.keyring("offer", "-", input=names) for one in both]
        both[0].keyring("accept", "-", input=offers[1])
        both[1].keyring("accept", "-", input=offers[0])
        for one in both:
            one.copy(part / one.folder.name)
            shutil.rmtree(one.folder)
        os.replace(part, folder)
        say(f"... that took {time.monotonic() - began:.0f} s; it is kept in {folder}")

    def copy(self, keyring: Keyring, name: str, in_memory: bool = False) -> Keyring:
        """A copy to be measured with, on the disk or in memory, in the place of an older one."""
        return keyring.copy((self.memory if in_memory else self.disk) / name)


def synchronised(contacts: int, count: int) -> range:
    """Which are in step: those are spread over all."""
    return range(0, contacts, contacts // count)


def table(numbers: Sequence[int]) -> bytes:
    """NAME TAB NUMBER for `add -`."""
    return "".join(f"{contact_name(i)}\t+2782{i:07d}\n" for i in numbers).encode()
