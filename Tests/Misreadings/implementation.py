"""A second implementation of smsenc-protocol(7), written from that page alone.

It is simple rather than fast, and checks the test vectors: see vectors.py. The list of misreadings changes
its text, so each rule of the page has one place here. It stores nothing, and must not be used with real keys.
"""
import ctypes, functools, hashlib, hmac, math, operator, re, unicodedata, zlib


class Refused(Exception):
    """The input is refused, as the page says."""


class NewerVersion(Refused):
    """The message was made by a later version."""


# Text and symbols

ALPHABET = ("@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§"
            "¿abcdefghijklmnopqrstuvwxyzäöñüà")
NUMBER = {character: number for number, character in enumerate(ALPHABET)}
SPACE = 29
WHITE_SPACE = set("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000")
WHITE_SPACE |= set(map(chr, range(0x2000, 0x200B)))


def symbols(text): return bytes(NUMBER[c] for c in text)
def text_of(codes): return "".join(ALPHABET[code] for code in codes)
def nfc(text): return unicodedata.normalize("NFC", text)
def digits(value, count): return bytes(value // 125 ** place % 125 for place in reversed(range(count)))
def number(codes): return functools.reduce(lambda value, digit: value * 125 + digit, codes, 0)


def is_control(c):
    return ord(c) < 0x20 and c != "\n" or 0x7F <= ord(c) <= 0x9F or c in "\u2028\u2029"


def check_marks(text):
    run = 0
    for c in text:
        run = run + 1 if unicodedata.combining(c) else 0
        if run > 512: raise Refused("marks")


def message_of(text):
    """The message that a user has written."""
    check_marks(text)
    text = text.replace("\r\n", "\n")
    text = nfc(text)
    if any(is_control(c) or 0xD800 <= ord(c) <= 0xDFFF for c in text): raise Refused("control character")
    return text


# Frames

FAILSAFES = [symbols("cos730"), symbols("cos731"), symbols("cos732")]
PLAIN, COMPRESSED, RECEIPT = FAILSAFES


def plain_field(message):
    if len(message) <= 144 and not message.endswith(" ") and all(c in NUMBER for c in message):
        return symbols(message.ljust(144))


def encode(text):
    """The 160 symbols of the frame of a text."""
    message = message_of(text)
    field = plain_field(message)
    if field is not None: return PLAIN + field + bytes([SPACE] * 10)
    field = compress(message)
    if field is None: raise Refused("too long")
    return COMPRESSED + field + bytes([SPACE] * 10)


def decode_as_sent(frame):
    """The message of a frame before it is converted to NFC."""
    if len(frame) != 160 or frame[:6] not in (PLAIN, COMPRESSED): raise Refused("no frame")
    if frame[:6] == PLAIN: return text_of(frame[6:150]).rstrip(" ")
    text = decompress(frame[6:150])
    check_marks(text)
    return text


def decode(frame): return nfc(decode_as_sent(frame))


def frame_of(text):
    """The symbols of a frame that is given as text."""
    text = nfc(text)
    if len(text) != 160 or any(c not in NUMBER for c in text): raise Refused("symbols")
    if not text.endswith(" " * 10): raise Refused("next key")
    return symbols(text)


# Receipt form

def put_receipt(frame, receipt):
    """A copy of a frame with a receipt, or None if it does not fit."""
    if frame[:6] == RECEIPT: raise Refused("receipt")
    field = frame[6:150] if frame[:6] == COMPRESSED else compress(decode(frame))
    if field is None: return None
    rest = field.rstrip(b"\0")
    if len(receipt) > 123 or 1 + len(receipt) + len(rest) > 144: return None
    return RECEIPT + (bytes([len(receipt)]) + receipt + rest).ljust(144, b"\0") + frame[150:]


def receipt_alone(receipt):
    return RECEIPT + (bytes([124]) + receipt).ljust(144, b"\0") + bytes([SPACE] * 10)


def take_receipt(frame):
    """The receipt of a frame, or None, and the frame without it, or None if there is no message."""
    if frame[:6] != RECEIPT: return None, frame
    length = frame[6]
    if length == 124: return frame[7:150], None
    return frame[7:7 + length], COMPRESSED + frame[7 + length:150].ljust(144, b"\0") + frame[150:]


# Messages in parts

MARK = re.compile(r"([1-9][0-9]?)/([1-9][0-9]?):([0-9]{4}) ", re.ASCII)


def check_of(message): return zlib.crc32(message.encode()) % 10000


def mark_of(text):
    """Number, count and check of a part, and its text without the mark, or None."""
    mark = MARK.match(text)
    if not mark: return None
    number, count = int(mark[1]), int(mark[2])
    if not 2 <= count or not number <= count: return None
    return number, count, mark[3], text[mark.end():]


def marked(number, count, message, part):
    """The text of a part."""
    return f"{number}/{count}:{check_of(message):04} {part}"


def joined(frames):
    """The messages of frames of one contact, in the order in which they are complete, then other parts."""
    printed, waiting = [], {}
    for frame in frames:
        text = decode_as_sent(frame)
        mark = mark_of(text)
        if not mark:
            printed.append(nfc(text))
            continue
        parts = waiting.setdefault(mark[1:3], {})
        parts[mark[0]] = mark[3]
        whole = "".join(parts[number] for number in sorted(parts))
        if len(parts) == mark[1] and int(mark[2]) == check_of(whole):
            try: check_marks(whole)
            except Refused: continue
            printed.append(nfc(whole))
            del waiting[mark[1:3]]
    for (count, check), parts in waiting.items():
        for number in sorted(parts): printed.append(nfc(f"{number}/{count}:{check} {parts[number]}"))
    return printed


# Compressed form: tokens

SHIFT, CAPS, END = "<SHIFT>", "<CAPS>", "<END>"
CASES = """
0041-005A 1 32   0181-0181 1 210  038C-038C 1 64
00C0-00D6 1 32   018A-018A 1 205  038E-038F 1 63
00D8-00DE 1 32   0198-0198 1 1    0391-03A1 1 32
0100-012E 2 1    01A0-01A0 1 1    03A3-03AB 1 32
0132-0136 2 1    01AF-01AF 1 1    0400-040F 1 80
0139-0147 2 1    01B3-01B3 1 1    0410-042F 1 32
014A-0176 2 1    0386-0386 1 38   0490-0490 1 1
0179-017D 2 1    0388-038A 1 37   1E00-1E94 2 1
1EA0-1EFE 2 1"""
LOWER, UPPER = {}, {}
for first, last, step_, offset in re.findall(r"(\w+)-(\w+) (\d+) (\d+)", CASES):
    for code in range(int(first, 16), int(last, 16) + 1, int(step_)):
        LOWER[chr(code)], UPPER[chr(code + int(offset))] = chr(code + int(offset)), chr(code)


def inverted(c): return LOWER.get(c) or UPPER.get(c) or c


def tokens_of(message):
    tokens, is_upper = [], False
    letters = [c in LOWER for c in message if c in LOWER or c in UPPER]
    letter = 0
    for c in message:
        if c in LOWER or c in UPPER:
            case = letters[letter]
            if case != is_upper:
                begins_run = letters[letter:letter + 3] == [case] * 3
                tokens.append(CAPS if begins_run else SHIFT)
                if begins_run: is_upper = case
            letter += 1
            tokens.append(LOWER.get(c, c))
        else:
            tokens.append(c)
    return tokens + [END]


# Compressed form: models

WEIGHTS = dict(zip("abcdefghijklmnop", [1, 2, 3, 4, 6, 10, 16, 25, 40, 64, 102, 161, 256, 406, 645, 1024]))
FREQUENT = "".join(chr(int(code, 16)) for code in """
FE0F 200D 200C 2019 2018 201C 201D 2026 2013 2014 2022
20AC 00B0 1F3FB 1F3FC 1F3FD 1F3FE 1F3FF 1F602 1F923 1F62D 1F64F
1F914 1F644 1F601 1F60F 1F932 1F60E 1F600 1F605 1F60D 2764 1F64C
1F525 1F621 1F622 1F44F 1F44D 1F44C 1F620 1F60A 1F4AF 1F612 1F604
1F4AA 1F494 1F937 1F625 1F606 1F926 1F603 1F447 1F917 1F618 270A
1F61C 1F629 1F60B 1F970 1F97A 1F614 1F642 1F609 1F389""".split())
RANGES = [(7, 2, 0, 0x7F), (9, 1, 0x80, 0x2FF), (10, 1, 0x300, 0x2FFF), (11, 1, 0x3000, 0x9FFF),
          (12, 1, 0xA000, 0xFFFF), (13, 1, 0x1F000, 0x1FFFF), (14, 1, 0x10000, 0x10FFFF)]
CHANGE_OF_MODEL = 15


class Model:
    def __init__(self, line):
        self.contexts = {}
        self.home = [int(code, 16) for code in line.split(" ")[1].split("-")]
        self.classes = [(0, 5, range(self.home[0], self.home[1] + 1)), (5, 2, list(map(ord, FREQUENT)))]
        self.classes += [(start, parts, range(first, last + 1)) for start, parts, first, last in RANGES]

    def add(self, line):
        token = {"⇧": SHIFT, "⇪": CAPS, "␃": END}
        context, rest = line.split("\t", 1)
        entries = [(token.get(rest[i], rest[i]), WEIGHTS[rest[i + 1]]) for i in range(1, len(rest), 2)]
        self.contexts[tuple(token.get(c, c) for c in context)] = WEIGHTS[rest[0]], entries


MODELS = []


LANGUAGES = "0c285ec4ab994df4ccfa8a5b774800fe14e2a490eee50983f4fa54917283032d"


def load(languages):
    """Reads languages.txt."""
    if hashlib.sha256(languages).hexdigest() != LANGUAGES:
        raise SystemExit("languages.txt is not the file of the page")
    for line in languages.decode().split("\n")[:-1]:
        if "\t" in line: MODELS[-1].add(line)
        else: MODELS.append(Model(line))


def initially_excluded(after_mark): return {SHIFT, CAPS, END} if after_mark else set()


def contexts(model, history, after_mark):
    """The entries that remain in each context of a token, and the weight of the escape."""
    excluded = initially_excluded(after_mark)
    for n in (3, 2, 1, 0):
        if len(history) < n: continue
        context = model.contexts.get(history[len(history) - n:])
        if context is None: continue
        left = [entry for entry in context[1] if entry[0] not in excluded]
        if not left: continue
        yield left, context[0], sum(map(operator.itemgetter(1), left)) + context[0]
        excluded |= {token for token, _ in context[1]}


@functools.lru_cache(None)
def all_contexts(model, history, after_mark): return list(contexts(MODELS[model], history, after_mark))


@functools.lru_cache(None)
def operations(model, history, after_mark, token):
    """The operations that encode a token, or those of all escapes if there is no token."""
    result = []
    for left, escape, total in all_contexts(model, history, after_mark):
        start = 0
        for other, weight in left:
            if other == token: return result + [(start, weight, total)]
            start += weight
        result.append((total - escape, escape, total))
    if token is None: return result
    if token in (SHIFT, CAPS, END): return None
    for start, parts, characters in MODELS[model].classes:
        if ord(token) in characters:
            return result + [(start, parts, 16), (characters.index(ord(token)), 1, len(characters))]


@functools.lru_cache(None)
def cost(*token):
    of = operations(*token)
    return math.inf if of is None else sum(math.log2(total / weight) for _, weight, total in of)


def best_operations(message):
    """Cost in bits and operations of the shortest encoding of a message."""
    costs, before = [5.0] * len(MODELS), []
    history, after_mark, places = (END,), False, []
    for token in tokens_of(message):
        places.append((history, after_mark, token))
        leave, source = min((c + cost(m, history, after_mark, None) + 9, m) for m, c in enumerate(costs))
        comes_from = [source if leave < c else m for m, c in enumerate(costs)]
        costs = [min(leave, c) + cost(m, history, after_mark, token) for m, c in enumerate(costs)]
        before.append(comes_from)
        after_mark = token in (SHIFT, CAPS)
        if not after_mark: history = (history + (token,))[-3:]
    bits, model = min((c, m) for m, c in enumerate(costs))
    if bits == math.inf: return bits, []
    result = []
    for (history, after_mark, token), comes_from in zip(reversed(places), reversed(before)):
        here, source = list(operations(model, history, after_mark, token)), comes_from[model]
        if source != model:
            change = [(CHANGE_OF_MODEL, 1, 16), (model, 1, 32)]
            here = operations(source, history, after_mark, None) + change + here
        result, model = here + result, source
    return bits, [(model, 1, 32)] + result


# Compressed form: digits

def write_digits(all_operations):
    low, size, written = 0, 125 ** 8, []

    def carry():
        nonlocal low
        if low >= 125 ** 8:
            low -= 125 ** 8
            place = len(written) - 1
            while written[place] == 124: written[place], place = 0, place - 1
            written[place] += 1

    for f, w, t in all_operations:
        u = size // t
        low, size = low + u * f, u * w
        carry()
        while size < 125 ** 7:
            written.append(low // 125 ** 7)
            low, size = low % 125 ** 7 * 125, size * 125
    for s in (125 ** place for place in range(8, -1, -1)):
        v = -(-low // s) * s
        if v < low + size: break
    low = v
    carry()
    return bytes(written) + digits(low, 8).rstrip(b"\0")


def compress(message):
    """The text field, or None if the message does not fit."""
    if len(message) > 1000: return None
    bits, all_operations = best_operations(message)
    if bits > 144 * math.log2(125) + 100: return None
    field = write_digits(all_operations)
    return field.ljust(144, b"\0") if len(field) <= 144 else None


class Digits:
    """Reads operations from the digits of a text field."""

    def __init__(self, field):
        self.field, self.place, self.code, self.size = field, 8, number(field[:8]), 125 ** 8

    def value(self, t):
        v = self.code // (self.size // t)
        if v >= t: raise Refused("v >= t")
        return v

    def take(self, f, w, t):
        u = self.size // t
        self.code, self.size = self.code - u * f, u * w
        while self.size < 125 ** 7:
            if self.place >= 144 + 8: raise Refused("digits")
            digit = self.field[self.place] if self.place < 144 else 0
            self.code, self.size, self.place = self.code * 125 + digit, self.size * 125, self.place + 1

    def uniform(self, t):
        v = self.value(t)
        self.take(v, 1, t)
        return v

    def model(self):
        v = self.uniform(32)
        if v >= len(MODELS): raise NewerVersion("model")
        return v


def read_token(read, model, history, after_mark):
    """The next token and its model."""
    while True:
        for left, escape, total in contexts(MODELS[model], history, after_mark):
            v, start = read.value(total), 0
            for token, weight in left:
                if v < start + weight:
                    read.take(start, weight, total)
                    return token, model
                start += weight
            read.take(total - escape, escape, total)
        v = read.value(16)
        if v == CHANGE_OF_MODEL:
            read.take(v, 1, 16)
            model = read.model()
            continue
        for start, parts, characters in MODELS[model].classes:
            if start <= v < start + parts:
                read.take(start, parts, 16)
                return chr(characters[read.uniform(len(characters))]), model


def decompress(field):
    read, message = Digits(field), []
    model, history = read.model(), (END,)
    caps = shift = after_mark = False
    while True:
        token, model = read_token(read, model, history, after_mark)
        if token == END: return "".join(message)
        if token in (SHIFT, CAPS):
            if token == SHIFT: shift = True
            if token == CAPS: caps = not caps
            after_mark = True
            continue
        if is_control(token) or 0xD800 <= ord(token) <= 0xDFFF: raise Refused("character")
        message.append(inverted(token) if shift != caps else token)
        shift = after_mark = False
        history = (history + (token,))[-3:]
        if len(message) > 1000: raise Refused("too long")


# Sync keys and offers

BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def H(key, message): return hmac.digest(key, message, "sha256")
def start(key): return H(key, b"smsenc/1 root"), H(key, b"smsenc/1 chain")


@functools.lru_cache(None)
def scrypt(password, salt):
    return hashlib.scrypt(password, salt=salt, n=2 ** 17, r=8, p=1, dklen=32, maxmem=2 ** 28)


def base32(c):
    c = c.upper() if c.isascii() else c
    c = {"I": "1", "L": "1", "O": "0"}.get(c, c)
    return c if c in BASE32 else None


def times(a, b):
    """Multiplies in GF(32)."""
    result = 0
    for bit in range(5):
        if b >> bit & 1: result ^= a << bit
    for bit in range(9, 4, -1):
        if result >> bit & 1: result ^= 0b100101 << bit - 5
    return result


def read_sync_key(text):
    key = [base32(c) for c in text if c not in "-\t\n\v\f\r "]
    if None in key: raise Refused("character")
    if len(key) != 10: raise Refused("length")
    total, power = 0, 1
    for c in key: total, power = total ^ times(power, BASE32.index(c)), times(power, 2)
    if total: raise Refused("check")
    return "".join(key)


def sync_root(a, b):
    if a == b: raise Refused("equal keys")
    return scrypt("".join(sorted([a, b])).encode(), b"smsenc/1 sync")


def ladder(secret, point):
    """X25519 (RFC 7748), with numbers."""
    p = 2 ** 255 - 19
    k = int.from_bytes(secret, "little") & ~7 & ~(1 << 255) | 1 << 254
    x1 = (int.from_bytes(point, "little") & ~(1 << 255)) % p
    x2, z2, x3, z3 = 1, 0, x1, 1
    for bit in range(254, -1, -1):
        if k >> bit & 1: x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a % p, c * b % p, a * a % p, b * b % p
        x3, z3 = (da + cb) ** 2 % p, x1 * (da - cb) ** 2 % p
        x2, z2 = aa * bb % p, (aa - bb) * (aa + 121665 * (aa - bb)) % p
        if k >> bit & 1: x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, p - 2, p) % p).to_bytes(32, "little")


def public_key(secret): return ladder(secret, (9).to_bytes(32, "little"))

def characters(value, count):
    return "".join(BASE32[value >> 5 * place & 31] for place in reversed(range(count)))


def offer_check(key):
    return characters(int.from_bytes(hashlib.sha256(b"smsenc/1 offer" + key).digest()[:3], "big") >> 4, 4)


def offer_of(key): return "smsenc1-" + characters(int.from_bytes(key, "big") << 4, 52) + offer_check(key)


def offer_at(text, own):
    """The public key of the offer whose characters begin a text."""
    offer, place = "", 0
    while len(offer) < 56:
        if place == len(text): raise Refused("length")
        c, place = text[place], place + 1
        if c == "-" or c in WHITE_SPACE: continue
        if base32(c) is None: raise Refused("character")
        offer += base32(c)
    if place < len(text) and text[place] not in WHITE_SPACE: raise Refused("length")
    value = functools.reduce(lambda value, c: value * 32 + BASE32.index(c), offer[:52], 0)
    if value & 15: raise Refused("four bits")
    key = (value >> 4).to_bytes(32, "big")
    if offer_check(key) != offer[52:]: raise Refused("check")
    if int.from_bytes(key, "little") >= 2 ** 255 - 19: raise Refused("canonical")
    if key in own: raise Refused("own key")
    return key


def read_offer(text, own=()):
    """The first valid offer in a text."""
    for prefix in re.finditer("smsenc1", text, re.ASCII | re.IGNORECASE):
        try: return offer_at(text[prefix.end():], own)
        except Refused: continue
    raise Refused("no offer")


def offer_root(secret, theirs):
    ours = public_key(secret)
    shared = ladder(secret, theirs)
    if not any(shared): raise Refused("Z is zero")
    password = H(shared, b"smsenc/1 agree" + b"".join(sorted([ours, theirs])))
    return scrypt(password, b"smsenc/1 offers")


# First keys

def first_keys(root, x): return start(H(root, b"smsenc/1 from" + x))


def verification_code(root, x):
    count = 10 if len(x) == 10 else 20
    return f"{int.from_bytes(H(root, b'smsenc/1 verify' + x)[:16], 'big') % 10 ** count:0{count}}"


def direction_name(root, x): return characters(int.from_bytes(H(root, b"smsenc/1 name" + x)[:5], "big"), 8)


def position_of(text):
    """Name, chain and key of a position."""
    parts = re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{8})\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)", text, re.ASCII)
    if not parts: raise Refused("no position")
    chain, key = int(parts[2]), int(parts[3])
    if chain >= 2 ** 32 or key >= 2 ** 32: raise Refused("large number")
    return parts[1], chain, key


