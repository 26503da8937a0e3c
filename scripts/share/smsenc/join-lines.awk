# Finds SMS in text that was copied from a terminal, a chat app or a mail program, and prints each on one line.
#
# Consecutive lines that have 160 characters together are one SMS. A space at a line break may be missing. Other lines
# are tried again after repairs, which remove the quote marks of email, decode HTML entities, and remove a prefix such as
# `Amina: `. Lines that are not part of an SMS are printed unchanged. Needs LC_ALL=C and entities.awk.
BEGIN { lines = 0 }

function trimmed(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }

# Removes the same invisible characters as smsenc-pad, and replaces all kinds of spaces by ordinary spaces.
function visible(text) {
    gsub(/\302\255|\342\200[\213-\217\252-\256]|\342\201[\240-\251]|\357\273\277/, "", text)
    gsub(/\302\240|\342\200\257/, " ", text)
    return text
}

# Returns a line after repairs. `repairs` is the sum of these numbers: 0 to 3, the number of quote marks to remove (further
# quote marks belong to the SMS); 4 to decode entities; 8 to remove a prefix from the first line.
function repaired(text, repairs, is_first, i) {
    if (int(repairs / 4) % 2) text = visible(without_entities(text))
    for (i = repairs % 4; i > 0; i--) sub(/^[ \t]*>[ \t]?/, "", text)
    if (repairs > 7 && is_first && match(text, /: /)) text = substr(text, RSTART + 2)
    return text
}

# Returns the SMS that consists of the lines, or "". Sets `size` to the number of characters in the lines, without spaces at
# line breaks.
function sms(first, last, repairs, i, part, whole, raw, spaced) {
    for (i = first; i <= last; i++) {
        part = repaired(line[i], repairs, i == first)
        whole = whole trimmed(part)
        raw = raw part
        spaced = spaced (i > first ? " " : "") trimmed(part)
    }
    raw = trimmed(raw)
    size = characters(whole)
    return size == 160 ? whole : characters(raw) == 160 ? raw : characters(spaced) == 160 ? spaced : ""
}

# Finds the SMS in a range of lines, and returns their number. Sets `text[1]` to `text[count]` to the SMS and to the lines that
# are not part of an SMS, in order. `origin[i]` is 0 for an SMS, and otherwise the line number.
function search(first, last, repairs, end, found, total) {
    count = total = 0
    while (first <= last) {
        found = ""
        for (end = first; end <= last; end++) {
            # A line that is an SMS by itself is not joined with other lines.
            if (end > first && sms(end, end, repairs) != "") { end = last; continue }
            found = sms(first, end, repairs)
            if (found != "" || size > 160) break
        }
        text[++count] = found == "" ? line[first] : found
        origin[count] = found == "" ? first : 0
        if (found != "") { total++; first = end }
        first++
    }
    return total
}

# Tries several repairs on lines in which no SMS was found, and prints the result of the repairs that reveal the most SMS. Lines
# that still are not part of an SMS are printed unchanged.
function print_repaired(first, last, i, repairs, best, found, most) {
    if (first == 0) return
    most = best = 0
    for (repairs = 1; repairs < 16; repairs++) {
        found = search(first, last, repairs)
        if (found > most) { most = found; best = repairs }
    }
    search(first, last, best)
    for (i = 1; i <= count; i++) print text[i]
}

{
    sub(/\r$/, "")
    # Some terminals put these marks around text that is pasted.
    gsub(/\033\[20[01]~/, "")
    $0 = visible($0)
    if ((trimmed($0) ~ /^".*"$/ || trimmed($0) ~ /^\342\200\234.*\342\200\235$/) && characters(trimmed($0)) == 162) {
        $0 = trimmed($0)
        sub(/^("|\342\200\234)/, "")
        sub(/("|\342\200\235)$/, "")
    }
}
!/^[ \t]*$/ { line[++lines] = $0 }
END {
    search(1, lines, 0)
    entries = count
    first = 0
    for (i = 1; i <= entries; i++) { entry[i] = text[i]; number_of[i] = origin[i] }
    for (i = 1; i <= entries; i++) {
        if (number_of[i]) { last = number_of[i]; if (!first) first = last; continue }
        print_repaired(first, last)
        first = 0
        print entry[i]
    }
    print_repaired(first, last)
}
