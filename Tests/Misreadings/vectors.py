"""Checks an implementation against the test vectors."""
import functools, json, os, unicodedata

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Vectors")
FILES = ["pad", "sync", "offers", "receipts", "parts", "conversations", "frames", "compressed"]


class Disagreement(Exception):
    """The implementation and a vector disagree."""


def expect(is_same, *what):
    if not is_same: raise Disagreement(*what)


@functools.lru_cache(None)
def content(name):
    with open(os.path.join(VECTORS, name + ".json"), encoding="utf-8") as file: return json.load(file)


class Checks:
    """The checks of all files of vectors, one method for each file."""

    def __init__(self, implementation): self.of = implementation

    def result(self, function, *arguments):
        """What a function returns, or None if it refuses its input."""
        try: return function(*arguments)
        except self.of.Refused: return None

    # Frames

    def encoded(self, message):
        frame = self.result(self.of.encode, message)
        return frame and self.of.text_of(frame)

    def decoded(self, frame): return self.result(lambda: self.of.decode(self.of.frame_of(frame)))

    def frames(self):
        for case in content("frames")["cases"]:
            message, frame = case.get("message"), case.get("frame")
            if "error" in case:
                if message is not None: expect(self.encoded(message) is None, case)
                if frame is None: continue
                try: expect(self.of.decode(self.of.frame_of(frame)) is None, case)
                except self.of.Refused as fault:
                    is_newer = case["error"].startswith("from a later version")
                    expect(isinstance(fault, self.of.NewerVersion) == is_newer, case)
                continue
            plain = case.get("unframed", message)
            if "form" in case:
                expect(self.decoded(case["for example"]) == plain, case)
                if len(message) > 60: continue
                frame = self.encoded(message)
                expect(frame and frame.startswith("cos731"), case)
                expect(self.decoded(frame) == plain, case)
                continue
            if message is not None: expect(self.encoded(message) == frame, case)
            expect(self.decoded(frame) == plain, case)

    def compressed(self):
        of = self.of
        for case in content("compressed")["read"]:
            text = self.result(of.decompress, of.symbols(case["field"]))
            expect(text == case.get("text"), case, text)
        for case in content("compressed")["write"]:
            if case["field"] is not None:
                expect(self.result(of.decompress, of.symbols(case["field"])) == case["text"], case)
        for case in content("compressed")["write"]:
            message = self.result(of.message_of, case["text"])
            # The shortest encoding of a long text takes long to find here.
            if case["field"] is not None and len(set(message)) > 15: continue
            field = message and self.result(of.compress, message)
            expect((field is None) == (case["field"] is None), case)
            if field: expect(self.result(of.decompress, field) == case["text"], case)
            if "bits" in case: expect(abs(of.best_operations(message)[0] - case["bits"]) < 0.02, case)

    def parts(self):
        of = self.of
        for case in content("parts")["cases"]:
            if case.get("unicode", 0) > int(unicodedata.unidata_version.split(".")[0]): continue
            if "error" in case:
                expect(self.result(of.message_of, case["message"]) is None, case)
            elif "frames" in case:
                frames = [of.frame_of(frame) for frame in case["frames"]]
                expect(self.result(of.joined, frames) == case["printed"], case)
            else:
                parts, texts = case["parts"], []
                for number, part in enumerate(parts, 1):
                    mark = self.result(of.mark_of, part)
                    expect(mark and mark[:2] == (number, len(parts)), case)
                    expect(of.marked(number, len(parts), case["message"], mark[3]) == part, case)
                    texts.append(mark[3])
                expect("".join(texts) == case["message"], case)
                frames = [of.encode(part) for part in parts]
                expect(self.result(of.joined, frames) == [case["message"]], case)

    # Keys

    def direction(self, root, x, case):
        first, chain = self.of.first_keys(root, x)
        expect(first.hex() == case["root"] and chain.hex() == case["chain"], case)
        expect(self.of.verification_code(root, x) == case["code"].replace(" ", ""), case)
        expect(self.of.direction_name(root, x) == case["name"], case)

    def sync(self):
        for case in content("sync")["cases"]:
            if "keys" not in case:
                expect(self.result(self.of.read_sync_key, case["read"]) == case.get("is"), case)
                continue
            root = self.result(self.of.sync_root, *case["keys"])
            expect((root and root.hex()) == case.get("root"), case)
            for key, direction in case.get("from", {}).items(): self.direction(root, key.encode(), direction)

    def offers(self):
        of = self.of
        for case in content("offers")["cases"]:
            if "read" in case:
                own = [bytes.fromhex(key) for key in case.get("own", [])]
                key = self.result(of.read_offer, case["read"], own)
                expect((key and key.hex()) == case.get("is"), case, key and key.hex())
                if "agree" in case: expect(self.result(of.offer_root, bytes(range(32)), key) is None, case)
                continue
            secrets = [bytes.fromhex(secret) for secret in case["secrets"]]
            keys = [of.public_key(secret) for secret in secrets]
            for mine in (0, 1):
                expect(of.offer_of(keys[mine]) == case["offers"][mine], case)
                root = self.result(of.offer_root, secrets[mine], keys[1 - mine])
                expect(root and root.hex() == case["root"], case)
                self.direction(root, keys[mine], case["from"][mine])

    # Ciphertexts

    def pad(self):
        of = self.of
        for case in content("pad")["cases"]:
            if "read" in case:
                ciphertext = self.result(of.ciphertext_of, case["read"])
                expect((ciphertext and of.text_of(ciphertext)) == case.get("is"), case)
                continue
            key, chain = of.step(bytes.fromhex(case["chain"]))
            frame = of.symbols(case["frame"])
            expect((key[0].hex(), key[1].hex(), chain.hex())
                   == (case["k_mac"], case["k_enc"], case["next_chain"]), case)
            ciphertext = of.encrypt(key, frame)
            expect(of.text_of(ciphertext) == case["ciphertext"], case)
            expect(of.is_unusable(ciphertext) != case["survives_copying"], case)
            expect(of.decrypt(key, ciphertext) == frame, case)

    def conversations(self):
        for case in content("conversations")["cases"]: Events(self, case).check()

    # Receipts

    def receipts(self):
        of = self.of
        for case in content("receipts")["cases"]:
            if "position" in case:
                position = self.result(of.position_of, case["position"])
                expected = tuple(case[x] for x in ("name", "chain", "key")) if "name" in case else None
                expect(position == expected, case)
            elif "receipt" in case:
                self.receipt_in_frame(case)
            elif "chains" in case:
                written, chains = of.write_receipt(self.chains(case["chains"]), case.get("room", 10 ** 9))
                expect((written and of.text_of(written)) == case["symbols"], case)
                if written is None: continue
                expect(chains == self.chains(case.get("listed", case["chains"])), case)
                expect(self.result(of.read_receipt, written) == chains, case)
                if len(written) > 143: continue
                expect(self.result(of.read_receipt, written.ljust(143, b"\0")) == chains, case)
            else:
                expect(self.result(of.read_receipt, of.symbols(case["symbols"])) is None, case)

    def chains(self, chains):
        return [(c["number"], c["from"], c["next"], [tuple(run) for run in c["skipped"]]) for c in chains]

    def receipt_in_frame(self, case):
        of, receipt = self.of, self.of.symbols(case["receipt"])
        if case["frame"] is None:
            alone = of.receipt_alone(receipt)
            expect(of.text_of(alone) == case["with_receipt"], case)
            expect(of.take_receipt(alone) == (receipt.ljust(143, b"\0"), None), case)
            return
        frame = of.symbols(case["frame"])
        both = of.put_receipt(frame, receipt)
        if "message" in case: expect(both, case)
        else: expect((both and of.text_of(both)) == case["with_receipt"], case)
        if both is None: return
        for both in [both] + [of.symbols(case[x]) for x in ["for example"] if x in case]:
            taken, rest = of.take_receipt(both)
            expect(taken == receipt, case)
            if "message" in case: expect(self.result(of.decode, rest) == case["message"], case)
            else: expect(rest == frame, case)


