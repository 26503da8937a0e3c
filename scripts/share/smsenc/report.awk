# Determines the state of each SMS in the sent file, SENT, by the rules of smsenc-send(1). WAITING has the SMS that are not
# handed over yet, ID TAB CONTACT TAB CIPHERTEXT. The modes in MODE are:
#   report   prints ID TAB CONTACT TAB STATE TAB TIME TAB REASON of each row that needs manual review, or with ALL of each
#            row. SMS with the same ID are one row, and each SMS without an ID is one row. Other files are tables of rows.
#   contacts prints each contact who did not get an SMS that is lost
#   resend   prints NUMBER TAB CIPHERTEXT of each lost SMS that can be sent again
#   lost     prints the lines of other files whose row contains an SMS that is lost and cannot be sent again
#   summary  prints CONTACT TAB SENT TAB READ TAB LOST of the SMS that were sent since SINCE
# SYNCHRONISED has NAME TAB TIME of the last synchronisation with each of these contacts.

function row(id, sms, contact, key) {
    key = id != "-" ? "id " id : "sms " sms
    if (!(key in id_of)) { keys[++rows] = key; id_of[key] = id; contact_of[key] = "-" }
    if (contact_of[key] == "-") contact_of[key] = contact
    return key
}
function became(sms, what, when, why) {
    if (sms != "-" && status[sms] != "delivered") { status[sms] = what; time[sms] = when; reason[sms] = why }
}

# Some delivery reports contain a number and a reference of the network, but not the name of the SMS. The network counts its
# references from 0 to 255 and then starts again from 0. Therefore the distance between the reference and the place of the
# SMS in the order of sending is nearly the same for all reports. Each report votes for all distances that it can have. The
# distance with the most votes wins. If two distances have equal votes, the report is ignored.
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
# The votes of the 64 reports before and after a report count, because a modem starts a new count when it restarts.
function decide_all(i) {
    for (i = 1; i <= reports + 64; i++) {
        if (i <= reports) vote(i)
        if (i > 128) take_back(i - 128)
        if (i > 64) decide(i - 64)
    }
}

# --- Receipts

# Adds a receipt, which follows the SMS that it confirms in the file. If an earlier receipt has the same number and other
# tags, a new series begins.
function receipt(contact, number, tags, when, key) {
    key = contact SUBSEP series[contact] + 0 SUBSEP number
    if (key in tags_of && tags_of[key] != tags) {
        series[contact]++
        highest[contact] = 0
        key = contact SUBSEP series[contact] SUBSEP number
    }
    tags_of[key] = tags; arrived[key] = when
    newest[key] = confirms[contact, number] + 0
    delete confirms[contact, number]
    if (number > highest[contact]) highest[contact] = number
}
function sent_again(sms, when, contact, ciphertext) {
    if (!(sms in first)) { first[sms] = FNR; sent_at[sms] = when; smses[++count] = sms; who[sms] = contact }
    last[sms] = FNR; times[sms]++
    number_of[sms] = $5
    text[sms] = ciphertext; has[ciphertext] = 1
    highest_then[sms] = highest[contact] + 0; series_then[sms] = series[contact] + 0
    status[sms] = ""
}

# state(SMS): returns the state of the SMS, and sets `why` to the reason.
function state(sms, contact, part, number, missing, is_missing) {
    contact = who[sms]; part = contact SUBSEP series[contact] + 0 SUBSEP; why = reason[sms]
    if (sms in is_read) return "read"
    if (status[sms] == "failed") return "failed"
    why = in_queue
    if (text[sms] in queued) return "waiting"
    if (sms in unsure) { why = unsure[sms]; return "unknown" }
    why = "the receipts from " contact " started again after the SMS was sent"
    if (series_then[sms] != series[contact] + 0) return "unknown"
    # A receipt with a lower number that confirms a later SMS belongs to another series.
    for (number = highest_then[sms]; number > 0; number--) if (newest[part number] > last[sms]) return "unknown"
    for (number = highest_then[sms] + 1; number <= highest[contact]; number++) {
        if (newest[part number] > last[sms]) break
        if (part number in arrived) continue
        is_missing = 1
        # The contact keeps only the last 20 receipts.
        if (number > highest[contact] - 20) missing = missing (missing == "" ? " for receipt " : ", ") number
    }
    if (number <= highest[contact]) {
        why = missing == "" ? "receipts from " contact " are missing" : "ask " contact missing
        if (is_missing) return "unknown"
        why = "its tag is unknown"
        if (tag_of(sms) == "unknown") return "unknown"
        why = "it was sent before " contact " enabled receipts, or it is lost"
        if (!highest_then[sms] && !series_then[sms] && first[sms] < begins[contact] && before[contact] > 10) return "unknown"
        why = can_resend(sms) ? "-" : "encrypt it again; see --lost"
        if (seconds(arrived[part number]) < now - 86400) return "lost"
    }
    why = reason[sms]
    return status[sms] == "delivered" ? "delivered" : "waiting"
}
# Returns true if the same ciphertext can be sent again. The name of an SMS begins with the time of its encryption.
function can_resend(sms, copy) {
    copy = text[sms]
    gsub(/[\200-\277]/, "", copy)
    return length(copy) == 160 && times[sms] < 3 && sms + 0 > now - 30 * 86400 && \
        !(who[sms] in synced && (synced[who[sms]] == "unknown" || sms + 0 < seconds(synced[who[sms]])))
}

