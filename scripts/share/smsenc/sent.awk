# Functions for programs that read the sent file.

# Returns the last nine digits of a number, because not everybody writes the prefixes before them.
function subscriber(number) {
    gsub(/[^0-9]/, "", number)
    return length(number) > 9 ? substr(number, length(number) - 8) : number
}

# Returns true if the current line is a complete line of the file. If a full disk or a power failure has truncated the line
# before it, removes the remains of that line.
function is_line(i, extra) {
    if (NF < 9) return 0
    extra = NF - 9
    if (extra) { for (i = 1; i <= 9; i++) $i = $(i + extra); NF = 9 }
    if (length($1) > 20) $1 = substr($1, length($1) - 19)
    return 1
}

# Returns the tag in the name of an SMS, or `receipt` if the SMS is a receipt.
function tag_of(sms) { sub(/.*-/, "", sms); return sms }

# Returns the seconds since 1970 of a time such as 2026-11-21T08:30:00Z.
function seconds(time, year, month, days) {
    year = substr(time, 1, 4) + 0; month = substr(time, 6, 2) + 0
    if (month < 3) { year--; month += 12 }
    days = 365 * year + int(year / 4) - int(year / 100) + int(year / 400) + int((153 * month - 457) / 5) \
        + substr(time, 9, 2) - 719469
    return ((days * 24 + substr(time, 12, 2)) * 60 + substr(time, 15, 2)) * 60 + substr(time, 18, 2)
}
