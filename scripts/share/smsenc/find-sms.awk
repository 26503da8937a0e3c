# Finds the SMS of a delivery report. Reads the sent file from its end. The report contains the NAME of the SMS, the
# reference of the daemon, or the NUMBER and the REFERENCE of the network, which the network later uses again. Prints
# ID TAB CONTACT TAB NUMBER TAB SMS. Prints nothing if the last line of the SMS already has that STATUS.
BEGIN { FS = "\t"; OFS = "\t"; name = ENVIRON["name"]; number = ENVIRON["number"] }
is_line() && $6 != "-" {
    if (!(name != "" ? $6 == name || $7 == name : $7 == ENVIRON["reference"] && subscriber($5) == subscriber(number)))
        next
    if ($2 != ENVIRON["status"]) print $3, $4, $5, $6
    exit
}
