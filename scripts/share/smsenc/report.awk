# Prints the report or the summary. The input consists of contacts, an empty line, and the paths of SMS (see smsenc-report and
# queue.bash).
BEGIN {
    FS = OFS = "\t"; summary = ENVIRON["summary"] != ""; is_terminal = ENVIRON["is_terminal"] != ""; since = ENVIRON["since"]
    for (i = split("read delivered sent waiting missing failed", words, " "); i > 0; i--) rank[words[i]] = i
}
!has_contacts && $0 == "" { has_contacts = 1; next }
!has_contacts { name[$1] = $2; last[$1] = $3 OFS $4 OFS $5; contacts[++people] = $1; next }
{
    levels = split($1, path, "/"); split(path[levels], part, "-")
    if (part[7] == "receipt") next
    state = path[1]
    if (state == "out") state = part[10] == "" ? "waiting" : "sent"
    if (state == "handed") state = "sent"
    time = part[10]; contact = "#" part[5]
    if (since != "" && time != "" && time < since) next
    if (summary) {
        if (!(contact in sent) && !(contact in name)) { contacts[++people] = contact; name[contact] = contact; last[contact] = "-\t-\t-" }
        sent[contact] += state != "waiting" && state != "failed"; count[contact, state]++
        next
    }
    key = part[7] == 0 ? part[1] "-" part[2] : part[7]
    # If a row with an ID was sent again in a later run, only the SMS of that run count.
    if (!(key in run)) keys[++rows] = key
    else if (part[1] < run[key]) next
    else if (part[1] > run[key]) worst[key] = ""
    run[key] = part[1]
    if (rank[state] >= rank[worst[key]]) { worst[key] = state; file[key] = $1; at[key] = time; line[key] = substr($0, length($1) + 2) }
}
function print_row(key, field, when) {
    split(line[key], field, "\t")
    when = at[key] == "" ? "-" : substr(at[key], 1, 4) "-" substr(at[key], 5, 2) "-" substr(at[key], 7, 5) ":" substr(at[key], 12, 2) ":" substr(at[key], 14)
    add(field[2] OFS (field[3] in name ? name[field[3]] : field[3]) OFS worst[key] OFS when OFS (worst[key] == "failed" ? field[1] : "-"))
}
# Adds a line to the report. On a terminal, the columns are aligned.
function add(text, i, cell) {
    if (!is_terminal) { print text; return }
    output[++lines] = text
    for (i = split(text, cell, "\t"); i > 0; i--) if (characters(cell[i]) > width[i]) width[i] = characters(cell[i])
}
END {
    if (is_terminal) add(summary ? "CONTACT\tSENT\tREAD\tMISSING\tFAILED\tRECEIVED\tNOT ARRIVED\tLAST HEARD" : "ID\tCONTACT\tSTATE\tTIME\tREASON")
    for (i = 1; i <= people && summary; i++) {
        id = contacts[i]
        add(name[id] OFS sent[id] + 0 OFS count[id, "read"] + 0 OFS count[id, "missing"] + 0 OFS count[id, "failed"] + 0 OFS last[id])
        needs_person += count[id, "missing"] + count[id, "failed"]
    }
    least = ENVIRON["all"] == "" ? 4 : 1
    for (j = 1; j <= rows && !summary; j++) {
        key = keys[j]
        if (line[key] != "" || rank[worst[key]] < least) continue
        if ((getline line[key] <file[key]) < 0) exit 3
        close(file[key])
    }
    for (i = 6; i >= least && !summary; i--) {
        for (j = 1; j <= rows; j++) {
            if (worst[keys[j]] != words[i]) continue
            print_row(keys[j])
            if (i > 3) needs_person++
        }
    }
    for (i = 1; i <= lines && (lines > 1 || summary); i++) {
        n = split(output[i], cell, "\t")
        for (j = 1; j <= n; j++)
            printf "%s%s", cell[j], j < n ? sprintf("%" (width[j] - characters(cell[j]) + 2) "s", "") : "\n"
    }
    exit needs_person > 0
}
