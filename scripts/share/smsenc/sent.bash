# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# The table of --sent: a line for each SMS that was handed over, or was not, and for each thing that became
# known of it later. Lines are only ever added.
#
#     TIME FATE ID CONTACT NUMBER SMS REFERENCE REASON
#
# SMS is the SMS's name: when its run began, and a hash of the ciphertext; an SMS that goes out once more has the
# same. REFERENCE is what the daemon or the network calls it. A missing field is -. What reads the table takes the
# last eight fields of a line, since the power may have failed in the midst of the one before it.

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

# hash_of TEXT: FNV-1a of 64 bits, as `hash`. No program is needed for it; ciphertexts are random.
hash_of() {
    local LC_ALL=C i code sum=-3750763034362895579
    for ((i = 0; i < ${#1}; i++)); do
        printf -v code %d "'${1:i:1}"
        sum=$(((sum ^ (code & 255)) * 1099511628211))
    done
    printf -v hash %016x "$sum"
}

# sent_line FATE ID CONTACT NUMBER SMS REFERENCE REASON: as `line`.
sent_line() {
    local field shown now time
    read_clock
    line=$time
    for field; do
        without_controls "$field" ' '
        line+=$'\t'${shown:--}
    done
}

# append_sent LINES: behind whole lines of `sent`. Only if another process has written there is the last byte looked
# at. It is not on the disk yet.
sent_mark=''
append_sent() {
    if [[ -z $sent_mark || $sent -nt $sent_mark ]]; then
        [[ -z $(tail -c 1 "$sent") ]] || echo >>"$sent" || return
    fi
    printf '%s\n' "$1" >>"$sent"
} 2>/dev/null

# add_sent FATE ID CONTACT NUMBER SMS REFERENCE REASON: on the disk when it returns.
add_sent() {
    local line
    sent_line "$@"
    append_sent "$line" && fsync_paths "$sent"
}

# add_report FATE NAME NUMBER REFERENCE REASON: what a daemon says of an SMS, which it knows by its name, or, if NAME
# is -, by its number and a reference. 1 for one that is not in `sent`, as another's is, or has that fate there. With
# an * before NAME such a line is added all the same.
add_report() {
    local id='' contact='' number='' sms='' name=${2#\*}
    [[ $name != - ]] || name=''
    if [[ $2 != '*' ]]; then
        IFS=$'\t' read -r id contact number sms < <(
            fate=$1 name=$name number=$3 reference=$4 LC_ALL=C \
                awk -f "$share/sent.awk" -f "$share/find-sms.awk" -- "$sent"
        ) || [[ $2 == '*'* ]] || return 1
    fi
    add_sent "$1" "$id" "$contact" "${number:-$3}" "$sms" "$4" "$5" || die 74 "cannot write to $sent"
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
