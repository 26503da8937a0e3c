# Finds the SMS of a delivery report in the table of --sent, by its NAME or the daemon's ID, or else by its NUMBER and the
# REFERENCE of the network. The network reuses references, so the last match counts. Prints ID TAB CONTACT TAB NUMBER TAB
# SMS, or nothing if the SMS has the status FATE already.
BEGIN { FS = OFS = "\t"; name = ENVIRON["name"]; number = ENVIRON["number"] }
is_line() && $6 != "-" {
    if (!($6 in line)) line[$6] = $3 OFS $4 OFS $5 OFS $6
    fate[$6] = $2
    if (name != "" ? $6 == name || $7 == name : $7 == ENVIRON["reference"] && subscriber($5) == subscriber(number))
        found = $6
}
END { if (found != "" && fate[found] != ENVIRON["fate"]) print line[found] }
