#!/usr/bin/env python3
"""Checks that the test vectors notice misreadings of smsenc-protocol(7): `check.py [-v] [WORD ...]`.

Each entry of the file `misreadings` makes one mistake in implementation.py, which otherwise agrees with all
vectors. An implementer who makes this mistake should learn of it from Tests/Vectors. WORD selects the
misreadings whose names contain it, or those of a file of vectors. -v also prints the misreadings that are
noticed. The exit status is 1 if one is not noticed.
"""
import functools, os, signal, subprocess, sys, time, types

sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
import vectors

# Seconds of processor time after which a wrong implementation counts as noticed, because it does not end.
LIMIT = 60
# Functions whose results are kept, because they take most of the time, and the section that they depend on.
# No misreading changes the functions without a section.
SLOW = {
    "# The pad": ["step", "decrypt", "encrypt"],
    "# Compressed form: models": ["operations", "cost"],
    "# Compressed form": ["best_operations", "compress", "decompress"],
    "# (none)": ["scrypt", "ladder", "public_key"],
}


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file: return file.read()


def misreadings():
    """Files of vectors, name, old and new text of each misreading."""
    for entry in read("misreadings").split("\n\n")[1:]:
        head, *lines = entry.rstrip("\n").split("\n")
        files, name = head.split(": ", 1)
        old, new = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
        yield files.split(), name, old, new


class Implementation(types.ModuleType):
    """implementation.py, or a text like it."""

    def __init__(self, text):
        super().__init__("implementation")
        exec(compile(text, "implementation.py", "exec"), self.__dict__)

    def disagreement(self, files):
        """The first disagreement with vectors, or None."""
        try:
            for file in files: getattr(vectors.Checks(self), file)()
        except Exception as fault:
            return fault


class Right(Implementation):
    def __init__(self):
        self.text = read("implementation.py")
        super().__init__(self.text)
        tables = os.path.join(FOLDER, "..", "..", "scripts", "build.d", "language-tables")
        self.languages = subprocess.run([tables], stdout=subprocess.PIPE, check=True).stdout
        self.load(self.languages)
        for name in sum(SLOW.values(), []):
            setattr(self, name, functools.lru_cache(None)(getattr(self, name)))

    def wrong(self, old, new):
        """An implementation with one mistake, which shares the slow functions of other sections."""
        if self.text.count(old) != 1: sys.exit(f"check.py: found {self.text.count(old)} times: {old}")
        result = Implementation(self.text.replace(old, new))
        result.Refused, result.NewerVersion = self.Refused, self.NewerVersion
        section = self.text.rfind("\n# ", 0, self.text.index(old)) + 1
        for start, names in SLOW.items():
            if self.text.startswith(start, section): continue
            for name in names: setattr(result, name, getattr(self, name))
        if self.text.startswith("# Compressed form: models", section): result.load(self.languages)
        else: result.MODELS = self.MODELS
        return result


def end(*_): raise TimeoutError("does not end")


def main():
    words = [word for word in sys.argv[1:] if word != "-v"]
    right = Right()
    fault = right.disagreement(vectors.FILES)
    if fault: sys.exit(f"check.py: the implementation is right, but disagrees: {fault!r}")
    noticed, missed = 0, 0
    signal.signal(signal.SIGVTALRM, end)
    for files, name, old, new in misreadings():
        if words and not any(word in name or word in files for word in words): continue
        started = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
        fault = right.wrong(old, new).disagreement(files)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        noticed, missed = noticed + (fault is not None), missed + (fault is None)
        if fault is None: print("not noticed:", name, flush=True)
        elif "-v" in sys.argv:
            print(f"{time.process_time() - started:.2f} s {name}: {fault!r}"[:150], flush=True)
    print(f"{noticed} of {noticed + missed} misreadings are noticed")
    sys.exit(missed > 0)


main()
