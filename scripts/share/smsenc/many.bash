# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Hands over many SMS in one call of a route that defines route_send_many. The file `going` in the folder of a run contains the
# names of the SMS in the call. When the route accepts an SMS, a file SMS-TIME-REFERENCE is written at once. The file SMS is
# removed after the call. If the run is killed, an SMS in `going` that has no file SMS-TIME-REFERENCE has not been answered by
# the route.
most_in_call=50

# count_free: sets `free` to the number of SMS that may be sent now. Uses `times`, which wait_for_slot has read.
count_free() {
    local limit count each
    free=$most_in_call
    read_clock
    for limit in "${limits[@]}"; do
        count=${limit%/*}
        for each in "${times[@]}"; do ((each + ${limit#*/} + 1 <= now)) || count=$((count - 1)); done
        ((count >= free)) || free=$count
    done
    ((free > 0)) || free=1
}

# hand_over_call: hands over the SMS in `call`, and stores what the route answers for each.
hand_over_call() {
    local file base number text line arguments=() result=0 handed=() gone=() failed=() again=0 on_answer=take_answer
    local -A file_of line_of
    printf '%s\n' "${call[@]##*/}" >"$folder/going" || cannot_write
    settle "$folder/going" "$folder"
    for file in "${call[@]}"; do
        IFS= read -r line <"$file"
        base=${file##*/} base=${base%.again}
        [[ $file != *.again ]] || again=$((again + 1))
        short_name "$base"
        file_of[$base]=$file line_of[$base]=$line
        text=${line##*$'\t'} number=${line#*$'\t'*$'\t'*$'\t'} number=${number%%$'\t'*}
        arguments+=("$base"$'\t'"$number"$'\t'"$text")
    done
    say_again "$again"
    call_route route_send_many "$at" "${arguments[@]}" || result=$?
    if ((${#handed[@]})); then settle "${handed[@]}" "$folder"; rm -f -- "${gone[@]}" || cannot_write; fi
    for line in "${failed[@]}"; do fail_sms "${line%%$'\t'*}" "${line#*$'\t'}"; done
    for base in "${!file_of[@]}"; do
        last_answer
        [[ -n $said && $said != *$'\t'* ]] || said="the route gave no answer (status $result)"
        explain "$result"
        fail_sms "${file_of[$base]}" "$said"
    done
    : >"$folder/going" || cannot_write
}

# take_answer LINE: stores an answer of the route, and restarts the time limit.
take_answer() {
    local base=${1%%$'\t'*} rest=${1#*$'\t'} file
    file=${file_of[$base]-}
    [[ -n $file && ($rest == accepted* || $rest == failed$'\t'*) ]] || return 0
    started=$SECONDS
    unset "file_of[$base]"
    note_time
    if [[ $rest == failed* ]]; then failed+=("$file"$'\t'"${rest#*$'\t'}"); return; fi
    rest=${rest#accepted} rest=${rest//[!A-Za-z0-9]/}
    handed+=("${file%.again}-${time//[-:]/}-${rest:0:40}") gone+=("$file")
    printf '%s\n' "${line_of[$base]}" >"${handed[${#handed[@]} - 1]}" || cannot_write
    sent=$((sent + 1))
    show_progress "$sent of $of SMS sent"
}

# repair_call: handles the call of a run that was killed. An SMS counts as handed over if a report about it has arrived.
repair_call() {
    local call file base reported='' now time
    [[ -s $folder/going ]] || return 0
    read_clock
    [[ ! -s $folder/reported ]] || reported=$(<"$folder/reported")
    mapfile -t call <"$folder/going"
    for file in "${call[@]}"; do
        file=$folder/$file
        [[ $file == *-*-*-* && -e $file ]] || continue
        list_of "${file%.again}-*Z-*"
        if ((${#files[@]})); then
            settle "${files[@]}"
            rm -f -- "$file" || cannot_write
            continue
        fi
        echo "$now" >>./times || cannot_write
        short_name "${file%.again}"
        if [[ $reported == *$'\t'"$base"$'\t'* ]]; then
            mv -- "$file" "${file%.again}-${time//[-:]/}-" || cannot_write
        elif [[ $file != *.again ]]; then
            mv -- "$file" "$file.again" || cannot_write
        fi
    done
    : >"$folder/going" || cannot_write
}

# take_reported: records the delivery reports that arrived while the run was handing over SMS (see note_report).
take_reported() {
    local reports line
    [[ -s $folder/reported ]] || return 0
    # shellcheck source=scripts/share/smsenc/states.bash
    . "$share/states.bash"
    mv -- "$folder/reported" "tmp/reported.$$" || cannot_write
    mapfile -t reports <"tmp/reported.$$"
    for line in "${reports[@]}"; do note_report "$line" || true; done
}
