# Sorts the results of a batch of received SMS into BATCH/for-inbox, BATCH/for-unread and BATCH/for-waiting (parts whose
# other parts have not arrived). Reads the SMS from BATCH/in. BATCH/read lists those that were decrypted, and
# BATCH/messages has the messages that smsenc-frame decoded. Needs printable.awk.
function without_name(line) { sub(/\t[^\t]*/, "", line); return line }
BEGIN {
    batch = ENVIRON["batch"]; inbox = batch "/for-inbox"; unread = batch "/for-unread"
    while ((getline <(batch "/fates")) > 0) fate[$1] = $2
    while ((getline <(batch "/read")) > 0) new[$2] = 1
    while ((getline <(batch "/in")) > 0) number[$2] = $3
    close(batch "/in")
    while ((getline <(batch "/frames")) > 0) { frame[++count] = $0; place[$2] = count }
    while ((getline <(batch "/unpacked")) > 0) {
        became[$1] = $3
        if ($3 == "ok" || $3 == "part") continue
        # The SMS is genuine, but its frame cannot be decoded.
        split(frame[$1], field)
        print clean(field[1] "\t" field[4] "\t" field[5]) >unread
        print ENVIRON["name"] ": " printable(field[1]) ": " $5 >"/dev/stderr"
    }
    # Add the messages that are missing before the parts of a message to those that are missing before the message.
    # Its line has only the number of the part that completed it, which usually came late.
    while ((getline <(batch "/messages")) > 0) {
        stands[$2] = 1
        if (became[place[$2]] == "ok" && (!($4 in taker) || $3 < least[$4])) { taker[$4] = $2; least[$4] = $3 }
    }
    close(batch "/messages")
    for (i = 1; i <= count; i++) {
        split(frame[i], field)
        if (became[i] == "part" && !(field[2] in stands)) owed[taker[field[4]]] += field[3]
    }
    while ((getline <(batch "/messages")) > 0) {
        split($2, since, ".")
        age = ENVIRON["now"] - since[1]
        # A part from the far future arrived while the clock was wrong.
        if (became[place[$2]] == "part" && age < ENVIRON["wait"] && -age < ENVIRON["wait"]) {
            print frame[place[$2]] >(batch "/for-waiting")
            if ($2 in new)
                print ENVIRON["name"] ": part " substr($5, 1, index($5, ":") - 1) " from " printable($4) \
                    " waits for the others" >"/dev/stderr"
            continue
        }
        $1 = printable($1)
        missing = $3 + (owed[$2] > 0 ? owed[$2] : 0)
        if (missing < 0) missing = 0
        if (missing && ENVIRON["gaps"] != "")
            print $1 "\t-\t" (missing == 1 ? "1 message" : missing " messages") " of " $4 " before this one " \
                (missing == 1 ? "has" : "have") " not come" >inbox
        print $1 "\t" $4 "\t" $5 >inbox
        if (ENVIRON["run"] != "")
            print $2 "\t" $1 "\t" $4 "\t" ($2 in number ? number[$2] : "-") "\t" missing "\t" $5 >(batch "/for-run")
    }
}
!($2 in new) && fate[$2] != "read" { print clean(without_name($0)) >unread }