class Events:
    """The events of a conversation between two people."""

    def __init__(self, checks, case):
        self.of, self.checks, self.case, self.drawn = checks.of, checks, case, []
        a, b = case["keys"]["a"], case["keys"]["b"]
        root = self.of.sync_root(a, b)
        self.people = {
            "a": self.of.Conversation(root, a.encode(), b.encode()),
            "b": self.of.Conversation(root, b.encode(), a.encode())}

    def check(self):
        for event in self.case["events"]:
            kind = next(iter(event))
            getattr(self, kind)(event, self.people[event[kind]])

    def draw(self, event):
        """Returns a function that draws the next key of an event, which must be called if there is one."""
        self.drawn = [event["offer"]] if "offer" in event else []

        def draw():
            expect(self.drawn, "a next key is drawn", event)
            return self.of.symbols(self.drawn.pop())
        return draw

    def frame(self, event):
        if "frame" in event: return self.of.symbols(event["frame"])
        frame = self.of.plain_field(event["message"])
        return self.of.PLAIN + frame + self.of.symbols(" " * 10)

    def position(self, direction, position): return ".".join(map(str, (direction.name,) + position))

    def send(self, event, person):
        ciphertext, position = person.send(self.frame(event), self.draw(event))
        expect(not self.drawn, "no next key is drawn", event)
        expect(self.of.text_of(ciphertext) == event["ciphertext"], event)
        expect(self.position(person.sending, position) == event["position"], event)

    def send_and_lose(self, event, person):
        draw = self.draw(event)
        for _ in range(event["count"]): person.send(self.frame(event), draw)

    def receive(self, event, person):
        received = person.receive(self.of.symbols(event["ciphertext"]), event.get("far", False))
        is_refused = "frame" not in event and event["message"] is None
        expect((received is None) == is_refused, event)
        if is_refused: return
        expect(received.frame == self.frame(event), event)
        expect(received.is_late == event["late"], event)
        expect(received.missing == event.get("missing", 0), event, received.missing)
        expect(self.position(person.receiving, received.position) == event["position"], event)

    def alternate(self, event, first):
        second = next(person for person in self.people.values() if person is not first)
        for count in range(event["count"]):
            ciphertext, _ = first.send(self.frame(event), lambda: self.of.symbols(f"{count:010}"))
            expect(second.receive(ciphertext), event)
            first, second = second, first

    def receipt(self, event, person):
        written, _ = self.of.write_receipt(person.receipt(), event.get("room", 10 ** 9))
        expect(written and self.of.text_of(written) == event["symbols"], event,
               written and self.of.text_of(written))

    def told(self, event, person):
        chains = self.checks.result(self.of.read_receipt, self.of.symbols(event["symbols"]))
        expect(chains, event)
        person.learn(chains)
        for state, messages in event["states"].items():
            for chain, key in messages:
                expect(person.told.get((chain, key), "unknown") == state, event, chain, key)
