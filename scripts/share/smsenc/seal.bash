# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Seals the inbox and the unread file with age, for smsenc-receive --seal. Each batch becomes one armored block of age.

block='/^-----BEGIN AGE /,/^-----END AGE /'

# find_recipient: sets `recipient` to the public file key of the open keyring. Prints a diagnostic and fails if the keyring
# is locked, or if the inbox is sealed for another key. INBOX.recipient contains only a hash of the key of the inbox, because
# anyone who has the key can forge messages.
find_recipient() {
    local key hash known='' result=0
    recipient=''
    (needs age "it (apt-get install age)") || { note_status 69; return 1; }
    key=$(smsenc-keyring file-key --public) || {
        result=$?
        say "nothing is lost; fix the problem, and use --retry to decrypt the SMS in $unread"
        note_status "$result"
        return 1
    }
    hash=$(printf %s "$key" | sha256sum) || fail 74 "sha256sum failed"
    make_own "$inbox.recipient" || fail 74 "cannot write to $inbox.recipient"
    IFS= read -r known <"$inbox.recipient" || true
    # An empty inbox can be sealed for any key.
    if [[ -n $known && $known != "$hash" && -s $inbox ]]; then
        say "$inbox is sealed to the file key of another keyring or identity; choose another inbox or move $inbox away, and then use --retry to decrypt the SMS in $unread"
        note_status 73
        return 1
    fi
    if [[ $known != "$hash" ]]; then
        printf '%s\n' "$hash" >"$inbox.recipient" || fail 74 "cannot write to $inbox.recipient"
        on_disk "$inbox.recipient"
    fi
    recipient=$key
}

# is_sealed FILE: succeeds if FILE begins with a sealed block. An empty file can become sealed or unsealed.
is_sealed() {
    local first=''
    IFS= read -r first <"$1" || true
    [[ $first == '-----BEGIN AGE '* ]]
}

# seal FILE: replaces FILE by a sealed file, unless FILE is empty. The key is not an argument, which other users could see.
seal() {
    [[ -s $1 ]] || return 0
    printf '%s\n' "$recipient" | without_session age -a -R - -o "$1.sealed" "$1" || fail 74 "age failed"
    must mv "$1.sealed" "$1"
}

# opened FILE: prints the content of the sealed blocks of FILE, and then the lines that are not sealed.
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
