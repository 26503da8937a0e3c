# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Prints tables from the sent file for smsenc-send. report.awk describes the modes.

# list MODE FILE [TABLE ...]: runs report.awk in this mode. `folder` contains the data that report.awk needs.
list() {
    local mode=$1 now time table tables=() result=0
    read_clock
    for table in "${@:3}"; do
        # awk would interpret a name that contains = as an assignment.
        case $table in - | /*) tables+=("$table") ;; *) tables+=("./$table") ;; esac
    done
    mode=$mode all=${is_all:-} since=${since:-} now=$now sent=$2 waiting=$folder/waiting synchronised=$folder/synchronised \
        field=$field LC_ALL=C awk -f "$share/sent.awk" -f "$share/report.awk" -- "$2" ${tables[@]+"${tables[@]}"} || result=$?
    ((result < 2)) || die 66 "a table cannot be read"
    return "$result"
}

# look_up FILE: finds the SMS of FILE that are not handed over yet.
look_up() {
    local run left path
    for run in "$spool"/run.*; do
        [[ -O $run && ! -L $run && -s $run/note ]] || continue
        { IFS= read -r left && IFS= read -r -d '' path; } <"$run/note" || continue
        [[ $path -ef $1 ]] || continue
        # A run that has just handed over all its SMS may remove the folder.
        tail -n "+$(($(count handed) + 1))" "$run/sms" 2>/dev/null | field=$left awk '
            BEGIN { FS = OFS = "\t"; field = ENVIRON["field"] }
            { print (field > 2 ? $1 : "-"), ($(field - 1) == "-" ? $field : $(field - 1)), $(field + 1) }' || continue
    done >"$folder/waiting"
}

# look_up_contacts FILE: finds the time of the last synchronisation with each contact who did not get a lost SMS of FILE.
look_up_contacts() {
    local contact contacts
    contacts=$(list contacts "$1") || true
    [[ -n $contacts ]] || return 0
    open_session
    while IFS= read -r contact; do
        # A contact who was removed and added again can no longer decrypt the SMS.
        smsenc-keyring show "$contact" | cut -f 1,12 || printf '%s\tunknown\n' "$contact"
    done <<<"$contacts" >"$folder/synchronised"
}

# summary FILE: prints a table of all contacts, aligned on a terminal.
summary() {
    local contacts is_terminal=''
    [[ ! -t 1 ]] || is_terminal=1
    open_session
    contacts=$(smsenc-keyring list) || exit
    list summary "$1" >"$folder/counts"
    printf '%s\n' "$contacts" | counts=$folder/counts is_terminal=$is_terminal LC_ALL=C awk '
        function add(line, i, field, copy) {
            lines[++count] = line
            for (i = split(line, field, "\t"); i > 0; i--) {
                copy = field[i]; gsub(/[\200-\277]/, "", copy)
                if (length(copy) > width[i]) width[i] = length(copy)
            }
        }
        BEGIN {
            FS = OFS = "\t"
            while ((getline <ENVIRON["counts"]) > 0) { order[++known] = $1; counts[$1] = $2 OFS $3 OFS $4 }
            if (ENVIRON["is_terminal"]) add("CONTACT" OFS "SENT" OFS "READ" OFS "LOST" OFS "RECEIVED" OFS "MISSING" OFS "LAST HEARD")
        }
        $1 != "" {
            add($1 OFS ($1 in counts ? counts[$1] : "0" OFS "0" OFS "0") OFS $8 OFS $9 OFS $10)
            delete counts[$1]
        }
        END {
            for (i = 1; i <= known; i++) if (order[i] in counts) add(order[i] OFS counts[order[i]] OFS "-" OFS "-" OFS "-")
            for (i = 1; i <= count; i++) {
                if (!ENVIRON["is_terminal"]) { print lines[i]; continue }
                last = split(lines[i], field, "\t")
                for (j = 1; j <= last; j++) {
                    copy = field[j]; gsub(/[\200-\277]/, "", copy)
                    space = sprintf("%" (width[j] - length(copy)) "s", "")
                    printf "%s%s", j == 1 || j == last ? field[j] space : space field[j], j < last ? "  " : "\n"
                }
            }
        }'
}
