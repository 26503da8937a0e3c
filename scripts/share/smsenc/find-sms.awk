# Finds in the table of --sent the SMS that a report is of: by its NAME, or what the daemon calls it; or by
# its NUMBER and the REFERENCE that the network gave it, which comes round again, so the last. Prints ID TAB
# CONTACT TAB NUMBER TAB SMS; nothing where it has that FATE already.
BEGIN { FS = OFS = "\t"; name = ENVIRON["name"]; number = ENVIRON["number"] }
is_line() && $6 != "-" {
    if (!($6 in line)) line[$6] = $3 OFS $4 OFS $5 OFS $6
    fate[$6] = $2
    if (name != "" ? $6 == name || $7 == name : $7 == ENVIRON["reference"] && subscriber($5) == subscriber(number))
        found = $6
}
END { if (found != "" && fate[found] != ENVIRON["fate"]) print line[found] }
