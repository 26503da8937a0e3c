# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Limits the rate at which smsenc-send hands over SMS. `run`/log has a line for each SMS with the times, in seconds, at which
# its hand-over began and ended. When the run ends, its lines are moved to `spool`/sent, which keeps lines for 31 days.
# Descriptor 7 locks `spool` meanwhile. If the last line has no end, the SMS counts as sent now.

# The limits of this run as N/SECONDS, the time after which no SMS is sent, and the times of the last SMS of all runs.
limits=() deadline='' times=() times_are_known=false

# seconds_of DURATION: sets `seconds`. DURATION is 90s, 30m, 12h or 7d, up to 31 days.
seconds_of() {
    [[ $1 =~ ^([1-9][0-9]{0,6})([smhd])$ ]] || return
    case ${BASH_REMATCH[2]} in
    s) seconds=${BASH_REMATCH[1]} ;;
    m) seconds=$((BASH_REMATCH[1] * 60)) ;;
    h) seconds=$((BASH_REMATCH[1] * 3600)) ;;
    d) seconds=$((BASH_REMATCH[1] * 86400)) ;;
    esac
    ((seconds <= 31 * 86400))
}

# add_limit N/DURATION: adds a limit. Fails if it is malformed.
add_limit() {
    local seconds
    [[ $1 =~ ^[1-9][0-9]{0,4}/ ]] && seconds_of "${1#*/}" && limits+=("${1%%/*}/$seconds")
}

save_pace() { printf '%s\n' "${limits[*]-}" "$deadline" >"$run/pace"; }

# load_pace: reads the limits of an interrupted run. If that run had no limits, the limits of this run apply.
load_pace() {
    local told
    [[ -s $run/pace ]] || return 0
    { IFS= read -r told && IFS= read -r deadline; } <"$run/pace" || return 0
    [[ -z $told ]] || IFS=' ' read -r -a limits <<<"$told"
}

# load_times: reads as many times of SMS as the largest limit needs. A time in the future was written under a wrong clock, so
# it counts as now.
load_times() {
    local most=0 limit
    for limit in "${limits[@]}"; do ((${limit%/*} <= most)) || most=${limit%/*}; done
    : >"$run/looked"
    read -r -a times < <(now=$now most=$most LC_ALL=C awk 'BEGIN {
        now = ENVIRON["now"] + 0
        for (i = 1; i < ARGC; i++)
            while ((getline line <ARGV[i]) > 0) {
                end[++count] = split(line, part, " ") > 1 && part[2] < now ? part[2] + 0 : now
                # The times are already in order, except if runs were concurrent or the clock was set.
                for (j = count; j > 1 && end[j - 1] > end[j]; j--) { t = end[j]; end[j] = end[j - 1]; end[j - 1] = t }
            }
        for (i = count > ENVIRON["most"] ? count - ENVIRON["most"] + 1 : 1; i <= count; i++) printf "%d ", end[i]
        print ""
    }' "$spool/sent" "$spool"/run.*/log) || true
    times_are_known=true
}

# others_went: succeeds if another run may have sent an SMS since `times` was read.
others_went() {
    local file
    for file in "$spool/sent" "$spool"/run.*/log; do
        [[ $file == "$run/log" || ! -e $file || "$run/looked" -nt $file ]] || return 0
    done
    return 1
}

# tidy_times [LOG]: adds the times in LOG to `spool`/sent, and removes times that are too old or in the future.
tidy_times() {
    local file=$spool/sent
    flock 7
    read_clock
    touch "$file" && now=$now LC_ALL=C awk '
        BEGIN { now = ENVIRON["now"] + 0 }
        NF < 2 { $2 = now }
        $2 > now { $1 = $2 = now }
        $2 > now - 31 * 86400 - 2 { print $1, $2 }' "$file" "$@" >"$file.new" &&
        fsync_paths "$file.new" && mv "$file.new" "$file" && { (($# == 0)) || : >"$1"; } || { flock -u 7; return 74; }
    flock -u 7
}

# wait_for_slot: waits until an SMS may be sent, and records the beginning of its hand-over. Returns 1 if the SMS cannot be
# sent in time, 75 if it is left for the next run, and 74 if a file cannot be written.
wait_for_slot() {
    local now time due limit count
    read_clock
    [[ -z $deadline ]] || ((now <= deadline)) || return 1
    ((${#limits[@]})) || return 0
    while true; do
        if ! $times_are_known || others_went || { ((${#times[@]})) && ((times[${#times[@]} - 1] > now)); }; then
            load_times
        fi
        due=0 count=${#times[@]}
        for limit in "${limits[@]}"; do
            # Add a second, because times are rounded down to whole seconds.
            ((count < ${limit%/*})) || ((times[count - ${limit%/*}] + ${limit#*/} < due)) ||
                due=$((times[count - ${limit%/*}] + ${limit#*/} + 1))
        done
        ((due > now)) || break
        settle_notes || return 74
        unlock_sent
        [[ -z $deadline ]] || ((due <= deadline)) || return 1
        $waits || return 75
        # Meanwhile other runs may send SMS, and the clock may be set.
        sleep "$((due - now < 600 ? due - now : 600))"
        read_clock
        [[ -z $deadline ]] || ((now <= deadline)) || return 1
    done
    printf '%s ' "$now" >>"$run/log" && settle_notes "$run/log" || return 74
}

# note_went: records the end of the hand-over. An SMS that was not accepted counts too, because the operator may have
# counted it.
note_went() {
    local now time
    read_clock
    if ((${#limits[@]})); then
        times+=("$now")
        echo "$now" >>"$run/log"
    else
        echo "$now $now" >>"$run/log"
    fi 2>/dev/null || true
}
