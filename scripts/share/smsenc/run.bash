# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Runs a command for each message, for smsenc-receive --run. Each message is stored in a file ID.N in `queue`. Its lines are
# the time, the sender, the number, the number of messages that are missing before the message, and the text. N counts the
# attempts. The modification time of the file is the time of the next attempt.

queue=$inbox.run

# queue_new: creates a file for each new message after the message was written to the inbox. After a kill, a file may be
# created again.
queue_new() {
    must mv "$batch/for-run" "$queue/new.${RANDOM}$$"
    on_disk "$queue"
}

spread() {
    local table line id
    for table in "$queue"/new.*; do
        [[ -e $table ]] || continue
        # Each of the fields may be empty.
        while IFS= read -r line; do
            id=${line%%$'\t'*} line=${line#*$'\t'}
            printf '%s\n' "${line//$'\t'/$'\n'}" >"$queue/part" || fail 74 "cannot write to $queue"
            on_disk "$queue/part"
            must mv "$queue/part" "$queue/$id.0"
        done <"$table"
        on_disk "$queue"
        must rm -f "$table"
    done
}

# Runs the command for the messages of a contact in order, and for different contacts at the same time. A modification time
# more than a day ahead was written under a wrong clock.
run_hooks() {
    local file contact lanes=() lane now
    now=$(date +%s)
    touch "$queue/.now" && touch -d "@$((now + 86400 + 60))" "$queue/.ahead"
    for file in "$queue"/*.*.*; do
        [[ -f $file && $file != */new.* ]] || continue
        [[ ! $file -nt $queue/.now || $file -nt $queue/.ahead ]] || continue
        { IFS= read -r _ && IFS= read -r contact; } <"$file" 2>/dev/null || continue
        lanes+=("$contact"$'\n'"$file")
    done
    while ((${#lanes[@]})); do
        contact=${lanes[0]%%$'\n'*} lane=() rest=()
        for file in "${lanes[@]}"; do
            if [[ ${file%%$'\n'*} == "$contact" ]]; then lane+=("${file#*$'\n'}"); else rest+=("$file"); fi
        done
        lanes=(${rest[@]+"${rest[@]}"})
        while (($(jobs -pr | wc -l) >= 16)); do wait -n 2>/dev/null || sleep 0.2; done
        (for file in "${lane[@]}"; do run_hook "$file"; done) &
    done
    wait
    rm -f "$queue/.now" "$queue/.ahead"
    rmdir "$queue" 2>/dev/null || true
}

run_hook() {
    local file=$1 id time contact number missing text tries pause statuses=(0 0)
    { exec 8<"$file" && flock -n 8; } 2>/dev/null && [[ $file -ef /dev/fd/8 ]] || return 0
    { IFS= read -r time && IFS= read -r contact && IFS= read -r number && IFS= read -r missing &&
        IFS= read -r text; } <&8 || return 0
    id=${file##*/} tries=${file##*.}
    id=${id%.*}
    printf '%s\n' "${text//␊/$'\n'}" 2>/dev/null |
        SMSENC_ID=$id SMSENC_TIME=$time SMSENC_FROM=$contact SMSENC_NUMBER=$number SMSENC_MISSING=$missing \
            exec env -u SMSENC_SESSION timeout -k 5 "$limit" sh -c "$run" >&2 8<&- || statuses=("${PIPESTATUS[@]}")
    if ((statuses[1] == 0)); then
        rm -f "$file"
        return
    fi
    pause=$((tries < 11 ? 60 << tries : 86400))
    ((pause <= 86400)) || pause=86400
    if ((statuses[1] == 124 || statuses[1] == 137)); then
        say "the command of --run took longer than $limit s for message $id; it will be run again in $((pause / 60)) min"
    else
        say "the command of --run failed with status ${statuses[1]} for message $id; it will be run again in $((pause / 60)) min"
    fi
    touch -d "@$(($(date +%s) + pause))" "$file" && mv "$file" "${file%.*}.$((tries + 1))"
}
