# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Stores all SMS of one event in a single file in new/, for smsenc-receive. If this fails, none of them is stored. This needs no
# lock, key or password.

# not_stored: exits with a status that makes the daemon keep the SMS.
not_stored() {
    rm -f -- "$stored" 2>/dev/null || true
    die 75 "cannot write to $box; the SMS was not stored, so free disk space and deliver it again"
}

# read_input: sets `source` to stdin without NULs if the route needs stdin, and otherwise to nothing.
read_input() {
    local part
    source=''
    [[ $receives == input ]] || return 0
    while IFS= read -r -d '' part || [[ -n $part ]]; do source+=$part; done
}

# to_utc TIME: sets `time` to a time such as 2026-11-21T08:30:00Z, or to - if TIME is not a time. A time without a time zone
# is local time.
to_utc() {
    local year month day zone seconds sign=1
    time=-
    [[ $1 =~ ^(20[0-9][0-9]|19[789][0-9])-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[T\ ]([01][0-9]|2[0-3]):([0-5][0-9])(:([0-5][0-9]|60))?([.,][0-9]{1,9})?(Z|[+-][01][0-9](:?[0-5][0-9])?)?$ ]] || return 0
    if [[ ${BASH_REMATCH[9]} == Z && -z ${BASH_REMATCH[8]} && $1 == *T*:*:* ]]; then time=$1; return; fi
    year=${BASH_REMATCH[1]} month=$((10#${BASH_REMATCH[2]})) day=$((10#${BASH_REMATCH[3]})) zone=${BASH_REMATCH[9]}
    ((month > 2)) || year=$((year - 1)) month=$((month + 12))
    seconds=$((((365 * year + year / 4 - year / 100 + year / 400 + (153 * month - 457) / 5 + day - 719469) * 24 + 10#${BASH_REMATCH[4]}) * 3600 +
        10#${BASH_REMATCH[5]} * 60 + 10#0${BASH_REMATCH[7]}))
    [[ -n $zone ]] || printf -v zone '%(%z)T' "$seconds"
    if [[ $zone != Z ]]; then
        [[ $zone == +* ]] || sign=-1
        zone=${zone//[!0-9]/}00
        seconds=$((seconds - sign * (10#${zone:0:2} * 3600 + 10#${zone:2:2} * 60)))
    fi
    read_clock "$seconds"
}

# Matches lines that are printable without changes: ASCII and the other characters of ciphertexts.
usual=$'^([\t -~]|\302[\241\243-\245\247\277]|\303[\200-\277]|\316[\221-\277]|\342\220\212|\342\202\254)*$'

# tidy_lines LINE ...: sets `tidy` to the lines, as TIME TAB NUMBER TAB TEXT, with U+FFFD in place of unsafe characters. A
# line in another format becomes a TEXT, so that the user sees it.
tidy_lines() {
    local line is_usual=true now time
    tidy=''
    for line; do
        line=${line%$'\r'}
        [[ -n $line ]] || continue
        [[ $line == *$'\t'*$'\t'* ]] || line=$'-\t-\t'$line
        to_utc "${line%%$'\t'*}"
        line=$time$'\t'${line#*$'\t'}
        [[ $line != *$'\t\t'* ]] || line=${line/$'\t\t'/$'\t-\t'}
        [[ $line =~ $usual && $line != *\&*\;* && $line != *$'\t'*$'\t'*$'\t'* ]] || is_usual=false
        tidy+=$line$'\n'
    done
    $is_usual || tidy=$(printf %s "$tidy" | printable)$'\n'
}

# store: stores the lines of `answer`.
stored=''
store() {
    local number tidy
    tidy_lines "${answer[@]}"
    [[ -n $tidy ]] || return 0
    put_event "$tidy"
}
# put_event TEXT: writes TEXT to the next file in new/.
put_event() {
    stored=tmp/event.$SRANDOM.$$
    (set -C && printf %s "$1" >"$stored") 2>/dev/null || not_stored
    last_number new
    while printf -v number %010d "$((10#$number + 1))" && ! ln -- "$stored" "new/$number" 2>/dev/null; do
        [[ -e new/$number ]] || not_stored
    done
    fsync_paths "$stored" new || { rm -f -- "new/$number"; not_stored; }
}

# A function of awk that returns a string that identifies the SMS in a line: the whole line, or its ID in `keys`, its number and
# its text.
sms_identity='
    BEGIN { split(ENVIRON["keys"], key, " ") }
    function identity(line) { if (key[NR] ~ /^[0-9]+$/) sub(/^[^\t]*/, key[NR], line); return line }'

# store_list: compares `answer`, a list of all SMS in a modem, with the earlier lists, and stores the new lines. The new content
# of `seen` is stored in the same file, so that either both are stored or neither.
store_list() {
    local number tidy lines file
    tidy_lines "${answer[@]}"
    lock_seen
    lines=$(printf %s "$tidy" | keys="${keys[*]-}" awk "$sms_identity"'
        BEGIN {
            while ((got = (getline line <"seen")) > 0) {
                match(line, /^[0-9]*/)
                count = substr(line, 1, RLENGTH); line = substr(line, RLENGTH + 2)
                order[++last] = line; had[line] = count
            }
            if (got < 0) exit 1
        }
        # If a list contains the same line twice, the line is stored twice.
        { sms = identity($0) }
        ++times[sms] > had[sms] + 0 { print; order[++last] = sms; had[sms] = times[sms]; is_new = 1 }
        END {
            if (got < 0 || !is_new) exit got < 0
            for (i = last; i > 0 && kept < 10000; i--) if (!(order[i] in place)) { place[order[i]] = i; kept++ }
            for (i++; i <= last; i++) if (place[order[i]] == i) print "=\t" had[order[i]] "\t" order[i]
        }') || not_stored
    [[ -z $lines ]] || put_event "$lines"$'\n'
    exec 7<&-
}
# lock_seen: locks the file `seen` through descriptor 7, and updates it.
lock_seen() {
    exec 7<./batch
    flock -w 90 7 || die 75 "another process has locked $box for 90 s; the SMS were not stored, so deliver them again"
    { [[ -e seen ]] || : >seen; } && keep_seen || not_stored
}
# keep_seen: updates `seen` from the last event of a list, before this event is removed and before the next list is compared.
keep_seen() {
    local file i
    list_of 'new/*'
    for ((i = ${#files[@]} - 1; i >= 0; i--)); do
        [[ -s ${files[i]} ]] && grep -q '^=' "${files[i]}" || continue
        sed -n 's/^=	//p' "${files[i]}" >"tmp/seen.$$" && fsync_paths "tmp/seen.$$" && mv -- "tmp/seen.$$" seen
        return
    done 2>/dev/null
}
