# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# report FILE [TABLE ...]: lists what did not arrive for certain.
report() {
    local report=$1 run left path tables=() table result=0
    shift
    [[ -r $report && ! -d $report ]] || die 66 "cannot open $report"
    absolute "$report"
    report=$path
    folder=$(mktemp -d "${TMPDIR:-/tmp}/smsenc.XXXXXX") || die 73 "cannot make a folder in ${TMPDIR:-/tmp}"
    trap 'rm -rf "$folder"' EXIT
    for run in "$spool"/run.*; do
        [[ -O $run && ! -L $run && -s $run/note ]] || continue
        { IFS= read -r left && IFS= read -r -d '' path; } <"$run/note" || continue
        [[ $path -ef $report ]] || continue
        # Who has just handed over all may take it away.
        tail -n "+$(($(count handed) + 1))" "$run/sms" 2>/dev/null | field=$left awk '
            BEGIN { FS = OFS = "\t"; field = ENVIRON["field"] }
            { print (field > 2 ? $1 : "-"), ($(field - 1) == "-" ? $field : $(field - 1)) }' || continue
    done >"$folder/waiting"
    for table; do
        # Nothing with = in it is a variable of awk then.
        case $table in - | /*) tables+=("$table") ;; *) tables+=("./$table") ;; esac
    done
    sent=$report waiting=$folder/waiting field=$field LC_ALL=C awk -f "$share/sent.awk" -f "$share/report.awk" -- \
        "$report" "$folder/waiting" ${tables[@]+"${tables[@]}"} || result=$?
    ((result < 2)) || die 66 "a table cannot be read"
    return "$result"
}
