# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Runs a command for each message, for smsenc-receive --run. Each message is a file run/MESSAGE.N with the fields TIME CONTACT
# NUMBER MISSING TEXT. N is the number of attempts. The modification time of the file is the time of the next attempt.

# Runs the command for the messages of a contact in order, and for different contacts at the same time. A modification time
# more than a day ahead was written under a wrong clock.
run_hooks() {
    local file contact
    local -A lanes
    list_of 'run/*.*-*.*'
    ((${#files[@]})) || return 0
    read_contacts || { say "the commands of --run wait, because the keyring is locked"; return; }
    : >"tmp/now.$$" && : >"tmp/ahead.$$" && touch -d "@$((EPOCHSECONDS + 86400 + 60))" "tmp/ahead.$$"
    for file in "${files[@]}"; do
        [[ ! $file -nt tmp/now.$$ || $file -nt tmp/ahead.$$ ]] || continue
        contact=${file#*-}
        lanes[${contact%%-*}]+=$file$'\n'
    done
    for contact in "${!lanes[@]}"; do
        while (($(jobs -pr | wc -l) >= 16)); do wait -n 2>/dev/null || sleep 0.2; done
        (while IFS= read -r file; do run_hook "$file"; done < <(printf %s "${lanes[$contact]}")) &
    done
    wait
}

run_hook() {
    local file=$1 id line time contact number missing text tries pause statuses=(0 0)
    { exec 8<"$file" && flock -n 8; } 2>/dev/null && [[ $file -ef /dev/fd/8 ]] || return 0
    line=$(opened "$file") || { say "the message $box/$file cannot be opened"; return 0; }
    IFS=$'\t' read -r time contact number missing text <<<"$line"
    tries=${file##*.} id=${file#*-}
    id=${id%.*}
    printf '%s\n' "${text//␊/$'\n'}" 2>/dev/null | (
        as_user
        exec 7<&- 8<&-
        cd -- "$where" || exit
        export SMSENC_ID=$id SMSENC_TIME=$time SMSENC_FROM=${name_of[$contact]:-$contact} SMSENC_NUMBER=$number SMSENC_MISSING=$missing
        exec timeout -k 5 "$run_limit" sh -c "$run" >&2
    ) || statuses=("${PIPESTATUS[@]}")
    if ((statuses[1] == 0)); then
        rm -f -- "$file"
        return
    fi
    pause=$((tries < 11 ? 60 << tries : 86400))
    ((pause <= 86400)) || pause=86400
    if ((statuses[1] == 124 || statuses[1] == 137)); then
        say "the command of --run took longer than $run_limit s for message $id; it will be run again in $((pause / 60)) min"
    else
        say "the command of --run failed with status ${statuses[1]} for message $id; it will be run again in $((pause / 60)) min"
    fi
    touch -d "@$((EPOCHSECONDS + pause))" "$file" && mv -- "$file" "${file%.*}.$((tries + 1))"
}
