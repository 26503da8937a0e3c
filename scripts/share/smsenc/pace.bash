# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# How fast smsenc-send hands SMS over. A run has a line for each SMS in `run`/log, when its hand-over began and when
# it ended, in seconds. When the run ends its lines go to `spool`/sent, which keeps those of 31 days. Descriptor 7,
# `spool`, is locked meanwhile. If the end is missing in the last line, the SMS counts as sent now.

# Of the run at hand: N/SECONDS each, and when it is too late. When the last SMS went, of all runs, in order.
limits=() deadline='' times=() times_are_known=false

# seconds_of DURATION: 90s, 30m, 12h or 7d, up to 31 days.
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

# add_limit N/DURATION
add_limit() {
    local seconds
    [[ $1 =~ ^[1-9][0-9]{0,4}/ ]] && seconds_of "${1#*/}" && limits+=("${1%%/*}/$seconds")
}

save_pace() { printf '%s\n' "${limits[*]-}" "$deadline" >"$run/pace"; }

# What a run that was left had been told; if it was told no pace, that of this one.
load_pace() {
    local told
    [[ -s $run/pace ]] || return 0
    { IFS= read -r told && IFS= read -r deadline; } <"$run/pace" || return 0
    [[ -z $told ]] || IFS=' ' read -r -a limits <<<"$told"
}

# Reads when SMS went, as many as a limit asks for. A time in the future came of a clock that was wrong: it counts as
# now.
load_times() {
    local most=0 limit
    for limit in "${limits[@]}"; do ((${limit%/*} <= most)) || most=${limit%/*}; done
    : >"$run/looked"
    read -r -a times < <(now=$now most=$most LC_ALL=C awk 'BEGIN {
        now = ENVIRON["now"] + 0
        for (i = 1; i < ARGC; i++)
            while ((getline line <ARGV[i]) > 0) {
                end[++count] = split(line, part, " ") > 1 && part[2] < now ? part[2] + 0 : now
                # In order already, but for those of several runs, and of a clock that was set.
                for (j = count; j > 1 && end[j - 1] > end[j]; j--) { t = end[j]; end[j] = end[j - 1]; end[j - 1] = t }
            }
        for (i = count > ENVIRON["most"] ? count - ENVIRON["most"] + 1 : 1; i <= count; i++) printf "%d ", end[i]
        print ""
    }' "$spool/sent" "$spool"/run.*/log) || true
    times_are_known=true
}

# Whether another run may have sent something since.
others_went() {
    local file
    for file in "$spool/sent" "$spool"/run.*/log; do
        [[ $file == "$run/log" || ! -e $file || "$run/looked" -nt $file ]] || return 0
    done
    return 1
}

# tidy_times [LOG]: adds what is in LOG, and leaves out what is of no use any more, and what is of the future.
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

# Waits until one more SMS may go, and notes that it goes. 1 if it cannot go in time, 75 if it is left for the next
# run, 74 if it cannot be noted.
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
            # A second later, since seconds have parts.
            ((count < ${limit%/*})) || ((times[count - ${limit%/*}] + ${limit#*/} < due)) ||
                due=$((times[count - ${limit%/*}] + ${limit#*/} + 1))
        done
        ((due > now)) || break
        settle_notes || return 74
        unlock_sent
        [[ -z $deadline ]] || ((due <= deadline)) || return 1
        $waits || return 75
        # Others may send, and clocks be set, meanwhile.
        sleep "$((due - now < 600 ? due - now : 600))"
        read_clock
        [[ -z $deadline ]] || ((now <= deadline)) || return 1
    done
    printf '%s ' "$now" >>"$run/log" && settle_notes "$run/log" || return 74
}

# Notes that the SMS went; or that it was not taken, which costs as much as far as one knows.
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