BEGIN {
    FS = OFS = "\t"; mode = ENVIRON["mode"]; now = ENVIRON["now"] + 0
    in_queue = "it is waiting to be handed to the route"
    for (i = split("read delivered waiting unknown lost failed", words, " "); i > 0; i--) rank[words[i]] = i
    while ((getline <ENVIRON["synchronised"]) > 0) synced[$1] = $2
    while ((getline <ENVIRON["waiting"]) > 0) {
        if ($3 != "" && $3 != "-") queued[$3] = 1
        waits[++waiting] = $1; waits_for[waiting] = $2; waits_as[waiting] = $3
    }
}
FILENAME == ENVIRON["sent"] {
    if (!is_line() || $2 == "tidied") next
    if ($2 == "accepted") {
        to = subscriber($5)
        sent_to[to, ++count_to[to]] = ++accepted; sms_at[accepted] = $6
    }
    if ($6 == "-" && $2 ~ /^(accepted|delivered|failed)$/ && $5 != "-") {
        if ($2 == "accepted") next
        whom[++reports] = subscriber($5); reference[reports] = $7; after[reports] = accepted
        what_of[reports] = $2; when_of[reports] = $1
        next
    }
    if ($2 == "receipt") { receipt($4, $7 + 0, $8, $1); next }
    sms = $6 == "-" ? "line." FNR : $6
    if (tag_of(sms) == "receipt") next
    if (!(sms in known)) {
        known[sms] = 1; key = row($3, sms, $4)
        # If a row was sent again in another run, only the SMS of that run count.
        run = $6; sub(/-.*/, "", run)
        if (run != run_of[key]) members[key] = ""
        run_of[key] = run; members[key] = members[key] " " sms
    }
    if ($2 == "sent") sent_again(sms, $1, $4, $9)
    if ($2 == "read") {
        is_read[sms] = 1; time[sms] = $1; reason[sms] = $8
        if (sms in first && !(begins[$4] && begins[$4] <= first[sms])) begins[$4] = first[sms]
        sub(/.* /, "", $8)
        if (first[sms] > confirms[$4, $8 + 0]) confirms[$4, $8 + 0] = first[sms]
    } else if ($2 == "unknown") {
        unsure[sms] = $8; time[sms] = $1
    } else if (!(sms in is_read)) {
        became(sms, $2, $1, $8)
    }
    next
}
$1 != "" {
    lines[++tables] = $0; ids[tables] = $1
    is_new = !(("id " $1) in id_of)
    key = row($1, "", NF < ENVIRON["field"] ? "-" : $(ENVIRON["field"] - 1))
    if (is_new) { absent[key] = "unknown"; why_absent[key] = "it is not in the sent file" }
}
END {
    decide_all()
    for (i = 1; i <= count; i++) if (begins[who[smses[i]]] > first[smses[i]]) before[who[smses[i]]]++
    if (mode == "summary") {
        for (i = 1; i <= count; i++) {
            contact = who[smses[i]]
            if (seconds(sent_at[smses[i]]) < ENVIRON["since"] + 0) continue
            if (!(contact in sent_all)) contacts[++all] = contact
            sent_all[contact]++
            what = state(smses[i])
            if (what == "read") read_all[contact]++
            if (what == "lost") lost_all[contact]++
        }
        for (i = 1; i <= all; i++) print contacts[i], sent_all[contacts[i]], read_all[contacts[i]] + 0, lost_all[contacts[i]] + 0
        exit 0
    }
    if (mode == "contacts" || mode == "resend") {
        for (i = 1; i <= count; i++) {
            sms = smses[i]
            if (state(sms) != "lost") continue
            if (mode == "contacts") { if (!met[who[sms]]++) print who[sms] }
            else if (can_resend(sms)) print number_of[sms], text[sms]
            else left++
        }
        exit left > 0
    }
    for (i = 1; i <= waiting; i++) {
        if (waits_as[i] in has) continue
        key = row(waits[i], "waiting " i, waits_for[i])
        absent[key] = "waiting"; why_absent[key] = in_queue
    }
    for (i = 1; i <= rows; i++) {
        key = keys[i]; worst = ""
        for (j = split(members[key], each, " "); j > 0; j--) {
            what = state(each[j])
            if (what == "lost" && !can_resend(each[j])) is_for_table[key] = 1
            if (rank[what] < rank[worst]) continue
            worst = what; at = time[each[j]]; because = why
        }
        if (worst != "failed" && key in absent) { worst = absent[key]; at = "-"; because = why_absent[key] }
        needs_person = rank[worst] > rank["waiting"] || because == in_queue
        if (mode == "report" && (needs_person || ENVIRON["all"] != "")) print id_of[key], contact_of[key], worst, at, because
        if (needs_person) listed = 1
    }
    if (mode == "report") exit listed
    for (i = 1; i <= tables; i++) if (("id " ids[i]) in is_for_table) print lines[i]
}
