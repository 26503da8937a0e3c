# Creates the receipts that are due from the record, which receipts.bash describes. `contacts` is the output of
# smsenc-keyring list. If it is empty, every contact gets receipts.
function is_due(contact, left, age, i) {
    left = tags[contact] - taken[contact]
    if (left == 0 || only != "") return left && contact == only
    # If an SMS arrived after a receipt that did not confirm it, the sender would consider the SMS lost.
    for (i = taken[contact] + 1; i <= tags[contact]; i++)
        if (is_late[contact, i] && time[contact, i] < confirmed[contact]) return 1
    age = now - time[contact, taken[contact] + 1]
    return left >= every || age >= days * 86400 || -age >= days * 86400
}
function is_on(contact) { return contacts == "" || contact in state }
function make(contact, all, i) {
    for (i = 0; i < 33 && taken[contact] < tags[contact]; i++) all = all tag[contact, ++taken[contact]]
    last[contact]++
    receipt[++receipts] = now OFS contact OFS sender[contact] OFS last[contact] OFS all
    made[contact]++
    print contact, "✓" last[contact] ":" all
}
BEGIN {
    FS = OFS = "\t"
    now = ENVIRON["now"]; every = ENVIRON["every"]; days = ENVIRON["days"]; only = ENVIRON["only"]
    number = ENVIRON["number"]; contacts = ENVIRON["contacts"]; new = ENVIRON["new"]
    count = split(contacts, row, "\n")
    for (i = 1; i <= count; i++) { split(row[i], field); if (field[11] == "on") state[field[1]] = field[3] }
}
# Ignore a line that was truncated by a full disk.
NF != 5 || length($5) < 5 || length($5) % 5 { next }
number != "" { if ($2 == only && $4 == number) found = $5; next }
# The sender does not wait for receipts of SMS that are older than this.
!is_on($2) || ($4 !~ /^[0-9]/ && now - $1 > 30 * 86400) { next }
$4 ~ /^[0-9]/ { line[++lines] = $0; place[lines] = ++made[$2]; last[$2] = $4; confirmed[$2] = $1; next }
{ sender[$2] = $3 }
!(($2, $5) in known) {
    known[$2, $5] = 1
    tag[$2, ++tags[$2]] = $5; time[$2, tags[$2]] = $1; is_late[$2, tags[$2]] = $4 == "late"
    if (tags[$2] == 1) order[++people] = $2
    line[++lines] = $0; place[lines] = -tags[$2]
}
END {
    if (number != "") { if (found) print only, "✓" number ":" found; exit !found }
    for (i = 1; i <= people; i++) {
        if (contacts != "" && state[order[i]] !~ /verified$/) continue
        for (most = ENVIRON["most"]; most > 0 && is_due(order[i]); most--) make(order[i])
    }
    for (i = 1; i <= lines; i++) {
        split(line[i], field)
        if (place[i] < 0 ? -place[i] > taken[field[2]] : made[field[2]] - place[i] < 20) print line[i] >new
    }
    # Keep at most 20 of the new receipts.
    for (i = 1; i <= receipts; i++) print receipt[i] >new
}
