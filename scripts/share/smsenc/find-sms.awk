# Finds the SMS of a delivery report. Reads the table of --sent from its end. The report has the NAME of the SMS or the
# reference of the daemon, or else the NUMBER and the REFERENCE of the network, which the network uses again later. Prints
# ID TAB CONTACT TAB NUMBER TAB SMS. Prints nothing if the last line of the SMS has that STATUS already.
BEGIN { FS = "\t"; OFS = "\t"; name = ENVIRON["name"]; number = ENVIRON["number"] }
is_line() && $6 != "-" {
    if (!(name != "" ? $6 == name || $7 == name : $7 == ENVIRON["reference"] && subscriber($5) == subscriber(number)))
        next
    if ($2 != ENVIRON["status"]) print $3, $4, $5, $6
    exit
}
