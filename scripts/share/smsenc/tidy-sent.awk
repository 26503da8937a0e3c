# Reads the sent file twice, and prints the lines to keep. A ciphertext is removed after its SMS was read or after 30 days.
# SMS that were last sent 62 days ago are moved to a separate file for each month. Receipts are moved after a year.
BEGIN { FS = "\t"; OFS = "\t"; now = ENVIRON["now"] + 0 }
FNR == 1 { pass++ }
!is_line() || $2 == "tidied" { next }
pass == 1 {
    if ($2 == "read") is_read[$6] = 1
    if ($2 == "sent" || $2 == "failed") time[$6] = $1
    next
}
{
    days = (now - seconds($6 != "-" && $6 in time ? time[$6] : $1)) / 86400
    if ($6 in is_read || days >= 30) $9 = "-"
    if (days < ($2 == "receipt" ? 366 : 62)) print
    else print >>(ENVIRON["archive"] substr($1, 1, 7))
}
