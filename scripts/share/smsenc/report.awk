# What the table of --sent, SENT, and what waits to be handed over, WAITING (ID TAB CONTACT), say of each row
# that did not arrive for certain: ID TAB CONTACT TAB WHAT TAB TIME TAB REASON. A row is all that has one ID,
# or each SMS without. What stands in other files, with an ID that is in neither, is missing.
function row(id, sms, contact, key) {
    key = id != "-" ? "id " id : "sms " sms
    if (!(key in id_of)) { keys[++rows] = key; id_of[key] = id; contact_of[key] = "-" }
    if (contact_of[key] == "-") contact_of[key] = contact
    return key
}
function became(sms, what, when, why) {
    if (sms != "-" && fate[sms] != "delivered") { fate[sms] = what; time[sms] = when; reason[sms] = why }
}

# Reports that tell a number and a reference of the network, and not which SMS has it. The network counts its
# references up, from 0 to 255 and round: the right one of the SMS, in the order in which they were sent, is
# as far from its reference as those of other reports are from theirs. Each report votes for all distances
# that it may have; where two have as many votes it is neither.
function distance(report, place) { return (reference[report] - place + 256 * accepted) % 256 }
function vote(report, i, place) {
    for (i = count_to[whom[report]]; i > 0; i--) {
        place = sent_to[whom[report], i]
        if (place <= after[report] - 256) return
        if (place > after[report] || place in told) continue
        votes[distance(report, place)]++
        voted[report] = voted[report] " " distance(report, place)
    }
}
function take_back(report, i, count, each) {
    count = split(voted[report], each, " ")
    for (i = 1; i <= count; i++) votes[each[i]]--
    voted[report] = ""
}
function decide(report, i, place, most, best) {
    for (i = count_to[whom[report]]; i > 0; i--) {
        place = sent_to[whom[report], i]
        if (place <= after[report] - 256) break
        if (place > after[report] || place in told || votes[distance(report, place)] < most) continue
        best = votes[distance(report, place)] == most ? "" : place
        most = votes[distance(report, place)]
    }
    if (best == "") return
    take_back(report)
    told[best] = 1; votes[distance(report, best)]++; voted[report] = distance(report, best)
    became(sms_at[best], what_of[report], when_of[report], "-")
}
# By the 64 reports before it and after: a modem that is started anew counts anew.
function decide_all(i) {
    for (i = 1; i <= reports + 64; i++) {
        if (i <= reports) vote(i)
        if (i > 128) take_back(i - 128)
        if (i > 64) decide(i - 64)
    }
}

BEGIN { FS = OFS = "\t" }
FILENAME == ENVIRON["sent"] {
    if (!is_line()) next
    if ($2 == "accepted") {
        who = subscriber($5)
        sent_to[who, ++count_to[who]] = ++accepted; sms_at[accepted] = $6
    }
    if ($6 == "-" && $5 != "-") {
        if ($2 == "accepted") next
        whom[++reports] = subscriber($5); reference[reports] = $7; after[reports] = accepted
        what_of[reports] = $2; when_of[reports] = $1
        next
    }
    sms = $6 == "-" ? FNR : $6
    if (!(sms in known)) {
        known[sms] = 1; key = row($3, sms, $4)
        # What goes out in another run is the row once more.
        run = $6; sub(/-.*/, "", run)
        if (run != run_of[key]) members[key] = ""
        run_of[key] = run; members[key] = members[key] " " sms
    }
    became(sms, $2, $1, $8)
    next
}
FILENAME == ENVIRON["waiting"] { absent[row($1, "waiting " FNR, $2)] = "it waits to be handed over"; next }
$1 != "" {
    is_new = !(("id " $1) in id_of)
    key = row($1, "", NF < ENVIRON["field"] ? "-" : $(ENVIRON["field"] - 1))
    if (is_new) absent[key] = "nothing is known of it"
}
END {
    decide_all()
    for (i = 1; i <= rows; i++) {
        key = keys[i]; what = ""
        count = split(members[key], each, " ")
        for (j = 1; j <= count && what != "failed"; j++) {
            if (fate[each[j]] == "delivered") continue
            what = fate[each[j]] == "failed" ? "failed" : "unconfirmed"
            last = time[each[j]]; why = reason[each[j]]
        }
        if (what != "failed" && key in absent) { what = "missing"; last = "-"; why = absent[key] }
        if (what == "") continue
        print id_of[key], contact_of[key], what, last, why
        listed = 1
    }
    exit listed
}