# The pad

CRYPTO = ctypes.CDLL("libcrypto.so.3")
for name in ("EVP_CIPHER_CTX_new", "EVP_aes_256_ctr"): getattr(CRYPTO, name).restype = ctypes.c_void_p
CONTEXT, CTR = ctypes.c_void_p(CRYPTO.EVP_CIPHER_CTX_new()), ctypes.c_void_p(CRYPTO.EVP_aes_256_ctr())
MODULO = bytes(value % 125 for value in range(256))


def step(chain):
    """A message key, k_mac and k_enc, and the next chain key."""
    return (H(chain, b"\x02"), H(chain, b"\x03")), H(chain, b"\x01")


def key_stream(k_enc, T):
    size = 512
    output, length = ctypes.create_string_buffer(size), ctypes.c_int()
    CRYPTO.EVP_EncryptInit_ex(CONTEXT, CTR, None, k_enc, T + bytes(10))
    CRYPTO.EVP_EncryptUpdate(CONTEXT, output, ctypes.byref(length), bytes(size), size)
    return output.raw.translate(MODULO, bytes(range(250, 256)))[:154]


def plus(a, b):
    """The sum of symbols modulo 125."""
    return (int.from_bytes(a, "big") + int.from_bytes(b, "big")).to_bytes(len(a), "big").translate(MODULO)


