# Completions of the smsenc tools and scripts for bash. Options, their values and commands are those of
# --help. Contacts and identities are offered if a session is open.

# Prints the first column of a list from the keyring. Never asks for a password.
_smsenc_names() {
    [[ -n ${SMSENC_SESSION:-} ]] || return 0
    SMSENC_PASSWORD_FILE=/dev/null smsenc-keyring "$@" 2>/dev/null </dev/null | cut -f 1
}

# Prints the --help of a command, with each long line in one piece.
_smsenc_help() {
    "$@" --help 2>/dev/null |
        awk 'NR > 1 && !/^       / { print line } { line = sub(/^       +/, "  ") ? line $0 : $0 } END { print line }'
}

# Offers the values for words of --help, on stdin: contacts, identities, or the words themselves.
_smsenc_values() {
    local kind line quote='' begun=${word//\\/}
    case $word in \"* | \'*) quote=${word:0:1} begun=${word:1} ;; esac
    while read -r kind; do
        while IFS= read -r line; do
            [[ $line == "$begun"* ]] || continue
            # bash does not quote the words that it completes within quotation marks.
            case $quote in
            '') line=$(printf %q "$line") ;;
            *) [[ $line != *[\"\'\`\$\\!]* ]] || continue ;;
            esac
            COMPREPLY+=("$line")
        done < <(case $kind in
            CONTACT) _smsenc_names list ;;
            IDENTITY) _smsenc_names identity list ;;
            [a-z]* | --*) echo "$kind" ;;
        esac)
    done
}

# Prints the commands of smsenc: those of smsenc-keyring, and the programs smsenc-*. $1 is the folder with a slash, or empty.
_smsenc_commands() {
    printf '%s\n' help doctor tutor
    compgen -c smsenc- | sed 's/^smsenc-//'
    "$1smsenc-keyring" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p'
}

_smsenc() {
    local tool=${1##*/} word=${COMP_WORDS[COMP_CWORD]} before='' command='' help value i
    COMPREPLY=()
    if [[ $tool == smsenc && $word != -* ]] || [[ $tool == smsenc && ${COMP_WORDS[1]} == [a-z]* && " help doctor tutor " != *" ${COMP_WORDS[1]} "* ]]; then
        command=${COMP_WORDS[1]} tool=${1%smsenc}
        if ((COMP_CWORD == 1)) || [[ $COMP_CWORD:$command == 2:help ]]; then
            _smsenc_values < <(_smsenc_commands "$tool" | sort -u)
            return
        elif [[ " help doctor tutor " == *" $command "* ]]; then
            return
        fi
        # The completions of the program that smsenc runs.
        local COMP_WORDS=("${COMP_WORDS[@]}") COMP_CWORD=$COMP_CWORD
        if command -v "${tool}smsenc-$command" >/dev/null; then
            COMP_WORDS=("${tool}smsenc-$command" "${COMP_WORDS[@]:2}") COMP_CWORD=$((COMP_CWORD - 1))
        else
            COMP_WORDS=("${tool}smsenc-keyring" "${COMP_WORDS[@]:1}")
        fi
        _smsenc "${COMP_WORDS[0]}"
        return
    fi
    ((COMP_CWORD == 0)) || before=${COMP_WORDS[COMP_CWORD - 1]}
    case $tool in
    smsenc-keyring | smsenc-file | smsenc-send | smsenc-receive | smsenc-route)
        for ((i = 1; i < COMP_CWORD; i++)); do
            case $command:${COMP_WORDS[i]} in
            *:-k | *:--keyring | *:-i | *:--identity | *:--password-file) ((i++)) ;;
            *:-*) ;;
            :*) command=${COMP_WORDS[i]} ;;
            identity:* | set:*) command+=" ${COMP_WORDS[i]}" ;;
            esac
        done
        ;;
    esac
    if [[ $tool == smsenc-keyring && $command ]]; then
        help=$(_smsenc_help "$1" "${command%% *}")
    else
        help=$(_smsenc_help "$1")
    fi
    if [[ $before =~ ^--?[a-zA-Z-]+$ ]]; then
        value=$(sed -nE "s/^ +(-., )?$before(, --[a-z-]+)? ([^ ]+) .*/\3/p" <<<"$help")
        [[ -z $value ]] || { _smsenc_values <<<"${value//|/$'\n'}"; return; }
    fi
    case $tool:$command:$word in
    *:-*)
        _smsenc_values < <(grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' <<<"$help" | grep -o -- '--.*' | sort -u)
        ;;
    smsenc-keyring:*)
        _smsenc_values < <(awk -v before="$command" 'BEGIN { before = before ? "  " before " " : "  " }
            index($0, before) == 1 { split(substr($0, length(before) + 1), words, / +/); print words[1] }' \
            <<<"$help" | uniq)
        ;;
    smsenc-compose::* | smsenc-read::*) _smsenc_values <<<CONTACT ;;
    smsenc-file::*) _smsenc_values <<<$'seal\nopen\nedit\nshare' ;;
    smsenc-route::*) _smsenc_values <<<$'list\nsetup\ncheck\nshow\nsend\nbecame' ;;
    smsenc-route:*) _smsenc_values < <("$1" list 2>/dev/null) ;;
    smsenc-send::* | smsenc-receive::*)
        _smsenc_values < <(smsenc-route list 2>/dev/null)
        ;;
    esac
}
complete -o default -F _smsenc smsenc gsm7-check smsenc-frame smsenc-pad smsenc-keyring smsenc-compose smsenc-file \
    smsenc-inbox smsenc-open smsenc-read smsenc-receive smsenc-report smsenc-route smsenc-send smsenc-slips
