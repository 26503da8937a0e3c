# What readers of the table of --sent have in common.

# A number without what is dialled before it, which not everybody writes: its last nine digits.
function subscriber(number) {
    gsub(/[^0-9]/, "", number)
    return length(number) > 9 ? substr(number, length(number) - 8) : number
}

# Whether this is a line of the table; what stands before it in the same line was cut by a full disk or a power cut.
function is_line(i, extra) {
    if (NF < 8) return 0
    extra = NF - 8
    if (extra) { for (i = 1; i <= 8; i++) $i = $(i + extra); NF = 8 }
    if (length($1) > 20) $1 = substr($1, length($1) - 19)
    return 1
}
