# What the scripts for users have in common; each reads it before all else. They need bash 5.
# shellcheck disable=SC2034 # what functions answer in variables

name=${0##*/}
share=${BASH_SOURCE[0]%/*}
[[ $share == /* ]] || share=$PWD/$share

# without_controls TEXT REPLACEMENT: TEXT as `shown`, without the characters that printable.awk takes out. It is one
# line then. No other program is needed for it.
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

# printable: the lines on stdin as a terminal may be shown them.
printable() { LC_ALL=C awk -v is_filter=1 -f "$share/printable.awk"; }

# A message that cannot be printed, on a full disk, ends nothing.
say() {
    local shown
    without_controls "$*" '?'
    printf '%s: %s\n' "$name" "$shown" >&2 || true
}
die() { say "$2"; exit "$1"; }
needs() { command -v "$1" >/dev/null || die 69 "there is no $1; install ${2:-it}"; }
[[ -e /dev/fd ]] || die 69 "there is no /dev/fd; as root: ln -s /proc/self/fd /dev/fd"
misuse() { die 64 "$1; see --help"; }
print_version() { smsenc-frame --version | sed "s/^[^ ]*/${0##*/}/"; }

# note_status STATUS: the exit status is the highest one noted.
status=0
note_status() { (($1 <= status)) || status=$1; }

# quoted TEXT: as a word for any sh, which %q of bash is not.
quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }

# absolute PATH: as `path`.
absolute() {
    path=$1
    [[ $path == /* ]] || path=$PWD/$path
}

# read_clock [SECONDS]: the seconds since 1970, as `now`, and this time in UTC, as `time`. Without SECONDS it is the
# present.
read_clock() {
    local TZ=UTC0
    printf -v now '%(%s)T' "${1:--1}"
    printf -v time '%(%Y-%m-%dT%H:%M:%SZ)T' "$now"
}

# --- Sessions, editors, folders in memory

# open_session [OPTION ...]: of smsenc-keyring. If no session is open, opens one, so that the password and scrypt
# are paid for once. The script ends it with close_session.
own_session=false
open_session() {
    local session
    ! smsenc-keyring "$@" status 2>/dev/null | grep -x $'session\topen' >/dev/null || return 0
    session=$(smsenc-keyring "$@" unlock --for 15m)
    eval "$session"
    own_session=true
}
close_session() { ! $own_session || smsenc-keyring "$@" lock; }

# without_session COMMAND ...: runs a program that has no use for the session, and may outlive it.
without_session() { env -u SMSENC_SESSION "$@"; }

# place_in_memory: sets `place` to a folder that is certainly in memory.
place_in_memory() {
    for place in "${XDG_RUNTIME_DIR:-}" /dev/shm; do
        [[ -n $place && -w $place ]] || continue
        case $(stat -f -c %T "$place" 2>/dev/null) in
        tmpfs | ramfs) return ;;
        esac
    done
    return 1
}

# folder_in_memory: makes `folder`, certainly in memory, for its owner alone.
folder_in_memory() {
    local place
    if place_in_memory; then folder=$(mktemp -d "$place/$name.XXXXXX") && return; fi
    say "there is no folder in memory to edit it in: neither XDG_RUNTIME_DIR nor /dev/shm"
    return 1
}

# --- Codes for cameras

needs_qrencode() { needs qrencode "it, or leave out --qr"; }

# show_code NUMBER TEXT: what a telephone's camera opens as an SMS that is ready to be sent; in colours of
# its own on a terminal, dark on light elsewhere, for paper.
show_code() {
    local form=UTF8i
    [[ ! -t 1 ]] || form=ANSIUTF8
    # In one piece: of pieces each would have its encoding guessed.
    echo "$1"
    printf 'SMSTO:%s:%s' "$1" "$2" | qrencode -8 -t "$form" -m 4 -l L -o -
}

# --- Files in folders where others may be

# folder_of FILE: as `holder`. No substitution: a name may end in a newline.
folder_of() {
    holder=${1%/*}
    [[ $holder != "$1" ]] || holder=.
    holder=${holder:-/}
}

# facts_of FILE: `mode` as ls has it, with the kind before it, `links`, `owner`, `group` and `size`; of a link, its own.
# Nothing if there is no such file.
facts_of() {
    mode='' links='' owner='' group='' size=''
    read -r mode links owner group size _ < <(LC_ALL=C ls -ldn -- "$1" 2>/dev/null) || true
}

# safe_folder FILE: refuses a folder in which others could put another file into FILE's place, as the
# keyring does. A sticky one keeps them from that, if it is one's own or root's.
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
        die 77 "others can write to the folder $holder; run: chmod go-w $(printf %q "$holder")"
}

# is_own FILE: whether it is a file of this user's, under this name alone.
is_own() {
    local mode links owner group size
    facts_of "$1"
    [[ $mode == -* && $links == 1 && $owner == "$EUID" ]]
}

# make_own FILE: makes it if it is missing, following no link; refuses a file that is not this user's alone. In a
# safe folder nobody else can put another file into its place then.
make_own() {
    safe_folder "$1"
    [[ ! -L $1 ]] || die 77 "$1 is a link; name the file that it leads to"
    [[ -e $1 ]] || (set -C && : >"$1") 2>/dev/null || return
    is_own "$1" || die 77 "$1 is no file of yours alone; name another"
}

# fsync_paths PATH ...: files and folders are on the disk then. If sync takes no files, all of the disk is written.
fsync_paths() { sync -- "$@" 2>/dev/null || { ! sync / 2>/dev/null && sync; }; }
