# Gives each line of what has come, FILE by FILE, a name behind its first field, by which it is known in
# all that follows. Of lists it leaves out what PART/seen says that an earlier one had; BATCH/seen says
# what was had then. NOW is the name of what has none.
BEGIN {
    while ((getline line <(ENVIRON["part"] "/seen")) > 0) {
        match(line, /^[0-9]*/)
        count = substr(line, 1, RLENGTH); line = substr(line, RLENGTH + 2)
        order[++last] = line; had[line] = count
    }
}
FNR == 1 {
    name = FILENAME
    polled = name ~ /\/polled\.[^\/]*$/
    if (!sub(/.*\/(sms|polled)\./, "", name)) name = ENVIRON["now"] ".retry"
    split("", times)
}
{ sub(/\r$/, "") }
polled {
    # A line may stand there twice; it is had twice then.
    changed = 1
    if (++times[$0] <= had[$0] + 0) next
    order[++last] = $0; had[$0] = times[$0]
}
{
    place = index($0, "\t")
    if (!place) place = length($0) + 1
    # In digits enough that names are in the order of lines.
    print substr($0, 1, place - 1) "\t" name sprintf(".%07d", FNR) substr($0, place)
}
END {
    if (!changed) exit
    seen = ENVIRON["batch"] "/seen"
    printf "" >seen
    # The newest: no list that is asked for is longer than this.
    for (i = last; i > 0 && last - i < 10000; i--)
        if (!(order[i] in kept)) { kept[order[i]] = 1; first = i }
        else order[i] = ""
    for (i = last - 9999 > 1 ? last - 9999 : 1; i <= last; i++)
        if (order[i] != "") print had[order[i]] "\t" order[i] >seen
}
