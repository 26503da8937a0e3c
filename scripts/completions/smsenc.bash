# Completions of the smsenc tools for bash. Contacts are known when a session is open.

# What is typed after a contact's name begins: names, a line each. Never asks for a password.
_smsenc_contacts() {
    [[ -n ${SMSENC_SESSION:-} ]] || return 0
    SMSENC_PASSWORD_FILE=/dev/null smsenc-keyring list 2>/dev/null </dev/null | cut -f 1
}

# Adds what fits of the lines on stdin, blanks and all.
_smsenc_offer() {
    local line
    while IFS= read -r line; do
        [[ $line != "$word"* ]] || COMPREPLY+=("$(printf %q "$line")")
    done
}

_smsenc() {
    local tool=${1##*/} word=${COMP_WORDS[COMP_CWORD]} before='' command='' i options=''
    COMPREPLY=()
    ((COMP_CWORD == 0)) || before=${COMP_WORDS[COMP_CWORD - 1]}
    case $tool in
    gsm7-check)
        options='--basic --count --field --limit --quiet --transliterate --invert --null --rejects
            --fail-fast --progress --probe --probe-check --help --version'
        ;;
    smsenc-frame)
        options='--unpack --field --split --unicode --null --rejects --fail-fast --progress --help
            --version'
        ;;
    smsenc-pad)
        options='--decipher --contact --number --name --field --null --identity --keyring --far
            --password-file --rejects --fail-fast --progress --help --version'
        ;;
    smsenc-compose) options='--edit --print --split --transliterate --unicode --help' ;;
    smsenc-read) options='--paste --far --help' ;;
    smsenc-file)
        options='--armor --identity --keyring --key --help'
        for ((i = 1; i < COMP_CWORD; i++)); do
            case ${COMP_WORDS[i]} in
            -k | --keyring | -i | --identity | --key) ((i++)) ;;
            -*) ;;
            *) command=${COMP_WORDS[i]}; break ;;
            esac
        done
        ;;
    smsenc-keyring)
        options='--keyring --identity --password-file --help --version'
        for ((i = 1; i < COMP_CWORD; i++)); do
            case ${COMP_WORDS[i]} in
            -k | --keyring | -i | --identity | --password-file) ((i++)) ;;
            -*) ;;
            *) command=${COMP_WORDS[i]}; break ;;
            esac
        done
        ;;
    esac
    case $before in
    -c | --contact)
        [[ $tool != smsenc-pad ]] || { _smsenc_offer < <(_smsenc_contacts); return; }
        ;;
    --kind) _smsenc_offer <<<$'partial\nfictitious\ntransient'; return ;;
    esac
    if [[ $word == -* ]]; then
        case $command in
        init) options='--user --country --lockout' ;;
        passwd) options='--user --country --new-password-file' ;;
        unlock) options='--for' ;;
        lock) options='--all' ;;
        destroy) options='--yes' ;;
        add) options='--number --yes' ;;
        edit) options='--name --number --yes' ;;
        resync | offer) options='--new' ;;
        adopt) options='--moved --restored' ;;
        identity) options='--kind' ;;
        file-key) options='--public --yes' ;;
        esac
        _smsenc_offer < <(printf '%s\n' $options)
        return
    fi
    case $tool:$command in
    smsenc-keyring:)
        _smsenc_offer < <(printf '%s\n' init passwd destroy unlock lock status add sync resync offer \
            accept verify edit remove list show export import adopt identity file-key)
        ;;
    smsenc-file:) _smsenc_offer <<<$'seal\nopen\nedit\nshare' ;;
    smsenc-keyring:identity) _smsenc_offer <<<$'list\nadd\nrename\nremove' ;;
    smsenc-keyring:sync | smsenc-keyring:resync | smsenc-keyring:offer | smsenc-keyring:accept | \
        smsenc-keyring:verify | smsenc-keyring:edit | smsenc-keyring:remove | smsenc-keyring:show | \
        smsenc-compose: | smsenc-read:)
        _smsenc_offer < <(_smsenc_contacts)
        ;;
    esac
}
complete -o default -F _smsenc gsm7-check smsenc-frame smsenc-pad smsenc-keyring smsenc-compose \
    smsenc-read smsenc-file
