# Sorts the results of a batch into the files BATCH/for-*, which contain lines for the inbox, the unread file, the record of
# receipts, the sent file, and the file of waiting lines. Reads all SMS from BATCH/in, the decrypted SMS from BATCH/read,
# and the messages that smsenc-frame decoded from stdin. Needs printable.awk.
function without_name(line) { sub(/\t[^\t]*/, "", line); return line }
# Returns true if a line has waited long enough since its name was created. A time in the far future comes from a wrong
# clock.
function has_waited(name, part, age) {
    split(name, part, ".")
    age = now - part[1]
    return age >= ENVIRON["wait"] || -age >= ENVIRON["wait"]
}
# Fills COUNT places in the gaps of a contact, beginning with the latest gap. Returns the time at which the last of these
# gaps was detected.
function fill(contact, count, i, taken, name, since) {
    since = now
    for (i = gaps; i > 0 && count > 0; i--) {
        if (gap_contact[i] != contact || gap_size[i] == 0) continue
        taken = gap_size[i] < count ? gap_size[i] : count
        gap_size[i] -= taken; count -= taken
        split(gap_name[i], name, "."); since = name[1]
    }
    return since
}
# Returns true if a text is a part of a message, which smsenc-frame prints while other parts are missing.
function is_part(text, field) {
    return text ~ /^[1-9][0-9]?\/[1-9][0-9]?:[0-9][0-9][0-9][0-9] / && split(text, field, /[\/:]/) &&
        field[1] + 0 <= field[2] + 0 && field[2] > 1
}
function add_gap(name, size, contact, time) {
    gap_name[++gaps] = name; gap_size[gaps] = size; gap_contact[gaps] = contact; gap_time[gaps] = time
}
# MARK is the tag of an SMS, or -, followed by a space and the sender. SINCE is the time at which the SMS arrived, or at
# which it was found missing.
function has_tag(mark) { return mark !~ /^- / }
function record(contact, mark, since) {
    if (has_tag(mark))
        print since, contact, substr(mark, 7), since < now ? "late" : "-", substr(mark, 1, 5) >(batch "/for-receipts")
}
BEGIN {
    OFS = FS; now = ENVIRON["now"]
    batch = ENVIRON["batch"]; inbox = batch "/for-inbox"; unread = batch "/for-unread"; waiting = batch "/for-waiting"
    while ((getline <(batch "/in")) > 0) sender[$2] = $3
    close(batch "/in")
    while ((getline <(batch "/statuses")) > 0) {
        status[$1] = $2
        # Confirm a double again that a receipt has confirmed before.
        if ($5 != "") record($5, $4 " " sender[$1], now)
    }
    while ((getline <(batch "/read")) > 0) new[$2] = 1
    while ((getline <(ENVIRON["part"] "/waiting")) > 0) {
        if ($1 == "gap") add_gap($2, $3, $4, $5)
        if ($1 == "receipt") print $2, $3, $4, $5 >(batch "/for-sent")
    }
    # Messages that were missing before the parts of a message are missing before the whole message. The line of the
    # message has the name of its last part, which usually arrived late.
    while ((getline <"/dev/stdin") > 0) {
        message[++messages] = $0; stands[$2] = 1
        if (!is_part($6) && (!($5 in taker) || $3 < least[$5])) { taker[$5] = $2; least[$5] = $3 }
    }
    # These SMS were decrypted, but their frames could not be decoded.
    while ((getline <(batch "/rejected")) > 0) { stands[$2] = 1; print clean($1 "\t" $5 "\t" $6) >unread }
    while ((getline <(batch "/frames")) > 0) {
        frame[$2] = $0
        if (!($2 in stands)) { owed[taker[$5]] += $3; record($5, $4, now) }
    }
    for (i = 1; i <= messages; i++) {
        $0 = message[i]
        if (is_part($6) && !has_waited($2)) {
            print "part", frame[$2] >waiting
            if ($2 in new && ENVIRON["verbose"] != "")
                print ENVIRON["name"] ": part " substr($6, 1, index($6, ":") - 1) " from " printable($5) \
                    " is waiting for the other parts" >"/dev/stderr"
            continue
        }
        $1 = printable($1)
        missing = $3 + (owed[$2] > 0 ? owed[$2] : 0)
        since = fill($5, -missing)
        if (missing < 0) missing = 0
        if (missing && (ENVIRON["gaps"] != "" || has_tag($4))) add_gap($2, missing, $5, $1)
        if ($6 ~ /^✓[1-9][0-9]*:[0-9a-f]+$/ && (tags = substr($6, index($6, ":") + 1)) != "" &&
            length(tags) % 5 == 0 && length(tags) <= 165) {
            split($2, came, ".")
            print came[1], $5, substr($6, 4, index($6, ":") - 4), tags >(batch "/for-sent")
            continue
        }
        print $1, $5, $6 >inbox
        record($5, $4, since)
        if (ENVIRON["run"] != "") print $2, $1, $5, substr($4, index($4, " ") + 1), missing, $6 >(batch "/for-run")
    }
    for (i = 1; i <= gaps; i++) {
        if (gap_size[i] == 0) continue
        if (!has_waited(gap_name[i])) print "gap", gap_name[i], gap_size[i], gap_contact[i], gap_time[i] >waiting
        else if (ENVIRON["gaps"] != "") print gap_time[i], "-", gap_size[i] " message" (gap_size[i] == 1 ? "" : "s") " from " gap_contact[i] \
            " before this time " (gap_size[i] == 1 ? "has" : "have") " not arrived" >inbox
    }
}
!($2 in new) && status[$2] != "read" { print clean(without_name($0)) >unread }