def minus(a, b):
    """The difference of symbols modulo 125."""
    value = int.from_bytes(a, "big") + int.from_bytes(bytes([125]) * len(a), "big") - int.from_bytes(b, "big")
    return value.to_bytes(len(a), "big").translate(MODULO)


def synthetic(k_mac, body): return digits(int.from_bytes(H(k_mac, body)[:16], "big") % 125 ** 6, 6)


def encrypt(key, frame):
    T = plus(frame[:6], synthetic(key[0], frame[6:]))
    return T + plus(frame[6:], key_stream(key[1], T))


def decrypt(key, ciphertext):
    """The frame, or None if the ciphertext is not genuine."""
    T = ciphertext[:6]
    body = minus(ciphertext[6:], key_stream(key[1], T))
    failsafe = minus(T, synthetic(key[0], body))
    return failsafe + body if failsafe in FAILSAFES else None


def is_unusable(ciphertext):
    return ciphertext[0] == SPACE or ciphertext[-1] == SPACE or bytes([SPACE, SPACE]) in ciphertext


INVISIBLE = "[\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
REPAIRS = str.maketrans("\xa0\u202f‘’“”∆∏∑€￥ç", "  ''\"\"ΔΠΣ¤¥Ç")


def ciphertext_of(text):
    """The symbols of a ciphertext that may have been copied."""
    text = nfc(re.sub(INVISIBLE, "", text)).translate(REPAIRS)
    text = text.strip("".join(WHITE_SPACE))
    if len(text) != 160 or any(c not in NUMBER for c in text): raise Refused("ciphertext")
    return symbols(text)


