# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# What smsenc-receive --seal does: what is written is sealed, a block of age's text for each batch.

block='/^-----BEGIN AGE /,/^-----END AGE /'

# find_recipient: sets `recipient` to the file key of the open keyring. Fails, with a note, if nothing may be sealed
# now: the keyring is locked, or the inbox is sealed to another key. INBOX.recipient holds a hash of the inbox's key,
# since anyone who has the key itself can forge messages.
find_recipient() {
    local key hash known='' result=0
    recipient=''
    (needs age "it (apt-get install age)") || { note_status 69; return 1; }
    key=$(smsenc-keyring file-key --public) || {
        result=$?
        say "nothing is lost: what was not read is in $unread; see to it, and use --retry"
        note_status "$result"
        return 1
    }
    hash=$(printf %s "$key" | sha256sum) || fail 74 "sha256sum failed"
    make_own "$inbox.recipient" || fail 74 "cannot write to $inbox.recipient"
    IFS= read -r known <"$inbox.recipient" || true
    # An empty inbox may be sealed to any key.
    if [[ -n $known && $known != "$hash" && -s $inbox ]]; then
        say "$inbox is sealed to another file key, of another keyring or identity; name another inbox or move $inbox away, then use --retry; what has come is in $unread"
        note_status 73
        return 1
    fi
    if [[ $known != "$hash" ]]; then
        printf '%s\n' "$hash" >"$inbox.recipient" || fail 74 "cannot write to $inbox.recipient"
        on_disk "$inbox.recipient"
    fi
    recipient=$key
}

# is_sealed FILE: whether it begins so; an empty one may become either.
is_sealed() {
    local first=''
    IFS= read -r first <"$1" || true
    [[ $first == '-----BEGIN AGE '* ]]
}

# seal FILE: in its place. None is made of nothing. The key is in no argument, which other users could see.
seal() {
    [[ -s $1 ]] || return 0
    printf '%s\n' "$recipient" | without_session age -a -R - -o "$1.sealed" "$1" || fail 74 "age failed"
    must mv "$1.sealed" "$1"
}

# opened FILE: what was sealed in it, and behind it what was not.
opened() {
    local line result=0
    if ! LC_ALL=C grep -aq '^-----BEGIN AGE ' "$1"; then
        cat "$1"
        return
    fi
    LC_ALL=C sed -n "${block}p" "$1" >"$batch/blocks" || return 74
    smsenc-file open -- "$batch/blocks" 2>"$batch/said" || result=$?
    while IFS= read -r line; do printf '%s\n' "${line/"$batch/blocks"/$unread}" >&2; done <"$batch/said"
    LC_ALL=C sed "${block}d" "$1" || return 74
    rm -f "$batch/blocks" "$batch/said"
    return "$result"
}
