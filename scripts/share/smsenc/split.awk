# Writes the files of a batch to SPLIT/{inbox,parts,unread,run}. Prints the names of files in parts/ and unread/ that are no
# longer needed, and a last line. Reads the files tmp/NAME.PID, which inbox.bash has written. Exits with 3 if a new SMS could
# not be decrypted. Needs printable.awk.
function path(name) { return "tmp/" name "." ENVIRON["pid"] }
function put(folder, name, text, file) {
    file = ENVIRON["split"] "/" folder "/" name
    print text >file
    if (close(file) != 0) exit 2
}
# Reads the next line of a file. Exits with 2 if the file cannot be read.
function read(file, got) {
    got = (getline <file)
    if (got < 0) exit 2
    return got
}
function is_kept(name, contact, age) {
    age = name in since ? ENVIRON["now"] - since[name] : 0
    # If the time is far in the future, the clock was wrong.
    if (age < 0) age = -age
    return age < ENVIRON[contact in gets_receipts ? "wait_for_resent" : "wait"]
}
# Returns true if a text is one part of a message. smsenc-frame prints such a text while other parts are missing.
function is_part_text(text, field) {
    return text ~ /^[1-9][0-9]?\/[1-9][0-9]?:[0-9][0-9][0-9][0-9] / && split(text, field, /[\/:]/) &&
        field[1] + 0 <= field[2] + 0 && field[2] > 1
}
BEGIN {
    FS = OFS = "\t"
    while ((getline <path("receipts")) > 0) gets_receipts[$1] = 1
    while (read(path("unread"))) if (NF == 4) was_unread[$1] = 1
    while (read(path("in"))) { order[++count] = $1; time[$1] = $2; sender[$1] = $3; text[$1] = $5 }
    if (!read(path("total")) || $1 != count + 0) exit 2
    while (read(path("status"))) { status[$2] = $3; missing[$2] = $4; reason[$2] = $5 }
    while (read(path("parts"))) {
        since[$2] = $1; part[$2] = $2 "-" substr($6, 2) "-" $5
        line_of[$2] = $2 OFS $3 OFS $4 OFS $6 OFS $5 OFS $7 OFS "part"
    }
    while (read(path("undecoded")))
        if (match($0, /\[[0-9]+\.[0-9]+h?\]/)) undecoded[substr($0, RSTART + 1, RLENGTH - 2)] = 1
    # A message that has arrived twice is only once in the file of frames.
    while (read("batch/read")) decrypted[$1] = 1
    close("batch/read")
    while (read(path("frames"))) {
        frame[$1] = $0; decrypted[$1] = 1
        if ($1 in undecoded) {
            put("unread", $1, $1 OFS $2 OFS $3 OFS clean($6))
            said($1, "the frame cannot be decoded; a newer version of smsenc may be needed"); result = 1
        }
    }
    while (read(path("messages"))) {
        name = $1
        if (is_part_text($6) && is_kept(name, $5)) {
            if (!(name in part)) put("parts", name "-" substr($5, 2) "-" $4, ENVIRON["now"] OFS frame[name])
            waits[name] = 1
            if (!(name in part) && (name ~ /h$/ || ENVIRON["verbose"] == "true"))
                said(name, "part " substr($6, 1, index($6, ":") - 1) " is waiting for the other parts")
            continue
        }
        put("inbox", name "-" substr($5, 2) "-" $4, $2 OFS $5 OFS $6)
        if (ENVIRON["run"] != "")
            put("run", name "-" substr($5, 2) "-" $4 ".0", $2 OFS $5 OFS $3 OFS (missing[name] > 0 ? missing[name] : 0) OFS $6)
    }
    for (name in part) if (!(name in waits)) { print "parts/" part[name]; print line_of[name] >>"batch/read" }
    if (close("batch/read") > 0) exit 2
    for (i = 1; i <= count; i++) {
        name = order[i]
        if (name in decrypted || status[name] ~ /^(read|receipt)$/) {
            if (name in was_unread) print "unread/" name
            if (name ~ /h$/ && status[name] == "read") result = 1
            is_found[text[name]] = 1
        }
        else if (status[name] ~ /^(|ok|late|again)$/) exit 2
        else if (!(name in was_unread)) {
            if (ENVIRON["searches"] == "true") { sought[name] = 1; continue }
            result = 1
            if (name !~ /h$/) put("unread", name, name OFS time[name] OFS sender[name] OFS text[name])
        }
    }
    for (name in sought) if (!(text[name] in is_found)) result = 1
    for (i = 1; i <= count; i++) {
        name = order[i]
        if (reason[name] == "" || name in sought) continue
        if (name in was_unread && status[name] !~ /^(ok|late|again)$/) continue
        if (ENVIRON["verbose"] == "false" && status[name] ~ /^(late|read)$/ && name !~ /h$/) continue
        said(name, reason[name])
    }
    # What smsenc-pad said about the contacts, and not about single SMS.
    while (read(path("said"))) if (!/\[[0-9]+\.[0-9]+h?\]/) print clean($0) >"/dev/stderr"
    print "."
    exit result ? 3 : 0
}
function said(name, why) {
    print ENVIRON["name"] ": SMS from " printable(sender[name]) (time[name] == "-" ? "" : " at " printable(time[name])) ": " printable(why) >"/dev/stderr"
}