# Next keys

WINDOW, FAR, RETIRED_WINDOW = 128, 4096, 16
MAXIMUM_RETIRED, MAXIMUM_SKIPPED = 64, 1024


class Chain:
    def __init__(self, key, number=0, next=0): self.key, self.number, self.next = key, number, next
    def copy(self): return Chain(self.key, self.number, self.next)

    def step(self):
        """A message key and its position in the direction."""
        key, self.key = step(self.key)
        self.next += 1
        return key, (self.number, self.next - 1)


class Direction:
    def __init__(self, root, chain, name): self.root, self.chain, self.name = root, Chain(chain), name

    def mixed(self, next_key):
        root, key = start(H(self.root, b"smsenc/1 combine" + next_key))
        result = Direction(root, key, self.name)
        result.chain.number = self.chain.number + 1
        return result


class Skipped:
    def __init__(self, key, position, is_missing=True):
        self.key, self.position, self.is_missing = key, position, is_missing


class Received:
    """A frame that was decrypted, with spaces in place of the next key."""

    def __init__(self, frame, position, is_late, missing):
        self.frame = frame[:150] + bytes([SPACE] * 10)
        self.position, self.is_late, self.missing = position, is_late, missing


class Conversation:
    def __init__(self, root, own, theirs):
        self.sending, self.receiving = (
            Direction(*first_keys(root, x), direction_name(root, x)) for x in (own, theirs))
        self.own_next = self.their_next = None
        self.is_pending = False
        self.retired, self.skipped, self.complete = [], [], {}
        self.sent, self.told = [], {}

    # Sending

    def send(self, frame, draw):
        """The ciphertext of a frame and its position."""
        if self.is_pending:
            self.sending, self.is_pending = self.sending.mixed(self.their_next), False
        if self.own_next is None: self.own_next = draw()
        frame = frame[:150] + self.own_next
        while True:
            key, position = self.sending.chain.step()
            ciphertext = encrypt(key, frame)
            if not is_unusable(ciphertext): break
        self.sent.append(position)
        return ciphertext, position

    # Receiving

    def receive(self, ciphertext, is_far=False):
        """What a ciphertext says, or None if it is refused."""
        near = [(self.receiving.chain, None)]
        if self.own_next is not None:
            mixed = self.receiving.mixed(self.own_next)
            near.append((mixed.chain, mixed))
        for chain, direction in near:
            found = self.search(ciphertext, chain, FAR if is_far else WINDOW)
            if not found: continue
            ahead, key, frame, position, passed = found
            if direction:
                self.retired = (self.retired + [self.receiving.chain])[-MAXIMUM_RETIRED:]
                self.receiving, self.own_next = direction, None
            self.receiving.chain = ahead
            missing = self.skip(passed, frame)
            self.learn_next_key(frame[150:])
            return self.done(frame, key, position, False, missing)
        for index in reversed(range(len(self.retired))):
            found = self.search(ciphertext, self.retired[index], RETIRED_WINDOW)
            if not found: continue
            self.retired[index], key, frame, position, passed = found
            return self.done(frame, key, position, True, self.skip(passed, frame))
        for index in reversed(range(len(self.skipped))):
            entry = self.skipped[index]
            frame = decrypt(entry.key, ciphertext)
            if not frame: continue
            del self.skipped[index]
            found = entry.is_missing + self.discarded(self.before(entry.position), frame)
            return self.done(frame, entry.key, entry.position, True, -found)

    def search(self, ciphertext, chain, window):
        """The chain after the matching key, this key, the frame, its position, and the keys before it."""
        chain, passed = chain.copy(), []
        for _ in range(window):
            key, position = chain.step()
            frame = decrypt(key, ciphertext)
            if frame: return chain, key, frame, position, passed
            passed.append(Skipped(key, position))

    def skip(self, passed, frame):
        """Stores skipped keys. The result is the number of missing messages."""
        found = self.discarded(reversed(passed), frame)
        self.skipped += passed
        for entry in self.skipped[:-MAXIMUM_SKIPPED]:
            chain, key = entry.position
            self.complete[chain] = max(self.complete.get(chain, 0), key + 1)
        self.skipped = self.skipped[-MAXIMUM_SKIPPED:]
        return len(passed) - found

    def before(self, position):
        """The skipped keys directly before a position, the last one first."""
        chain, key = position
        while True:
            key -= 1
            entry = next((e for e in self.skipped if e.position == (chain, key)), None)
            if not entry: return
            yield entry

    def discarded(self, entries, frame):
        """Marks the keys that the sender most likely discarded for a frame. Returns how many of them counted
        as missing."""
        found = 0
        for entry in entries:
            if not is_unusable(encrypt(entry.key, frame)): break
            found += entry.is_missing
            entry.is_missing = False
        return found

    def learn_next_key(self, next_key):
        if next_key != self.their_next: self.their_next, self.is_pending = next_key, True

    def done(self, frame, key, position, is_late, missing):
        """Keeps the key of a message that a later version has made."""
        rest = take_receipt(frame)[1]
        if rest and rest[:6] == COMPRESSED:
            try: decompress(rest[6:150])
            except NewerVersion: self.keep(key, position)
            except Refused: pass
        return Received(frame, position, is_late, missing)

    def keep(self, key, position):
        self.skipped.append(Skipped(key, position, is_missing=False))
        self.skipped.sort(key=lambda entry: entry.position)

    # Receipts

    def receipt(self):
        """The chains of a receipt, newest first: number, from, next, and the runs of skipped numbers."""
        chains = []
        for chain in [self.receiving.chain] + self.retired[::-1]:
            first = min(chain.next, self.complete.get(chain.number, 0))
            numbers = sorted(e.position[1] for e in self.skipped if e.position[0] == chain.number)
            skipped = runs_of(n for n in numbers if first <= n < chain.next)
            chains.append((chain.number, first, chain.next, skipped))
        return chains

    def learn(self, chains):
        """Takes in a receipt of the contact."""
        for chain, key in self.sent:
            state = state_by(chains, chain, key)
            if state and self.told.get((chain, key)) != "read": self.told[chain, key] = state


