# Completions of the smsenc tools and scripts for bash. What options there are, each says itself, in
# its --help. Contacts and identities are known when a session is open.

# The first column of a list of the keyring. Never asks for a password.
_smsenc_names() {
    [[ -n ${SMSENC_SESSION:-} ]] || return 0
    SMSENC_PASSWORD_FILE=/dev/null smsenc-keyring "$@" 2>/dev/null </dev/null | cut -f 1
}

# Adds what fits of the lines on stdin, blanks and all.
_smsenc_offer() {
    local line
    while IFS= read -r line; do
        [[ $line != "$word"* ]] || COMPREPLY+=("$(printf %q "$line")")
    done
}

# The long options in the lines on stdin.
_smsenc_options() { grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u; }

# The commands of the keyring, and of smsenc-file.
_smsenc_commands() { sed -n 's/^  \([a-z][a-z-]*\).*/\1/p' | uniq; }

_smsenc() {
    local tool=${1##*/} word=${COMP_WORDS[COMP_CWORD]} before='' command='' table='' i
    COMPREPLY=()
    ((COMP_CWORD == 0)) || before=${COMP_WORDS[COMP_CWORD - 1]}
    case $tool in
    smsenc-keyring | smsenc-file | smsenc-route)
        for ((i = 1; i < COMP_CWORD; i++)); do
            case ${COMP_WORDS[i]} in
            -k | --keyring | -i | --identity | --password-file) ((i++)) ;;
            -) table=yes ;;
            -*) ;;
            *) command=${command:-${COMP_WORDS[i]}} ;;
            esac
        done
        ;;
    esac
    case $before in
    -c | --contact) [[ $tool != smsenc-pad ]] || { _smsenc_offer < <(_smsenc_names list); return; } ;;
    -i | --identity) _smsenc_offer < <(_smsenc_names identity list); return ;;
    --kind) _smsenc_offer <<<$'partial\nfictitious\ntransient'; return ;;
    --state)
        _smsenc_offer <<<$'waiting\nunverified\nready\nverified\nrestored'
        return
        ;;
    esac
    case $tool:$command:$word in
    smsenc-keyring:?*:-*)
        _smsenc_offer < <({
            "$1" --help | awk -v command="$command" '/^ ? ?[^ ]/ { shown = $1 == command } shown'
            [[ -z $table ]] || echo --rejects --status --fail-fast --progress --null
        } 2>/dev/null | _smsenc_options)
        ;;
    *:-*) _smsenc_offer < <("$1" --help 2>/dev/null | _smsenc_options) ;;
    smsenc-keyring::*) _smsenc_offer < <("$1" --help 2>/dev/null | _smsenc_commands) ;;
    smsenc-keyring:identity:*) _smsenc_offer <<<$'list\nadd\nrename\nremove' ;;
    smsenc-keyring:sync:* | smsenc-keyring:resync:* | smsenc-keyring:offer:* | \
        smsenc-keyring:accept:* | smsenc-keyring:verify:* | smsenc-keyring:edit:* | \
        smsenc-keyring:remove:* | smsenc-keyring:show:* | smsenc-compose::* | smsenc-read::*)
        _smsenc_offer < <(_smsenc_names list)
        ;;
    smsenc-file::*) _smsenc_offer <<<$'seal\nopen\nedit\nshare' ;;
    smsenc-clipboard::*) _smsenc_offer <<<$'copy\npaste\ntool' ;;
    smsenc-route::*) _smsenc_offer <<<$'send\nreceive\none\nlist' ;;
    smsenc-route:*)
        ((COMP_CWORD != 2)) || _smsenc_offer <<<$'modemmanager\ntermux\nkdeconnect\nhttp'
        ;;
    esac
}
complete -o default -F _smsenc gsm7-check smsenc-frame smsenc-pad smsenc-keyring smsenc-clipboard \
    smsenc-compose smsenc-file smsenc-gammu-receive smsenc-gammu-send smsenc-inbox smsenc-open \
    smsenc-outbox smsenc-read smsenc-route smsenc-slips smsenc-smstools-receive smsenc-smstools-send
