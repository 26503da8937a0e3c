# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Queues SMS for smsenc-send until they are handed over. Each run locks a folder out/N. Later runs use the same folders again.
#
#     settings    RUN, the working folder, the route, --at, the limits and the time given with --for, each ended by NUL. The
#                 line RUN is appended when all SMS of the run are in files. The line RUN-ended is appended if the run leaves
#                 SMS when it ends, or if a later run finds it interrupted
#     sms         what smsenc-pad prints: PLACE.N.M IDHASH ROWHASH ID NUMBER CONTACT POSITION CIPHERTEXT, part N of M; for a
#                 receipt alone, the last four fields. NUMBER is left out if the route needs none
#     going       the names of the SMS that a route is given in one call (see many.bash)
#     reported    reports that came meanwhile, one per line
#     SMS         an SMS: REASON ID CONTACT NUMBER POSITION CIPHERTEXT. CONTACT is an id
#     SMS.going   an SMS that is being handed over
#     SMS.again   an SMS that was being handed over when its run was killed
#
# RUN consists of a number, which is one higher than the number of the last run, and eight random digits. The name SMS is
# RUN-PLACE-N-M-CONTACT-POSITION-IDHASH-ROWHASH-ATTEMPT, and after the SMS was handed over, also -TIME-REFERENCE. The hashes are
# keyed. IDHASH is 0 for a row without an ID, and `receipt` for an SMS that contains only a receipt. SMS that were handed over
# are moved to handed/ at the end.

# The limits of this run as N/SECONDS, the time after which no SMS is sent, and whether this run waits for the limits.
limits=() deadline='' waits=true
# Counts of this process: SMS that were sent, SMS and rows that were not sent, SMS that wait, and all SMS to hand over.
sent=0 not_sent=0 waiting=0 of=0 is_shown=false

# add_limit N/DURATION: adds a limit. Fails if it is malformed.
add_limit() {
    local seconds
    [[ $1 =~ ^[1-9][0-9]{0,4}/ ]] && seconds_of "${1#*/}" && limits+=("${1%%/*}/$seconds")
}

