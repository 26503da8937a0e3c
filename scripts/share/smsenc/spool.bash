# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Queues SMS for smsenc-send until they are handed over. Each run has a locked folder in `spool`, which is removed after all
# its SMS were handed over. The folder is named after the time at which the run began, and runs are finished in this order.
#
#     command   the working folder, the route, and --at, separated by NUL
#     note      --field, and the path of the sent file
#     pace      see pace.bash
#     sms       the encrypted SMS: ID ... TAB CONTACT TAB NUMBER TAB CIPHERTEXT
#     padded    for --sent: the status file of smsenc-pad, which contains the tags
#     kinds     for --sent: a line for each frame that smsenc-pad reads; `receipt` if the frame contains a receipt
#     handed    a line for each SMS of `sms` that is done
#     log       the times at which SMS were sent

count() { wc -l <"$run/$1"; }

# begin: creates the folder of this run and sets `run`.
begin() {
    local now time
    while true; do
        read_clock
        now=${EPOCHREALTIME:-$now}
        run=$(mktemp -d "$spool/run.${now/,/.}.XXXXXX") || die 73 "cannot write to $spool"
        # Another run may have removed the folder before it was locked.
        { exec 9<"$run"; } 2>/dev/null || continue
        flock 9
        [[ ! $run -ef /dev/fd/9 ]] || break
    done
    { touch "$run/sms" "$run/handed" "$run/log" && save_pace && mkfifo "$run/frames" "$run/copies" &&
        printf '%s\0%s\0%s\n' "$where" "$route" "$at" >"$run/command" &&
        printf '%s\n%s\0' "$field" "$sent" >"$run/note"; } || die 74 "cannot write to $spool"
    fsync_paths "$run/command" "$run/note" "$run/pace" "$run/sms" "$run" "$spool" || die 74 "cannot write to the disk"
    start_notes
}

# start_notes: resets whether the notes about the last SMS are unsynced, and whether `handed` needs a line after the sync.
start_notes() {
    unsettled=false is_dealt_with=false times_are_known=false sent_mark=''
}

