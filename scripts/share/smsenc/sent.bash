# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Writes the sent file. The file has a line for each attempt to hand over an SMS, for each later report about an SMS, and for
# each receipt.
#
#     TIME STATUS ID CONTACT NUMBER SMS REFERENCE REASON CIPHERTEXT
#
# SMS is the name of the SMS: its run, its place in the run, and its tag. An SMS that is sent again keeps its name.
# REFERENCE is the name that the daemon or the network uses for the SMS. The line of a receipt contains the number and the
# tags of the receipt as REFERENCE and REASON. A missing field is -. Programs that read the file use the last nine fields of
# a line, because a power failure may have truncated the line before it.
#
# Lines are added under a shared lock. Once a day, smsenc-send rewrites the file under an exclusive lock.

# open_sent FILE: sets `sent` to the absolute path of FILE. Creates FILE if it is missing.
open_sent() {
    { make_own "$1" && true 2>/dev/null >>"$1"; } || die 73 "cannot write to $1"
    absolute "$1"
    sent=$path
}

# try_open_sent FILE: does the same, but does not exit. If FILE cannot be opened, sets `sent` to an empty string and
# `unnoted` to the status, because SMS that have arrived must be stored in any case.
try_open_sent() {
    unnoted=0
    (open_sent "$1") || unnoted=$?
    sent=''
    ((unnoted > 0)) || open_sent "$1"
}

# lock_sent [OPTION ...]: locks the sent file as descriptor 3, with options of flock, until unlock_sent. If tidy_sent has
# replaced the file, locks the new file.
sent_is_locked=false
lock_sent() {
    ! $sent_is_locked || return 0
    while true; do
        { exec 3>>"$sent"; } 2>/dev/null || return 74
        flock "${@:--s}" 3 || { exec 3>&-; return 75; }
        [[ ! $sent -ef /dev/fd/3 ]] || break
    done
    sent_is_locked=true
}
unlock_sent() {
    ! $sent_is_locked || exec 3>&-
    sent_is_locked=false
}

# tidy_sent: rewrites the sent file once a day with tidy-sent.awk, unless the file is in use. If this fails, the file is
# unchanged.
tidy_sent() {
    local first now time line holder
    read_clock
    IFS= read -r first <"$sent" || return 0
    [[ ${first%%T*} != "${time%%T*}" ]] && lock_sent -w 10 || return 0
    sent_line tidied '' '' '' '' '' '' ''
    folder_of "$sent"
    # Sync the archives before their lines are removed from the sent file.
    { echo "$line" && now=$now archive=$sent- LC_ALL=C awk -f "$share/sent.awk" -f "$share/tidy-sent.awk" -- "$sent" "$sent"; } \
        >"$sent.new" && fsync_paths "$sent"[.-]* && mv "$sent.new" "$sent" && fsync_paths "$holder" ||
        say "cannot clean up $sent"
    rm -f "$sent.new"
    unlock_sent
}

# sent_line STATUS ID CONTACT NUMBER SMS REFERENCE REASON CIPHERTEXT: sets `line`.
sent_line() {
    local field shown now time
    read_clock
    line=$time
    for field; do
        without_controls "$field" ' '
        line+=$'\t'${shown:--}
    done
}

# append_sent LINES: appends LINES to `sent`, which remains locked, without syncing them. If another process has left a
# truncated line, ends that line first.
sent_mark=''
append_sent() {
    lock_sent || return
    if [[ -z $sent_mark || $sent -nt $sent_mark ]]; then
        [[ -z $(tail -c 1 "$sent") ]] || echo >>"$sent" || return
    fi
    printf '%s\n' "$1" >>"$sent"
} 2>/dev/null

# add_lines LINES: appends LINES and syncs them.
add_lines() {
    local result=0
    append_sent "$1" && fsync_paths "$sent" || result=74
    unlock_sent
    return "$result"
}

# add_report STATUS NAME NUMBER REFERENCE REASON: adds a delivery report. The daemon names the SMS by NAME or, if NAME is -, by
# NUMBER and REFERENCE. Returns 1 if `sent` does not have the SMS, or has this report already. If NAME begins with *, the
# report is added in any case.
add_report() {
    local id='' contact='' number='' sms='' name=${2#\*} line
    [[ $name != - ]] || name=''
    if [[ $2 != '*' ]]; then
        IFS=$'\t' read -r id contact number sms < <(
            tac -- "$sent" 2>/dev/null | status=$1 name=$name number=$3 reference=$4 LC_ALL=C \
                awk -f "$share/sent.awk" -f "$share/find-sms.awk"
        ) || [[ $2 == '*'* ]] || return 1
    fi
    sent_line "$1" "$id" "$contact" "${number:-$3}" "$sms" "$4" "$5" ''
    add_lines "$line" || die 74 "cannot write to $sent"
}

# add_receipt TIME CONTACT NUMBER TAGS: adds a receipt from CONTACT, and a line for each SMS that it confirms, unless the
# sent file already contains these lines.
add_receipt() {
    local lines
    lines=$(time=$1 contact=$2 number=$3 tags=$4 LC_ALL=C \
        awk -f "$share/sent.awk" -f "$share/receipt.awk" -- "$sent") || return 74
    [[ -z $lines ]] || add_lines "$lines"
}

# read_unconfirmed: sets `references` to the references of the latest hundred SMS of the last seven days that are neither
# delivered nor failed.
read_unconfirmed() {
    local now time
    read_clock
    read_clock "$((now - 7 * 86400))"
    mapfile -t references < <(time=$time LC_ALL=C awk -F '\t' "$(<"$share/sent.awk")"'
        !is_line() { next }
        $2 == "sent" && $7 != "-" && $1 > ENVIRON["time"] { reference[$6] = $7; order[++count] = $6 }
        $2 == "delivered" || $2 == "failed" { delete reference[$6] }
        END {
            for (i = count; i > 0 && printed < 100; i--)
                if (order[i] in reference) { print reference[order[i]]; delete reference[order[i]]; printed++ }
        }' "$sent")
}
