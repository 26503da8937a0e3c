# A number without what is dialled before it, which not everybody writes: its last nine digits.
function subscriber(number) {
    gsub(/[^0-9]/, "", number)
    return length(number) > 9 ? substr(number, length(number) - 8) : number
}