# settle_notes PATH ...: syncs the notes and PATH to the disk. After this, the SMS counts as done.
settle_notes() {
    if $unsettled; then set -- "$sent" "$@"; fi
    (($# == 0)) || fsync_paths "$@" || return 74
    ! $is_dealt_with || echo >>"$run/handed" || return 74
    unsettled=false is_dealt_with=false
}

# find_kinds: reads frames on stdin and prints a line for each, as in `kinds`.
find_kinds() {
    local LC_ALL=C message
    smsenc-frame -d -f "$field" | while IFS= read -r message; do
        if [[ ${message##*$'\t'} =~ ^✓[1-9][0-9]*:([0-9a-f]{5}){1,33}$ ]]; then echo receipt; else echo -; fi
    done
}

# start_names: starts reading the tags and kinds of `run` from the first SMS.
start_names() {
    place=0 frames=0
    exec 4<&- 8<&-
}

# name_sms: sets `sms` to the name of the current SMS in the sent file. The tag is `unknown` if smsenc-pad was killed
# before it wrote the tag. An SMS that an earlier run encrypted keeps its name.
name_sms() {
    local LC_ALL=C line='' known tag=unknown frame=0 is_ok=$'^([0-9]+)\t.*\tok\t0\t\t([0-9a-f]{5})$'
    sms='' id=-
    [[ -n $sent ]] || return 0
    [[ -z $carried ]] || id=${carried%%$'\t'*}
    place=$((place + 1))
    if [[ $contact == - ]]; then
        if known=$(grep -F -m 1 -e "	$text" -- "$sent"); then
            IFS=$'\t' read -r _ _ id contact _ sms _ <<<"$known"
            return
        fi
    elif [[ -e $run/padded ]]; then
        ((place > 1)) || exec 4<"$run/padded" 8<"$run/kinds"
        while next_line <&4; do
            [[ $line =~ $is_ok ]] || continue
            frame=${BASH_REMATCH[1]} tag=${BASH_REMATCH[2]}
            break
        done
        line=''
        while ((frames < frame)) && next_line <&8; do frames=$((frames + 1)); done
        case $line in receipt) tag=receipt ;; '') tag=unknown ;; esac
    fi
    sms=${run##*/run.}-$place-$tag
}

note_sms() { # STATUS REFERENCE REASON
    local line
    [[ -n $sent ]] || return 0
    sent_line "$1" "$id" "$contact" "$number" "$sms" "$2" "$3" "$text"
    append_sent "$line" || return 74
    sent_mark=$run/noted
    : >"$sent_mark"
    unsettled=true
}

# queue LEFT: hands over the SMS on stdin, except the first LEFT. Prints the SMS that the route did not accept, without the
# contact.
queue() {
    local left=$1 line rest carried contact number text sms id said failed=0 result i place frames
    [[ -z $sent ]] || { true >>"$sent"; } 2>/dev/null || { say "cannot write to $sent"; return 74; }
    start_names
    while next_line; do
        rest=$line carried=''
        for ((i = 2; i < field; i++)); do
            carried+=${rest%%$'\t'*}$'\t'
            rest=${rest#*$'\t'}
        done
        contact=${rest%%$'\t'*} rest=${rest#*$'\t'}
        number=${rest%%$'\t'*} text=''
        [[ $rest != *$'\t'* ]] || text=${rest#*$'\t'}
        name_sms
        # This SMS was handed over before the run was interrupted.
        ((left-- <= 0)) || continue
        result=0 said=''
        wait_for_slot || result=$?
        case $result in
        0)
            send_one || result=$?
            note_went
            ;;
        1) said='the time given with --for has expired' ;;
        *) return "$result" ;;
        esac
        if ((result > 0)); then
            say "an SMS to $number was not accepted${said:+: $said}"
            printf '%s%s\t%s\n' "$carried" "$number" "$text" || return 74
            note_sms failed - "$said" || return 74
            failed=1
        else
            note_sms sent "$said" - || return 74
        fi
        is_dealt_with=true
        # With a pace, the notes are synced together with the beginning of the next SMS.
        ((${#limits[@]})) || settle_notes || return 74
    done
    settle_notes || return 74
    return "$failed"
}

# send_one: sends `text` to `number`, and sets `said` to the last line that the route printed. A route that shows SMS to a
# person prints each SMS on stdout.
send_one() {
    local result=0
    if route_can shows; then
        # shellcheck disable=SC1090
        (cd "$where" && . "$route_file" && route_send "$number" "$text" "$at" "$sms") </dev/null || return
        [[ -t 1 ]] || return 0
        printf 'To %s; press Return when the SMS is sent: ' "$number" >/dev/tty
        IFS= read -r _ </dev/tty || true
        return
    fi
    call_route route_send "$number" "$text" "$at" "$sms" || result=$?
    last_answer
    ((result != 124)) || said="the route $route took longer than $route_limit s; the SMS may have been sent"
    return "$result"
}

# next_line: reads the next complete line and sets `line`. Waits for more lines while smsenc-pad runs.
next_line() {
    local start='' ended
    while true; do
        # Check before reading, so that no line can be written after the last read.
        ended=true
        ! at_work || ended=false
        if IFS= read -r line; then
            line=$start$line
            return
        fi
        ! $ended || return 1
        start+=$line
        settle_notes || return 1
        unlock_sent
        read -r -t 0.1 _ <> <(:) 2>/dev/null || (($? > 128)) || sleep 0.1
    done
}

# The processes that encrypt, if they are running.
framer='' padder='' kinder=''
at_work() { [[ -n $padder ]] && kill -0 "$padder" ${kinder:+"$kinder"} 2>/dev/null; }
# Control-C ends the script, even if it arrives just after a command has ended.
trap 'exit 130' INT
stop() {
    end_call
    at_work || return 0
    kill "$padder" ${framer:+"$framer"} || true
    wait
    padder=''
} 2>/dev/null

hand_over() {
    local left there handed result=0
    left=$(count handed)
    # Runs with a pace are processed one after another, so that each contact gets the messages in order.
    if ((${#limits[@]})) && ! $is_left; then
        if $waits; then flock 6; else flock -n 6 || is_left=true; fi
    fi
    if ! $is_left; then
        queue "$left" <"$run/sms" || result=$?
        unlock_sent
        if ((result == 75)); then is_left=true; else note_status "$result"; fi
    fi
    ((result != 74)) || stop
    ! $is_left || return 0
    there=$(count sms) handed=$(count handed)
    ((handed >= there)) ||
        die 74 "interrupted after encrypting $((there)) SMS; the next run sends the remaining $((there - handed))"
}

# note_refused: records in the sent file, once, the messages that smsenc-frame and smsenc-pad rejected.
note_refused() {
    local lines now time
    [[ -n $sent && ! -e $run/told ]] || return 0
    read_clock
    lines=$({ cat "$run/framed" "$run/padded" 2>/dev/null || true; } | field=$field time=$time LC_ALL=C awk '
        BEGIN { FS = OFS = "\t" }
        $3 != "ok" {
            if ($2 == "") $2 = "-"
            who = ENVIRON["field"] > 2 ? $2 OFS "-" : "-" OFS $2
            print ENVIRON["time"], "failed", who, "-", "-", "-", $3, "-"
        }') && { [[ -z $lines ]] || add_lines "$lines"; } && : >"$run/told"
}

# put_away: removes the folder of a run that is done. Keeps the folder if some SMS cannot be sent yet.
put_away() {
    local there handed
    # Rejected messages of a waiting run are recorded only once.
    note_refused || { say "cannot write to $sent"; note_status 74; return; }
    there=$(count sms) handed=$(count handed)
    [[ ! -s $run/log ]] || tidy_times "$run/log" || { say "cannot write to $spool"; note_status 74; return; }
    if { $is_left || $is_held; } && ((handed < there)); then
        waiting=$((waiting + there - handed))
        touch "$run/left" && fsync_paths "$run"/[!cf]* "$run" "$spool"
    else
        rm -f "$run/sms" && rm -rf "$run"
    fi
}

# finish_left: hands over the SMS that earlier runs have left, using the route and the working folder of each run. If the
# route can no longer be used, the run is kept. Sets `was_interrupted` if one of these runs was killed or failed.
is_held=false was_interrupted=false
finish_left() {
    local route=$route route_file=$route_file route_has=$route_has at=$at where=$where field=$field sent=$sent
    local there handed given=(${limits[@]+"${limits[@]}"}) limits deadline
    for run in "$spool"/run.*; do
        { [[ -O $run && ! -L $run ]] && exec 9<"$run"; } 2>/dev/null || continue
        if flock -n 9 && [[ $run -ef /dev/fd/9 ]]; then
            touch "$run/sms" "$run/handed" "$run/log"
            there=$(count sms) handed=$(count handed)
            if ((there > 0)); then
                if [[ -s $run/note ]]; then
                    { IFS= read -r field && IFS= read -r -d '' sent; } <"$run/note"
                fi
                limits=(${given[@]+"${given[@]}"}) deadline=''
                load_pace
                start_notes
                is_held=$is_left
                if ! $is_left; then
                    { IFS= read -r -d '' where && IFS= read -r -d '' route && at=$(cat); } <"$run/command"
                    if (load_route "$route" "$at" send); then load_route "$route" "$at" send; else is_held=true; fi
                fi
                if ! $is_held; then
                    if [[ ! -e $run/left ]]; then
                        was_interrupted=true
                        say "an earlier run was interrupted after encrypting $((there)) SMS; sending the remaining $((there - handed)) now"
                    elif ((${#given[@]} == 0 && ${#limits[@]})); then
                        say "sending $((there - handed)) SMS of an earlier run first, with the --pace or --per-day of that run"
                    fi
                    hand_over
                fi
            fi
            put_away
            is_held=false
        fi
    done
}
