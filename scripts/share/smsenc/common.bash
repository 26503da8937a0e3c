# Functions that the scripts for users share. Each script sources this file first. Needs bash 5, which must be started with -p,
# because it would otherwise use functions and shell options of the caller.
# shellcheck disable=SC2034 # functions return results in variables

name=${0##*/}
share=${BASH_SOURCE[0]%/*}
[[ $share == /* ]] || share=$PWD/$share
unset FUNCNEST TMOUT
# load PART ...: sources other parts.
load() {
    local part
    # shellcheck disable=SC1090
    for part; do . "$share/$part.bash"; done
}

# is_whole ARRAY: removes the last line of an array that mapfile has read, and succeeds if this line is a dot. A process that
# prints the lines prints the dot at the end, because mapfile does not notice if the process was killed.
is_whole() {
    local -n _read=$1
    [[ "${_read[*]: -1}" == . ]] && unset '_read[-1]'
}

# The scripts handle text as bytes. Commands of the user run in the user's own locale.
user_locale=${LC_ALL-} missing_locale=''
export LC_ALL=C
# If this locale is not installed, each program that bash starts would print a warning.
[[ -z $user_locale || -z $({ LC_ALL=$user_locale; } 2>&1) ]] || missing_locale=$user_locale user_locale=C.UTF-8
# A timer may run a script by its path, with a PATH that does not contain the tools beside the script.
command -v smsenc-pad >/dev/null || PATH=$PATH:${share%/share/smsenc}/bin

# without_controls TEXT REPLACEMENT: sets `shown` to TEXT on one line, with REPLACEMENT for the characters that printable.awk
# removes. Does not start any program.
without_controls() {
    local LC_ALL=C
    shown=${1//[[:cntrl:]]/$2}
    shown=${shown//$'\302'[$'\200'-$'\237'$'\255']/$2}
    shown=${shown//$'\330\234'/$2}
    shown=${shown//$'\342\200'[$'\213'$'\216'$'\217'$'\250'-$'\256']/$2}
    shown=${shown//$'\342\201'[$'\240'-$'\257']/$2}
    shown=${shown//$'\357\273\277'/$2}
    shown=${shown//$'\363\240'[$'\200'$'\201']?/$2}
}

# as_user: restores the locale of the user, and removes the token of the session. Called in a subshell before it runs a command
# of the user.
as_user() {
    unset SMSENC_SESSION
    restore_locale
}
restore_locale() { if [[ -n $user_locale ]]; then LC_ALL=$user_locale; else unset LC_ALL; fi; } 2>/dev/null

# printable: copies stdin to stdout, without characters that control a terminal.
printable() { awk -v is_filter=1 -f "$share/entities.awk" -f "$share/printable.awk"; }
# safely: does the same as `printable` if stdout is a terminal. Otherwise, copies stdin unchanged.
safely() { if [[ -t 1 ]]; then printable; else cat; fi; }

# note WORD ...: prints a note, which -q suppresses.
quiet=false verbose=false
note() { $quiet || say "$@"; }

# say WORD ...: prints a diagnostic. Ignores errors, for instance if the disk of a log file is full.
say() {
    local shown
    without_controls "$*" '?'
    printf '%s%s: %s\n' "$clear_line" "$name" "$shown" >&2 || true
    clear_line=''
}
# show_progress TEXT: replaces the line of progress on a terminal.
clear_line=''
show_progress() {
    $quiet || [[ ! -t 2 ]] || printf '\r\e[K%s' "$1" >&2
    clear_line=$'\r\e[K'
    [[ -t 2 && -n $1 ]] && ! $quiet || clear_line=''
}
# die STATUS TEXT: prints a diagnostic and exits.
die() { say "$2"; exit "$1"; }
needs() { command -v "$1" >/dev/null || die 69 "$1 is not installed; install ${2:-it}"; }
[[ -e /dev/fd ]] || die 69 "/dev/fd does not exist; as root, run: ln -s /proc/self/fd /dev/fd"
# misuse TEXT [ADVICE]: says that the command line is wrong, and exits.
misuse() { die 64 "$1; ${2:-see --help}"; }

# similar WORD CANDIDATE ...: sets `advice` to a suggestion of the candidate that the user probably meant. The rule is the same
# as in the tools: the candidate differs from WORD only in case, in one inserted, missing or wrong letter, or in two adjacent
# letters that are swapped.
similar() {
    local word=${1,,} candidate other i rest
    advice=''
    for candidate in "${@:2}"; do
        [[ $candidate != "$1" ]] || continue
        other=${candidate,,} i=0
        while ((i < ${#word} && i < ${#other})) && [[ ${word:i:1} == "${other:i:1}" ]]; do i=$((i + 1)); done
        rest=${word:i} other=${other:i}
        if [[ -z $rest$other ]] || ((i + ${#rest} > 2 && i + ${#other} > 2)) && [[ ${rest:1} == "$other" || $rest == "${other:1}" ||
            ${rest:1} == "${other:1}" || ${rest:1:1}${rest:0:1}${rest:2} == "$other" ]]; then
            advice="did you mean $candidate?"
            return
        fi
    done
}
# no_option OPTION [WORD]: says that there is no such option, and exits. The options are those in the usage text. If no option is
# similar or has the same meaning, the advice is `hint`, which a script may set.
hint=''
no_option() {
    local words other others=''
    mapfile -t words < <(grep -oE -e '--[a-z][a-z-]+' <<<"$usage")
    # A long option with one hyphen
    [[ " ${words[*]} " != *" -${2:--} "* ]] || misuse "there is no option $2" "did you mean -$2?"
    similar "$1" "${words[@]}"
    # Names that other programs have for options.
    case ${1##*-} in
    to | contact | recipient | sender | user | r) others='to from' ;;
    url | host | device | modem | port | address | server) others='at' ;;
    exec | command) others=through ;;
    n | simulate | preview) others='dry-run' ;;
    pass | password | passphrase) others='password-file' ;;
    duration | time | timeout | since | days) others=for ;;
    output | o) [[ -n $hint ]] || advice='to write to a file, use >FILE' ;;
    esac
    for other in $others; do
        [[ -n $advice || " ${words[*]} " != *" --$other "* ]] || advice="did you mean --$other?"
    done
    misuse "there is no option $1" "${advice:-$hint}"
}
print_version() { smsenc-frame --version | sed "s/^[^ ]*/${0##*/}/"; }

# note_status STATUS: raises `status`, with which the script will exit, to STATUS.
status=0
note_status() { (($1 <= status)) || status=$1; }

usage_end="  -h, --help, --version    show this help, or the version

Exit statuses and details: $name(1)"
common_usage='  -k, --keyring FILE       use this keyring
  -i, --identity NAME      use this identity
      --password-file FILE read the password from the first line of FILE
      --box FOLDER         use this box (default: beside the keyring)
  -q, --quiet              print errors only
  -v, --verbose            also report what requires no action
'$usage_end

# parse_options OPTIONS ARGUMENT ...: sets a variable for each option, and sets `operands`. OPTIONS contains words such as `all`
# and `f:field=`: the letter (if any) and the name of an option, with = if the option takes a value. All words after the first
# `operand_limit` operands are operands too, because a daemon adds its own arguments to the command of its hook. All scripts also
# have the options in `common_options`. `given` contains the names of the options on the command line.
operands=() operand_limit=9999 given=' ' common_options='k:keyring= i:identity= password-file= box= q:quiet v:verbose h:help version'
parse_options() {
    local options=" $1 $common_options " word option value
    shift
    while (($#)); do
        word=$1
        shift
        case $word in
        --) operands+=("$@"); return ;;
        --*)
            option=${word#--} option=${option%%=*} value=true
            if [[ $options == *[\ :]"$option= "* ]]; then
                if [[ $word == *=* ]]; then value=${word#*=}; else
                    (($#)) || misuse "--$option needs a value"
                    value=$1
                    shift
                fi
            elif [[ $options != *[\ :]"$option "* ]]; then
                no_option "--$option"
            elif [[ $word == *=* ]]; then
                misuse "--$option takes no value"
            fi
            take "$option" "$value"
            ;;
        -?*)
            # Replace the letter by the name of the option.
            option=${options#* "${word:1:1}:"} value=${word:2}
            [[ $option != "$options" ]] || no_option "${word:0:2}" "$word"
            option=--${option%% *}
            if [[ $option == *= ]]; then set -- "${option%=}${value:+=$value}" "$@"; else set -- "$option" ${value:+"-$value"} "$@"; fi
            ;;
        *)
            operands+=("$word")
            ((${#operands[@]} <= operand_limit)) || { operands+=("$@"); return; }
            ;;
        esac
    done
}
# take NAME VALUE: calls the function take_NAME of the script with VALUE or, if there is none, sets the variable NAME to VALUE. The
# value of an option that takes none is `true`. Names have _ in the place of -.
take() {
    local variable=${1//-/_}
    given+="$1 "
    case $1 in
    keyring | identity | password-file | box) export "SMSENC_${variable^^}=$2" ;;
    help) echo "$usage"; exit ;;
    version) print_version; exit ;;
    *) if declare -F "take_$variable" >/dev/null; then "take_$variable" "$2"; else printf -v "$variable" %s "$2"; fi ;;
    esac
}

# seconds_of DURATION: sets `seconds` to a duration such as 90s, 30m, 12h or 7d, which is at most 366 days. Fails if it is
# malformed.
seconds_of() {
    local -A unit=([s]=1 [m]=60 [h]=3600 [d]=86400)
    [[ $1 =~ ^([1-9][0-9]{0,7})([smhd])$ ]] || return
    seconds=$((BASH_REMATCH[1] * unit[${BASH_REMATCH[2]}]))
    ((seconds <= 366 * 86400))
}
# duration OPTION DURATION: sets `seconds`, or exits.
duration() { seconds_of "$2" || misuse "--$1 takes a duration such as 90s, 30m, 12h or 7d, up to 366d, not $2"; }

# quoted TEXT: prints TEXT quoted for any POSIX shell. The %q of bash writes quotes that only bash understands.
quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }
# word_of NAME: sets `word` to NAME as it is typed in a shell.
word_of() { word=$1; [[ $1 =~ ^[A-Za-z0-9_.+-]+$ ]] || word=$(quoted "$1"); }

# print_sms TIME NUMBER TEXT: prints a line of route_receive. Replaces newlines and TABs, because they would end a line or field.
print_sms() {
    local text=${3//$'\r\n'/$'\n'}
    while [[ $text == *$'\n' ]]; do text=${text%$'\n'}; done
    text=${text//$'\n'/␊}
    printf '%s\t%s\t%s\n' "$1" "${2//[$'\n\t']/ }" "${text//$'\t'/ }"
}

# absolute PATH: sets `path` to the absolute path.
absolute() {
    path=$1
    [[ $path == /* ]] || path=$PWD/$path
}

# read_clock [SECONDS]: sets `now` to SECONDS, or else to the current time, in seconds since 1970. Sets `time` to the same
# time in UTC.
read_clock() {
    local TZ=UTC0
    printf -v now '%(%s)T' "${1:--1}"
    printf -v time '%(%Y-%m-%dT%H:%M:%SZ)T' "$now"
}

# --- Sessions, editors, folders in memory

# open_session: opens a session if none is open, so that the password is asked for only once and scrypt runs
# only once. The script must end the session with close_session.
own_session=false
open_session() {
    local session state result=0
    if [[ -n ${SMSENC_SESSION:-} ]]; then
        state=$(smsenc-keyring status 2>/dev/null) || true
        case $'\n'$state$'\n' in
        *$'\nsession\topen\n'*) return ;;
        # Print the same text as the tools.
        *$'\nsession\tended\n'*)
            state="open a new session with eval \"\$(smsenc-keyring unlock)\", or unset SMSENC_SESSION"
            [[ -z ${SMSENC_OPEN:-} ]] || state="type exit, and then run smsenc-open again"
            say "the session has ended; $state"
            ;;
        esac
    fi
    session=$(smsenc-keyring unlock --for 15m) || result=$?
    # The tool prints a command that sets SMSENC_SESSION, or a command that fails if the keyring is locked.
    eval "$session" || return "$((result > 0 ? result : 77))"
    own_session=true
}
close_session() { ! $own_session || smsenc-keyring lock || true; }

# without_session COMMAND ...: runs a program without the token of the session.
without_session() (as_user && exec "$@")

# folder_in_memory: creates a private folder on a file system in memory, and sets `folder` to it.
folder_in_memory() {
    local place
    for place in "${XDG_RUNTIME_DIR:-}" /dev/shm; do
        [[ -w $place && $(stat -f -c %T "$place" 2>/dev/null) =~ ^(tmpfs|ramfs)$ ]] || continue
        folder=$(mktemp -d "$place/$name.XXXXXX") && return
    done
    say "cannot create a file in memory for the editor: neither XDG_RUNTIME_DIR nor /dev/shm is available"
    return 1
}

# --- QR codes

needs_qrencode() { needs qrencode "it, or leave out --qr"; }

# show_code NUMBER TEXT: prints a QR code that a phone opens as an SMS ready to send. On a terminal, the output also sets the
# colours. Otherwise, the code is dark on light, for paper.
show_code() {
    local form=UTF8i rows='' columns=''
    if [[ -t 1 ]]; then
        form=ANSIUTF8
        read -r rows columns < <(stty size </dev/tty 2>/dev/null) || true
        # A code of version 8 has 49 modules in each direction, and a margin of 4 modules on each side.
        ((${rows:-0} == 0 || rows >= 34 && columns >= 61)) ||
            say "the QR code does not fit into this window of $rows lines and $columns columns; enlarge the window to 34 lines and 61 columns, or choose a smaller font"
    fi
    # Pass the text as a single argument or a single input, because qrencode guesses the encoding of each part separately.
    echo "$1"
    printf 'SMSTO:%s:%s' "$1" "$2" | qrencode -8 -t "$form" -m 4 -l L -o -
}

# --- Files in folders that other users can access

# folder_of FILE: sets `holder` to the folder of FILE. Uses no command substitution, because a name may end in a newline.
folder_of() {
    holder=${1%/*}
    [[ $holder != "$1" ]] || holder=.
    holder=${holder:-/}
}

# facts_of FILE: sets `mode` (as ls shows it, beginning with the file type), `links`, `owner`, `group` and `size`. Does not
# follow symbolic links. All are empty if the file does not exist.
facts_of() {
    mode='' links='' owner='' group='' size=''
    read -r mode links owner group size _ < <(ls -ldn -- "$1" 2>/dev/null) || true
}

# safe_folder FILE: exits if other users could replace FILE in its folder. The tools check the folder of the keyring by the same
# rule. Other users cannot replace FILE if the folder has the sticky bit, and belongs to the user or to root.
safe_folder() {
    local holder mode links owner group size
    folder_of "$1"
    facts_of "$holder/."
    is_safe_folder
}
is_safe_folder() {
    [[ -n $mode ]] || return 0
    [[ $owner == "$EUID" || $owner == 0 ]] ||
        die 77 "$holder belongs to another user; run: chown \"\$USER\" $(printf %q "$holder")"
    [[ ${mode:5:1}${mode:8:1} == -- || ${mode:9:1} == [tT] ]] ||
        die 77 "other users can write to the folder $holder; run: chmod go-w $(printf %q "$holder")"
}

# is_own FILE: succeeds if FILE is a regular file of this user without other hard links.
is_own() {
    local mode links owner group size
    facts_of "$1"
    [[ $mode == -* && $links == 1 && $owner == "$EUID" ]]
}

# fsync_paths PATH ...: writes files and folders to the disk. If sync(1) takes no arguments, writes everything.
fsync_paths() { sync -- "$@" 2>/dev/null || { ! sync / 2>/dev/null && sync; }; }