def runs_of(numbers):
    runs = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1: runs[-1] = (runs[-1][0], n)
        else: runs.append((n, n))
    return runs


def state_by(chains, chain, key):
    """What a receipt says about a message: read, missing, or nothing."""
    newest = chains[0][0]
    for number, first, next, skipped in chains:
        if number != chain or key < first: continue
        if any(low <= key <= high for low, high in skipped): return "missing"
        if key < next: return "read"
        if chain != newest: return "missing"


# Encoding of a receipt

ROWS = [(0, 0, 0), (100, 100, 1), (2975, 123, 3), (1956100, 124, 5)]


def write_number(n):
    for lowest, first, count in reversed(ROWS):
        if n >= lowest:
            rest = digits(n - lowest, count + 1)
            return bytes([first + rest[0]]) + rest[1:]


def chain_numbers(chain, newer):
    """The numbers that encode a chain after a newer one."""
    number, first, next, skipped = chain
    gap = newer[0] - number - 1 if newer else 0
    numbers = [1 + (first > 0) + 2 * (gap > 0) + 4 * len(skipped), next]
    if gap: numbers.append(gap - 1)
    if first: numbers.append(first - 1)
    end = first
    for index, (low, high) in enumerate(skipped):
        numbers += [low - end - (index > 0), high - low]
        end = high + 1
    return numbers


