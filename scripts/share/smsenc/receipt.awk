# Prints the lines that a receipt adds to the sent file, or nothing if the file already contains the receipt. A tag
# confirms an SMS that was sent to CONTACT in the last 30 days. If several unconfirmed SMS have the tag, none is confirmed.
# The line of the receipt is the last, so that a partly written receipt is added again.
BEGIN {
    FS = "\t"; OFS = "\t"
    tags = ENVIRON["tags"]
    for (i = 1; i < length(tags); i += 5) is_told[substr(tags, i, 5)] = 1
}
!is_line() || $4 != ENVIRON["contact"] { next }
$2 == "receipt" && $7 == ENVIRON["number"] && $8 == tags { is_known = 1 }
$6 == "-" || !(tag_of($6) in is_told) { next }
$2 == "read" { is_read[$6] = 1 }
$2 == "sent" || $2 == "failed" {
    if (!($6 in time)) names[++count] = $6
    time[$6] = $1
    line[$6] = $3 OFS $4 OFS $5 OFS $6
}
END {
    if (is_known) exit
    oldest = seconds(ENVIRON["time"]) - 30 * 86400
    for (i = 1; i <= count; i++) if (!(names[i] in is_read) && seconds(time[names[i]]) >= oldest) fits[tag_of(names[i])]++
    for (i = 1; i <= count; i++) {
        sms = names[i]
        if (sms in is_read || seconds(time[sms]) < oldest) continue
        is_sure = fits[tag_of(sms)] == 1
        print ENVIRON["time"], is_sure ? "read" : "unknown", line[sms], "-",
            is_sure ? "receipt " ENVIRON["number"] : "another SMS has the same tag", "-"
    }
    print ENVIRON["time"], "receipt", "-", ENVIRON["contact"], "-", "-", ENVIRON["number"], tags, "-"
}
