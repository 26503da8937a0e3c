# Functions that the scripts for users share. Each script sources this file first. Needs bash 5.
# shellcheck disable=SC2034 # functions return results in variables

name=${0##*/}
share=${BASH_SOURCE[0]%/*}
[[ $share == /* ]] || share=$PWD/$share

# without_controls TEXT REPLACEMENT: sets `shown` to TEXT on one line, with REPLACEMENT for the characters that
# printable.awk removes. Starts no program.
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

# printable: copies stdin to stdout, without characters that control a terminal.
printable() { LC_ALL=C awk -v is_filter=1 -f "$share/printable.awk"; }

# say WORD ...: prints a diagnostic. Ignores errors, for instance if the disk of a log file is full.
say() {
    local shown
    without_controls "$*" '?'
    printf '%s: %s\n' "$name" "$shown" >&2 || true
}
# die STATUS TEXT: prints a diagnostic and exits.
die() { say "$2"; exit "$1"; }
needs() { command -v "$1" >/dev/null || die 69 "$1 is not installed; install ${2:-it}"; }
[[ -e /dev/fd ]] || die 69 "/dev/fd does not exist; as root, run: ln -s /proc/self/fd /dev/fd"
misuse() { die 64 "$1; see --help"; }
print_version() { smsenc-frame --version | sed "s/^[^ ]*/${0##*/}/"; }

# note_status STATUS: raises `status`, with which the script will exit, to STATUS.
status=0
note_status() { (($1 <= status)) || status=$1; }

# quoted TEXT: prints TEXT quoted for any POSIX shell. The %q of bash writes quotes that only bash understands.
quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }

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

# open_session [OPTION ...]: opens a session if none is open, so that the password is asked for only once and scrypt runs
# only once. The options are those of smsenc-keyring. The script must end the session with close_session.
own_session=false
open_session() {
    local session state
    state=$(smsenc-keyring "$@" status 2>/dev/null | sed -n $'s/^session\t//p') || :
    case $state in
    open) return ;;
    # The tools print the same text.
    ended)
        session="open a new session with eval \"\$(smsenc-keyring unlock)\", or unset SMSENC_SESSION"
        [[ -z ${SMSENC_OPEN:-} ]] || session="type exit, and then run smsenc-open again"
        say "the session has ended; $session"
        ;;
    esac
    session=$(smsenc-keyring "$@" unlock --for 15m)
    eval "$session"
    own_session=true
}
close_session() { ! $own_session || smsenc-keyring "$@" lock; }

# without_session COMMAND ...: runs a program without the token of the session.
without_session() { env -u SMSENC_SESSION "$@"; }

# place_in_memory: sets `place` to a folder on a file system in memory. Fails if there is none.
place_in_memory() {
    for place in "${XDG_RUNTIME_DIR:-}" /dev/shm; do
        [[ -n $place && -w $place ]] || continue
        case $(stat -f -c %T "$place" 2>/dev/null) in
        tmpfs | ramfs) return ;;
        esac
    done
    return 1
}

# folder_in_memory: creates a private folder on a file system in memory, and sets `folder` to it.
folder_in_memory() {
    local place
    if place_in_memory; then folder=$(mktemp -d "$place/$name.XXXXXX") && return; fi
    say "cannot create a file in memory for the editor: neither XDG_RUNTIME_DIR nor /dev/shm is available"
    return 1
}

# --- QR codes

needs_qrencode() { needs qrencode "it, or leave out --qr"; }

# show_code NUMBER TEXT: prints a QR code that a phone opens as an SMS ready to send. On a terminal, the code sets its
# colours. Elsewhere it is dark on light, for paper.
show_code() {
    local form=UTF8i
    [[ ! -t 1 ]] || form=ANSIUTF8
    # The text must be one argument or one input: qrencode guesses the encoding of each separately.
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
    read -r mode links owner group size _ < <(LC_ALL=C ls -ldn -- "$1" 2>/dev/null) || true
}

# safe_folder FILE: exits if other users could replace FILE in its folder. The keyring has the same rule. Other users
# cannot replace FILE if the folder belongs to the user or to root and has the sticky bit.
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

# make_own FILE: creates FILE if it is missing, without following a symbolic link. Exits if the file does not belong to
# this user alone. Its folder is safe, so nobody else can replace it afterwards.
make_own() {
    safe_folder "$1"
    [[ ! -L $1 ]] || die 77 "$1 is a symbolic link; use the path of the file itself"
    [[ -e $1 ]] || (set -C && : >"$1") 2>/dev/null || return
    is_own "$1" || die 77 "$1 is not a regular file that belongs only to you; choose another file"
}

# fsync_paths PATH ...: writes files and folders to the disk. If sync(1) takes no arguments, writes everything.
fsync_paths() { sync -- "$@" 2>/dev/null || { ! sync / 2>/dev/null && sync; }; }
