# Functions of scripts/install and scripts/uninstall, which may run as root. They use the variables prefix, destination
# and list.

refuse() { echo "${0##*/}: $2" >&2; exit "$1"; }

# has_members GROUP: succeeds if the group, given by its number, may have members other than this user and root.
has_members() {
    local members names
    members=$(getent group "$1" | cut -d : -f 4) || return 0
    names=$(getent passwd | awk -F : -v group="$1" '$4 == group { print $1 }') || return 0
    tr , '\n' <<<"$members,$names" | grep -vxF -e '' -e root -e "$(id -un)" >/dev/null
}

# check_folder FOLDER [sticky]: refuses a folder in which other users could replace files, or, without `sticky`, create
# files.
check_folder() {
    local mode owner group
    [[ -d $1 ]] || return 0
    read -r mode _ owner group _ < <(LC_ALL=C ls -ldn -- "$1/.") || refuse 74 "cannot read the permissions of $1"
    [[ $owner == 0 || $owner == "$EUID" ]] || refuse 77 "$1 belongs to another user; choose another PREFIX"
    [[ ${2:-} != sticky || $mode != *[tT]* ]] || return 0
    if [[ ${mode:8:1} != - ]] || { [[ ${mode:5:1} != - ]] && has_members "$group"; }; then
        refuse 77 "other users can write to $1; run: chmod go-w $(printf %q "$1")"
    fi
}

# check_prefix: checks PREFIX and the folders above it.
check_prefix() {
    local folder=$destination$prefix
    check_folder "$folder"
    while [[ $folder == */* ]]; do
        folder=${folder%/*}
        check_folder "${folder:-/}" sticky
    done
}

# check_below FOLDER: checks a folder below PREFIX and the folders between, each once.
checked=:
check_below() {
    local folder=$1
    while [[ $folder == "$prefix"/* && $checked != *:"$folder":* ]]; do
        check_folder "$destination$folder"
        checked+=$folder:
        folder=${folder%/*}
    done
}

# is_below_prefix FILE: succeeds if a file in the list is below PREFIX. A list may name any file.
is_below_prefix() { [[ $1 == "$prefix"/* && $1/ != */../* && $1 != *[[:cntrl:]]* ]]; }
