"""What is put through the tools: made once, from a fixed seed, and kept in .build/bench."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

# What the alphabet of GSM has beyond ASCII, as people write it, and what they write that it lacks.
GSM_BEYOND_ASCII = "éèùìòÇøåäöñüàÄÖÜß§¿¡£"
NOT_GSM = "“”’–…êçšłя🙂"

WORDS = """the road to clinic is closed at bridge take river bring water fuel and blue box for kids
meet north gate before dawn call when you are there truck four has left with medicine send two
drivers rice oil blankets arrived safe all well no signal since noon wait until further news market
camp school doctor needs blood type how many people came today please confirm number of boxes
Gate 6, 06:00 (north) +27 82 123 4567 No. 17 OK? yes! 300 km @ noon""".split()


def message(chance: random.Random, least: int = 20, most: int = 144) -> str:
    """A message of so many characters of ASCII, in words."""
    length = chance.randint(least, most)
    text = ""
    while len(text) <= length:
        text += chance.choice(WORDS) + " "
    return text[:length].rstrip()


def with_character(chance: random.Random, text: str, characters: str) -> str:
    """The text with one of its characters replaced by one of these."""
    place = chance.randrange(len(text))
    return text[:place] + chance.choice(characters) + text[place + 1 :]


def messages(count: int, seed: str, beyond_ascii: float = 0.15, not_gsm: float = 0) -> Iterator[str]:
    """Messages of which a share have a character beyond ASCII, and a share one beyond GSM."""
    chance = random.Random(seed)
    for _ in range(count):
        text = message(chance)
        draw = chance.random()
        if draw < not_gsm:
            text = with_character(chance, text, NOT_GSM)
        elif draw < beyond_ascii:
            text = with_character(chance, text, GSM_BEYOND_ASCII)
        yield text


# What messages in one script are made of, by how much of the languages that script leaves over.
SCRIPTS = {
    "Latin": WORDS,
    "Cyrillic": """дорога к больнице закрыта у моста возьми воду и синий ящик для детей встретимся до
рассвета позвони когда будешь на месте врач нужен сегодня сколько человек пришло жди новостей""".split(),
    "Greek": "ο ποταμός φούσκωσε πάλι και δεν μπορούμε να περάσουμε φέρε νερό και ψωμί".split(),
    "Hebrew": "הדרך לבית החולים סגורה ליד הגשר קח מים ולחם לילדים ניפגש מחר בבוקר".split(),
    "Arabic": "الطريق إلى المستشفى مغلق عند الجسر خذ الماء والخبز للأطفال نلتقي غدا صباحا".split(),
    "Ethiopic": "ወደ ሆስፒታል የሚወስደው መንገድ ተዘግቷል ውሃ እና ዳቦ ይዘህ ና ነገ ጠዋት እንገናኝ".split(),
    "Devanagari": "नदी फिर बढ़ गई है हम पार नहीं कर सकते पानी और रोटी लेकर सुबह आना".split(),
    "Bengali": "হাসপাতালের রাস্তা সেতুর কাছে বন্ধ শিশুদের জন্য পানি আর রুটি নিয়ে সকালে এসো".split(),
    "Tamil": "மருத்துவமனைக்கு செல்லும் சாலை பாலம் அருகே மூடப்பட்டது தண்ணீர் கொண்டு வா".split(),
    "Thai": "ถนนไปโรงพยาบาลปิดที่สะพาน เอาน้ำและขนมปังมาให้เด็ก พบกันพรุ่งนี้เช้า".split(),
    "Burmese": "ဆေးရုံသွားတဲ့လမ်း တံတားနားမှာ ပိတ်ထားတယ် ရေနဲ့ မုန့် ယူလာပါ မနက်ဖြန် တွေ့မယ်".split(),
    "Korean": "병원으로 가는 길이 다리에서 막혔어요 물과 빵을 가져오세요 내일 아침에 만나요".split(),
    "Japanese": "病院への 道は 橋で 通れません 水と パンを 持ってきて ください 明日の 朝に".split(),
    "Chinese": "去医院的路 在桥边 不通 请带水 和面包来 明天早上见 给孩子们".split(),
    "no letters": "18:30 – 20:15 +27 82 123 4567 100 000 € 3/4 😀 👍 … 2026-11-22 06:00".split(),
}


def foreign_messages(count: int, script: str, length: int) -> Iterator[str]:
    """Messages of so many characters that are not all of GSM, in words of a script."""
    chance = random.Random(script)
    for _ in range(count):
        text = "“"
        while len(text) < length:
            text += chance.choice(SCRIPTS[script]) + " "
        yield text[: length - 1] + "”"


class Inputs:
    """The folder where they are kept."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def kept(self, name: str, write: Callable[[Path], None]) -> Path:
        """The file of that name, written first if it is not there."""
        path = self.folder / name
        if not path.exists():
            part = path.with_name(name + ".part")
            part.unlink(missing_ok=True)
            write(part)
            os.replace(part, path)
        return path

    def lines(self, name: str, lines: Callable[[], Iterator[str]], repeats: int = 1) -> Path:
        def write(path: Path) -> None:
            data = "".join(line + "\n" for line in lines()).encode()
            with path.open("wb") as file:
                for _ in range(repeats):
                    file.write(data)

        return self.kept(name, write)

    def bulk(self, not_gsm: float = 0) -> Path:
        """Some 200 MB of lines of which 15 % have a character beyond ASCII."""
        # 20 MB, ten times over: too much to stay in a processor's cache, and quickly made.
        return self.lines(
            f"bulk-{not_gsm:g}", lambda: messages(240_000, "bulk", not_gsm=not_gsm), repeats=10
        )

    def messages(self, count: int) -> Path:
        return self.lines(f"messages-{count}", lambda: messages(count, "messages"))

    def foreign_messages(self, count: int, script: str, length: int = 110) -> Path:
        name = f"messages-{script.replace(' ', '-')}-{count}-{length}"
        return self.lines(name, lambda: foreign_messages(count, script, length))

    def one_line(self) -> Path:
        return self.lines("one-line", lambda: messages(1, "one", beyond_ascii=0))

    def table(self, contacts: int, each: int, order: str = "sorted") -> Path:
        """CONTACT TAB MESSAGE, the contacts in that order."""

        def lines() -> Iterator[str]:
            numbers = contact_numbers(contacts, each, order)
            for number, text in zip(numbers, messages(len(numbers), "table"), strict=True):
                yield f"{contact_name(number)}\t{text}"

        return self.lines(f"table-{contacts}x{each}-{order}", lines)


def contact_name(number: int) -> str:
    return f"contact {number:07d}"


def contact_numbers(contacts: int, each: int, order: str) -> list[int]:
    """Whose messages are in turn: contact by contact, in rounds of one to each, or mixed, in no order."""
    if order == "rounds":
        return [i for _ in range(each) for i in range(contacts)]
    numbers = [i for i in range(contacts) for _ in range(each)]
    if order == "mixed":
        random.Random("mixed").shuffle(numbers)
    return numbers