def write_receipt(chains, room=10 ** 9):
    """The symbols of a receipt, and the chains for which there is room."""
    chains = list(chains)
    while True:
        written = write_number(chains[0][0])
        for index, chain in enumerate(chains):
            for n in chain_numbers(chain, chains[index - 1] if index else None): written += write_number(n)
        if len(written) <= room: return written, chains
        if len(chains) > 1:
            chains.pop()
            continue
        number, _, next, skipped = chains[0]
        if not skipped: return None, None
        # A run takes two symbols or more.
        skipped = skipped[max(0, len(skipped) - 1 - room // 2):]
        chains = [(number, skipped[0][1] + 1, next, skipped[1:])]


def read_receipt(receipt):
    """The chains of a receipt."""
    place = 0

    def read():
        nonlocal place
        if place == len(receipt): raise Refused("end")
        lowest, first, count = next(row for row in reversed(ROWS) if receipt[place] >= row[1])
        if place + count >= len(receipt): raise Refused("end")
        n = receipt[place] - first
        for digit in receipt[place + 1:place + 1 + count]: n = n * 125 + digit
        n += lowest
        place += 1 + count
        if n >= 2 ** 32: raise Refused("large number")
        return n

    chains, number = [], read()
    while place < len(receipt):
        if len(receipt) == 143 and chains and not any(receipt[place:]): break
        kind = read() - 1
        if kind < 0: raise Refused("zero")
        end = read()
        if kind & 2:
            if not chains: raise Refused("first chain")
            number -= read() + 2
        elif chains:
            number -= 1
        if number < 0: raise Refused("number of a chain")
        first = read() + 1 if kind & 1 else 0
        skipped, low = [], first
        for index in range(kind // 4):
            low += read() + (index > 0)
            high = low + read()
            skipped.append((low, high))
            low = high + 1
            if low > end: raise Refused("end of a run")
        if first > end: raise Refused("from")
        chains.append((number, first, end, skipped))
    if not chains: raise Refused("no chain")
    return chains