# begin: locks a folder for this run, and sets `folder` to its path and `run` to the name of the run.
begin() {
    local each known=('') folders
    list_of 'out/*'
    folders=("${files[@]}")
    folder=''
    for each in "${folders[@]}"; do
        if { IFS= read -r -d '' run <"$each/settings"; } 2>/dev/null; then
            known+=("$run")
        else
            # The disk was full when this file was written. Find the number of the run in the names of SMS instead, which begin
            # with it.
            list_of '*/*x*-*-*-*' '*/*/*x*-*-*-*'
            known+=("${files[@]##*/}")
        fi
        [[ -n $folder ]] || ! is_free "$each" || ! lock_run "$each" || ! is_free "$each" || folder=$each
    done
    run=0
    for each in "${known[@]}"; do ((10#0${each%%[!0-9]*} <= run)) || run=$((10#0${each%%[!0-9]*})); done
    if [[ -z $folder ]]; then
        folder=out/$((${#folders[@]} + 1))
        # Another run may have made this folder, or may have locked it first.
        while ! mkdir -- "$folder" 2>/dev/null || ! lock_run "$folder"; do
            [[ -d $folder ]] || cannot_write
            folder=out/$((${folder#out/} + 1))
        done
        settle out
    fi
    printf -v run '%08dx%08x' "$((run + 1))" "$SRANDOM"
    printf '%s\0' "$run" "$where" "$route" "$at" "${limits[*]-}" "$deadline" >"$folder/settings" && : >"$folder/sms" || cannot_write
    settle "$folder/settings" "$folder"
}
# is_free FOLDER: succeeds if the folder contains no SMS of an earlier run.
is_free() { list_of "$1/*-*-*-*"; [[ ! -s $1/sms ]] && ((${#files[@]} == 0)); }
# mark [-ended]: appends the line RUN or RUN-ended to `settings`. A line that was truncated because the disk was full does not
# count.
mark() { printf '\0%s\0' "$run${1:-}" >>"$folder/settings" || cannot_write; }
is_marked() {
    local marks=()
    { mapfile -d '' -t marks <"$folder/settings"; } 2>/dev/null
    [[ " ${marks[*]:6} " == *" $run${1:-} "* ]]
}
lock_run() { { exec 9<"$1"; } 2>/dev/null && flock -n 9 && [[ $1 -ef /dev/fd/9 ]]; }

# A function of awk that converts a line of `sms` to the fields PLACE.N.M IDHASH ROWHASH ID CONTACT NUMBER POSITION CIPHERTEXT.
sms_fields='
    BEGIN { FS = OFS = "\t" }
    NF < 5 { $0 = NR - 1 ".1.1" OFS "receipt" OFS 0 OFS "-" OFS $0 }
    NF == 7 { $5 = $5 OFS "-"; $0 = $0 }
    $6 ~ /^#/ { number = $5; $5 = $6; $6 = number }'

# split_sms [list]: writes each line of the file `sms` to its own file, and records the rows as taken. Omits truncated lines and
# rows with missing parts, which do not count as taken. Sets `unnamed` to the hashes of rows without IDs. With `list`, does
# nothing else. If the process is killed, this function can be repeated, because no SMS is handed over before it ends.
split_sms() {
    local id hash
    unnamed=()
    run=$run to=$folder list=tmp/taken.$$ only=${1:-} awk '
        function characters(text) { gsub(/[\200-\277]/, "", text); return length(text) }
        '"$sms_fields"'
        BEGIN { name = ENVIRON["run"]; printf "" >ENVIRON["list"] }
        NF == 8 && characters($8) == 160 && $1 ~ /^[0-9]+\.[0-9]+\.[0-9]+$/ && $5 ~ /^#[0-9a-f]+$/ && $7 ~ /^[0-9A-Z]+\.[0-9]+\.[0-9]+$/ {
            line[++count] = $0; split($1, part, "."); there[part[1]]++
        }
        END {
            for (i = 1; i <= count; i++) {
                $0 = line[i]; split($1, part, ".")
                if (there[part[1]] < part[3]) { lacking[part[1]] = 1; continue }
                if (part[2] == 1) print $2, $3 >ENVIRON["list"]
                if (ENVIRON["only"] != "") continue
                file = sprintf("%s/%s-%06d-%d-%d-%s-%s-%s-%s-1", ENVIRON["to"], name, part[1], part[2], part[3], substr($5, 2), $7, $2, $3)
                print "-", $4, $5, $6, $7, $8 >file
                if (close(file) != 0) exit 1
            }
            if (close(ENVIRON["list"]) != 0) exit 1
        }' "$folder/sms" || cannot_write
    while IFS=$'\t' read -r id hash; do
        case $id in
        receipt) ;;
        0) unnamed+=("$hash") ;;
        *) { : >"taken/$id" && : >"taken/$hash"; } || cannot_write ;;
        esac
    done <"tmp/taken.$$" || cannot_write
    [[ -z ${1:-} ]] || return 0
    settle taken
    mark
}

# keep_list: stores the hashes of rows without IDs. If the same table is given again, these rows are then not sent twice.
keep_list() {
    ((${#unnamed[@]})) || return 0
    printf '%s\n' "${unnamed[@]}" >"tmp/rows.$$" || cannot_write
    settle "tmp/rows.$$"
    mv -- "tmp/rows.$$" "taken/$run.rows" && settle taken || cannot_write
}

# repair_run: handles a run that was killed. If a power failure has destroyed the content of SMS, writes these SMS again.
repair_run() {
    local file place rest n m
    repair_call
    if [[ -s $folder/sms ]] && ! is_marked -ended; then
        if is_marked; then split_sms list; else split_sms; fi
        keep_list
        list_of "$folder/*-*-*-*[0-9]" "$folder/*.going" "$folder/*.again"
        say "an earlier run was interrupted; sending its remaining ${#files[@]} SMS"
        mark -ended
        settle "$folder/settings" "$folder"
    fi
    # For the limits, an SMS that was being handed over counts as sent now.
    list_of "$folder/*.going"
    for file in "${files[@]}"; do
        echo "$EPOCHSECONDS" >>./times && mv -- "$file" "${file%.going}.again" || cannot_write
    done
    list_of "$folder/*-*-*-*"
    for file in "${files[@]}"; do
        [[ ! -s $file ]] || continue
        rest=${file##*/} rest=${rest#*-}
        IFS=- read -r place n m rest <<<"$rest"
        row=$((10#$place)).$n.$m awk "$sms_fields"' $1 == ENVIRON["row"] { print "-", $4, $5, $6, $7, $8 }' "$folder/sms" >"tmp/sms.$$" &&
            [[ -s tmp/sms.$$ ]] && mv -- "tmp/sms.$$" "$file" || die 74 "the SMS $file cannot be restored"
    done
}

# finish_left: hands over the SMS that earlier runs have left. Uses the route, the working folder and the limits of the earlier
# run. If the earlier run had no limits, the limits of this run apply. If the route can no longer be used, the SMS remain.
finish_left() {
    local folder route=$route route_file=$route_file route_has=$route_has receives=$receives at=$at where=$where run said
    local given=("${limits[@]}") limits deadline had=$route_has
    list_of 'out/*'
    for folder in "${files[@]}"; do
        ! is_free "$folder" && lock_run "$folder" || continue
        { IFS= read -r -d '' run && IFS= read -r -d '' where && IFS= read -r -d '' route && IFS= read -r -d '' at &&
            IFS= read -r -d '' said && IFS= read -r -d '' deadline; } <"$folder/settings" || die 74 "$box/$folder/settings is damaged"
        repair_run
        list_of "$folder/*-*-*-*"
        if ((${#files[@]})); then
            read -r -a limits <<<"$said"
            ((${#limits[@]})) || limits=("${given[@]}")
            if (load_route "$route" "$at" send); then
                load_route "$route" "$at" send
                # Skip the SMS if only one of the two routes shows SMS to a person: a timer cannot show them, and a person
                # should not wait for the limits of a timer.
                [[ $route_has != *' shows '* && $had != *' shows '* || $route_has == *' shows '* && $had == *' shows '* ]] || continue
                if check_left; then hand_over; else waiting=$((waiting + ${#files[@]})); fi
            else
                waiting=$((waiting + ${#files[@]}))
            fi
        fi
        put_away
    done
    exec 9<&-
}

# count_left: sets `waiting` to the number of SMS that earlier runs have left.
count_left() {
    local folder file run=''
    list_of 'out/*'
    for folder in "${files[@]}"; do
        ! is_free "$folder" && lock_run "$folder" || continue
        { IFS= read -r -d '' run <"$folder/settings"; } 2>/dev/null || true
        if [[ ! -s $folder/sms ]] || is_marked; then
            list_of "$folder/*-*-*-*"
            for file in "${files[@]}"; do [[ $file == *Z-* ]] || waiting=$((waiting + 1)); done
        else
            # This run was killed before it had written its SMS to files.
            waiting=$((waiting + $(wc -l <"$folder/sms")))
        fi
    done
    exec 9<&-
}

# check_left: asks the keyring about the SMS of `run`, which an earlier process has encrypted. If the contact can no longer
# decrypt an SMS, or it must no longer be sent to this contact, the SMS becomes failed. An SMS that was read counts as handed
# over. Fails if the keyring is locked.
check_left() {
    local file contact number answer reason all now time
    list_of "$folder/*-*-*-*"
    all=("${files[@]}")
    if ! open_session || ! read_contacts || ! ask "${all[@]}"; then
        say "${#files[@]} SMS from an earlier run wait, because the keyring is locked"
        return 1
    fi
    read_clock
    local -A answer_of
    while IFS=$'\t' read -r file answer _; do answer_of[$file]=$answer; done <"tmp/answers.$$"
    for file in "${all[@]}"; do
        [[ ! $file =~ -[0-9]{8}T[0-9]{6}Z- ]] || continue
        IFS=$'\t' read -r _ _ contact number _ <"$file"
        reason=''
        case ${answer_of[$file]:-} in
        ended) reason='the contact was synchronised again' ;;
        # The SMS was handed over before its run was killed, because the contact has read it.
        read) mv -- "$file" "${file%.again}-${time//[-:]/}-" || cannot_write; continue ;;
        esac
        case ${state_of[$contact]:-} in
        '') reason='the contact was removed' ;;
        verified | unverified | changed) [[ $number == - || ${number_of[$contact]} == "$number" ]] || reason='the number of the contact has changed' ;;
        *) reason="the contact is not synchronised (state: ${state_of[$contact]})" ;;
        esac
        [[ -z $reason ]] || fail_sms "$file" "$reason" keep
    done
    flush_run
    list_of "$folder/*-*-*-*"
}

# fail_sms FILE REASON [keep]: moves an SMS to failed/. `keep` means that the SMS was not handed over and is never sent again.
fail_sms() {
    local file now time id contact number position text shown sms
    file=${1%.going} file=${file%.again}
    IFS=$'\t' read -r _ id contact number position text <"$1"
    read_clock
    without_controls "$2" ' '
    sms=${file##*/}-${time//[-:]/}-${3:+keep}
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$shown" "$id" "$contact" "$number" "$position" "$text" >"tmp/$sms" && settle "tmp/$sms" &&
        mv -- "$1" "failed/$sms" && mv -- "tmp/$sms" failed/ && settle failed || cannot_write
    not_sent=$((not_sent + 1))
    without_controls "$id" '?'
    say "an SMS to ${name_of[$contact]:-$number}$([[ $id == - ]] || echo " [$shown]") was not sent: $2"
}

# hand_over: hands over the SMS in `files`, which belong to `run`, in order.
hand_over() {
    local first=0 file call free before result now time all=("${files[@]}")
    of=$((of + ${#all[@]}))
    # Runs with limits are processed one after another, so that each contact gets the messages in order.
    if ((${#limits[@]})); then
        exec 6<out
        if $waits; then flock 6; elif ! flock -n 6; then waiting=$((waiting + ${#all[@]})); return; fi
    fi
    while ((first < ${#all[@]})); do
        result=0
        wait_for_slot || result=$?
        if ((result == 1)); then
            for file in "${all[@]:first}"; do fail_sms "$file" 'the time given with --for has expired'; done
            break
        elif ((result > 1)); then
            waiting=$((waiting + ${#all[@]} - first))
            break
        fi
        if route_can send_many; then
            count_free
            call=("${all[@]:first:free}") before=$sent
            first=$((first + ${#call[@]}))
            hand_over_call
            # If the route accepts none of these SMS, the others wait for the next run, because a contact cannot decrypt messages
            # that come after many others.
            ((sent > before)) || { waiting=$((waiting + ${#all[@]} - first)); break; }
        else
            wait_for_person
            hand_over_one "${all[first++]}"
        fi
        show_progress "$sent of $of SMS sent"
    done
    flush_run
    exec 6<&-
}

# wait_for_person: before the next SMS is shown, waits until the person has sent the one that is shown.
wait_for_person() {
    $is_shown && [[ -t 1 && $at != print ]] || return 0
    printf 'press Return for SMS %s of %s: ' "$((sent + 1))" "$of" >/dev/tty
    IFS= read -r _ </dev/tty || true
}
# hand_over_one FILE: hands over an SMS.
hand_over_one() {
    local file=${1%.again} id contact number position text said='' base result=0 reference
    [[ $1 != *.again ]] || say_again 1
    mv -- "$1" "$file.going" || cannot_write
    settle "$folder"
    IFS=$'\t' read -r _ id contact number position text <"$file.going"
    short_name "$file"
    send_one "$base" || result=$?
    note_time
    if ((result > 0)); then
        fail_sms "$file.going" "${said:-the route failed with status $result}"
    else
        reference=${said//[!A-Za-z0-9]/}
        mv -- "$file.going" "$file-${time//[-:]/}-${reference:0:40}" || cannot_write
        sent=$((sent + 1))
    fi
}
# note_time: adds the current time to `times`, and sets `time`.
note_time() {
    read_clock
    echo "$now" >>./times || say "cannot write to $box/times, so more SMS may be sent than the limits allow; check the disk"
}
# say_again COUNT: says that SMS are sent again that were being handed over when a run was killed.
say_again() {
    case $1 in
    0) ;;
    1) say "an earlier run was interrupted, so one SMS may be sent twice; the contact ignores the second copy" ;;
    *) say "an earlier run was interrupted, so $1 SMS may be sent twice; the contacts ignore the second copies" ;;
    esac
}
# short_name FILE: sets `base` to the name that is passed to the route for an SMS.
short_name() {
    base=${1##*/}
    local rest=${base#*-*-*-}
    base=${base%"-$rest"}-${base##*-}
}

# flush_run: moves the SMS of `run` that were handed over to handed/. Syncs their content first.
flush_run() {
    list_of "$folder/*Z-*"
    ((${#files[@]} == 0)) || { each_part settle -- "${files[@]}" && place handed "${files[@]}"; }
    take_reported
}

# put_away: empties the folder of a run that has ended.
put_away() {
    flush_run
    list_of "$folder/*-*-*-*"
    if ((${#files[@]} == 0)); then : >"$folder/sms" || cannot_write; elif ! is_marked -ended; then mark -ended; fi
}

# send_one NAME: sends `text` to `number`, and sets `said` to the last line that the route printed. A route that shows SMS to a
# person prints each SMS on stdout.
send_one() {
    local result=0
    if route_can shows; then
        # shellcheck disable=SC1090
        (cd "$where" && as_user && . "$route_file" && route_send "${number_of[$contact]:-$number}" "$text" "$at" "$1" "${name_of[$contact]:-}") </dev/null || return
        is_shown=true
        return
    fi
    if route_can send_many; then
        call_route route_send_many "$at" "${1:--}"$'\t'"$number"$'\t'"$text" || result=$?
        last_answer
        case $said in
        *$'\taccepted'*) said=${said##*$'\t'} result=0; [[ $said != accepted ]] || said='' ;;
        *$'\tfailed\t'*) said=${said##*$'\t'} result=1 ;;
        *) ((result > 0)) || result=1 ;;
        esac
    else
        call_route route_send "$number" "$text" "$at" "$1" || result=$?
        last_answer
    fi
    explain "$result"
    return "$result"
}
# explain STATUS: sets `said` to the reason if a route was terminated.
explain() {
    (($1 != 124)) || said="the route $route took longer than $route_limit s; the SMS may have been sent"
    (($1 != 137)) || said="the route $route was killed; the SMS may have been sent"
}

# --- The pace. The file `times` has a line for each SMS of all runs, with the time in seconds at which the route had ended.
# An SMS that another run is handing over counts as sent now.

times_mark='' times=()
load_times() {
    local most=0 limit lines
    for limit in "${limits[@]}"; do ((${limit%/*} <= most)) || most=${limit%/*}; done
    mapfile -t lines < <(tail -n "$most" times && echo .)
    is_whole lines || die 74 "cannot read $box/times"
    list_of 'out/*/*.going'
    for limit in "${files[@]}"; do lines+=("$now"); done
    list_of 'out/*/going'
    for limit in "${files[@]}"; do while read -r _; do lines+=("$now"); done <"$limit"; done
    times=()
    for limit in "${lines[@]}"; do
        [[ $limit =~ ^[0-9]{1,11}$ ]] || continue
        # A time in the future was written under a wrong clock.
        ((limit <= now)) || limit=$now
        times+=("$limit")
    done
}

# wait_for_slot: waits until the limits allow another SMS. Returns 1 if the SMS cannot be sent in time, and 75 if it is left for
# the next run.
wait_for_slot() {
    local now time due limit count next
    while true; do
        read_clock
        [[ -z $deadline ]] || ((now <= deadline)) || return 1
        ((${#limits[@]})) || return 0
        load_times
        due=0 count=${#times[@]}
        for limit in "${limits[@]}"; do
            # Add a second, because times are rounded down to whole seconds.
            ((count < ${limit%/*})) || ((times[count - ${limit%/*}] + ${limit#*/} < due)) ||
                due=$((times[count - ${limit%/*}] + ${limit#*/} + 1))
        done
        ((due > now)) || return 0
        flush_run
        [[ -z $deadline ]] || ((due <= deadline)) || return 1
        $waits || return 75
        printf -v next '%(%H:%M:%S)T' "$due"
        show_progress "$sent of $of SMS sent; the next one is due at $next"
        # Wake up now and then, because other runs may send SMS in the meantime, or somebody may set the clock.
        sleep "$((due - now < 600 ? due - now : 600))"
    done
}

# Control-C ends the script, even if it arrives just after a command has ended.
trap 'exit 130' INT
