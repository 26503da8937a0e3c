# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# The table of --sent: a line for each SMS that was handed over, or was not, for each thing that became known of it
# later, and for each receipt.
#
#     TIME FATE ID CONTACT NUMBER SMS REFERENCE REASON CIPHERTEXT
#
# SMS is the name of the SMS: its run, its place there, and its tag. An SMS that goes out once more keeps its name.
# REFERENCE is what the daemon or the network calls it. The line of a receipt has its number and its tags as REFERENCE
# and REASON. A missing field is -. Programs that read the table take the last nine fields of a line, since the power
# may have failed in the midst of the line before it.
#
# Lines are added under a shared lock. Once a day, smsenc-send rewrites the table under an exclusive one.

# open_sent FILE: as `sent`, an absolute path; made if it is missing.
open_sent() {
    { make_own "$1" && true 2>/dev/null >>"$1"; } || die 73 "cannot write to $1"
    absolute "$1"
    sent=$path
}

# try_open_sent FILE: as open_sent. If FILE cannot be opened, `sent` is empty and `unnoted` the status, since an SMS
# that has come is stored all the same.
try_open_sent() {
    unnoted=0
    (open_sent "$1") || unnoted=$?
    sent=''
    ((unnoted > 0)) || open_sent "$1"
}

# lock_sent [OPTION ...]: locks the table, as descriptor 3, with options of flock, until unlock_sent. Whoever tidies it
# puts another file in its place.
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

# tidy_sent: once a day, unless the table is in use: see tidy-sent.awk. If it fails, the table stays as it was.
tidy_sent() {
    local first now time line holder
    read_clock
    IFS= read -r first <"$sent" || return 0
    [[ ${first%%T*} != "${time%%T*}" ]] && lock_sent -w 10 || return 0
    sent_line tidied '' '' '' '' '' '' ''
    folder_of "$sent"
    # Archives are on the disk before their lines leave the table.
    { echo "$line" && now=$now archive=$sent- LC_ALL=C awk -f "$share/sent.awk" -f "$share/tidy-sent.awk" -- "$sent" "$sent"; } \
        >"$sent.new" && fsync_paths "$sent"[.-]* && mv "$sent.new" "$sent" && fsync_paths "$holder" ||
        say "cannot tidy $sent"
    rm -f "$sent.new"
    unlock_sent
}

# sent_line FATE ID CONTACT NUMBER SMS REFERENCE REASON CIPHERTEXT: as `line`.
sent_line() {
    local field shown now time
    read_clock
    line=$time
    for field; do
        without_controls "$field" ' '
        line+=$'\t'${shown:--}
    done
}

# append_sent LINES: behind whole lines of `sent`, which stays locked. Only if another process has written there is the
# last byte looked at. It is not on the disk yet.
sent_mark=''
append_sent() {
    lock_sent || return
    if [[ -z $sent_mark || $sent -nt $sent_mark ]]; then
        [[ -z $(tail -c 1 "$sent") ]] || echo >>"$sent" || return
    fi
    printf '%s\n' "$1" >>"$sent"
} 2>/dev/null

# add_lines LINES: on the disk when it returns.
add_lines() {
    local result=0
    append_sent "$1" && fsync_paths "$sent" || result=74
    unlock_sent
    return "$result"
}

# add_report FATE NAME NUMBER REFERENCE REASON: what a daemon says of an SMS, which it knows by its name, or, if NAME
# is -, by its number and a reference. 1 for one that is not in `sent`, as another's is, or has that fate there. With
# an * before NAME such a line is added all the same.
add_report() {
    local id='' contact='' number='' sms='' name=${2#\*} line
    [[ $name != - ]] || name=''
    if [[ $2 != '*' ]]; then
        IFS=$'\t' read -r id contact number sms < <(
            tac -- "$sent" 2>/dev/null | fate=$1 name=$name number=$3 reference=$4 LC_ALL=C \
                awk -f "$share/sent.awk" -f "$share/find-sms.awk"
        ) || [[ $2 == '*'* ]] || return 1
    fi
    sent_line "$1" "$id" "$contact" "${number:-$3}" "$sms" "$4" "$5" ''
    add_lines "$line" || die 74 "cannot write to $sent"
}

# add_receipt TIME CONTACT NUMBER TAGS: what a receipt of CONTACT says. If it is called again, nothing is added twice.
add_receipt() {
    local lines
    lines=$(time=$1 contact=$2 number=$3 tags=$4 LC_ALL=C \
        awk -f "$share/sent.awk" -f "$share/receipt.awk" -- "$sent") || return 74
    [[ -z $lines ]] || add_lines "$lines"
}

# read_unconfirmed: the references of the SMS of the last seven days that are neither delivered nor failed, as
# `references`, the latest hundred.
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
