# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# The box, a folder beside the keyring that contains all SMS. Each SMS is a file. The folder that contains the file shows the
# state of the SMS, and the file is moved to another folder when the state changes.
#
#     format                     the version, a keyed hash of the identity or -, and `plain` or `sealed`
#     times                      the times in seconds at which SMS were sent (see queue.bash)
#     tmp/                       files that are being written; those older than an hour can be deleted
#     new/NUMBER                 what arrived in one event and is not decrypted, TIME TAB NUMBER TAB TEXT. An empty file
#                                marks a number that was used. Lines that begin with = are for `seen`
#     seen                       the latest 10,000 SMS of routes that list all SMS, each after its count
#     batch/read                 what smsenc-pad has decrypted and what is not yet in files (see inbox.bash), as old as the
#                                last attempt to decrypt the SMS in unread. The folder is locked meanwhile
#     unread/ARRIVAL             an SMS that could not be decrypted, TIME TAB NUMBER TAB TEXT
#     parts/MESSAGE              a frame that waits for the other parts of its message
#     inbox/new/MESSAGE          a message that was not shown yet, TIME TAB CONTACT TAB TEXT
#     inbox/MESSAGE              a message that was shown
#     run/MESSAGE.N              a message for the command of --run, after N attempts (see run.bash)
#     out/RUN/                   SMS of one run of smsenc-send that wait for the route (see queue.bash)
#     handed/ delivered/ read/ missing/ failed/    SMS that were sent, by what is known of them
#     taken/HASH                 a row that was sent in the last 30 days, or its ID; HASH.rows: rows without IDs
#
# ARRIVAL is NUMBER.PLACE: the number of the event, and the place of the SMS among those of the event. MESSAGE is
# ARRIVAL-CONTACT-POSITION. Files are written in tmp, synced, and then moved to their folders.

# take_for DURATION: sets `since` to the time before this duration, for the option --for of scripts that show what is in the box.
take_for() {
    duration for "$1"
    read_clock "$((EPOCHSECONDS - seconds))"
    since=$time
}

cannot_write() { die 74 "cannot write to $box; check whether its disk is full or read-only"; }

# find_box: sets `box` to the path of the box, and `keyring` to the path of the keyring. Makes the paths in the environment
# absolute, because the script will change to the folder of the box.
find_box() {
    local path
    [[ -z ${SMSENC_KEYRING:-} ]] || { absolute "$SMSENC_KEYRING"; export SMSENC_KEYRING=$path; }
    [[ -z ${SMSENC_PASSWORD_FILE:-} ]] || { absolute "$SMSENC_PASSWORD_FILE"; export SMSENC_PASSWORD_FILE=$path; }
    path=${XDG_DATA_HOME:-}
    [[ $path == /* ]] || path=${HOME:-.}/.local/share
    keyring=${SMSENC_KEYRING:-$path/smsenc/keyring} box=${SMSENC_BOX:-}
    if [[ -z $box ]]; then
        [[ $keyring == /* ]] || die 73 "HOME is not set; set it, or use --box"
        box=$keyring
        [[ ${SMSENC_IDENTITY:-real} == real ]] || { open_session && hash_identity && box+=-${identity_hash:0:16}; } || exit
        box+=-box
    fi
    absolute "$box"
    box=$path
}
# hash_identity: sets `recipient` to the public file key of the identity, and `identity_hash` to a keyed hash of this key. The
# hash reveals nothing about the identity. It stays the same if the identity is renamed, or the keyring is exported and
# imported.
identity_hash=''
hash_identity() {
    [[ -z $identity_hash ]] || return 0
    recipient=$(smsenc-keyring file-key --public) && identity_hash=$(smsenc-keyring hash - <<<"$recipient") || return
    [[ $identity_hash =~ ^[0-9a-f]{32}$ ]] || die 74 "smsenc-keyring failed; run smsenc doctor"
}

# open_box [plain|sealed]: creates the box if it is missing, and checks it. Sets `kind` to plain or sealed.
version='smsenc-box 1'
open_box() {
    local line lines=() mode links owner group size holder
    umask 077
    find_box
    [[ -d $box ]] || create_box "${1:-plain}"
    [[ ! -L $box ]] || die 77 "$box is a symbolic link; use the path of the folder itself"
    # One of the two lines of ls describes the folder that contains the box, and the other the box.
    mapfile -t lines < <(cd -- "$box" 2>/dev/null && ls -ldn ../. .)
    for line in "${lines[@]}"; do
        read -r mode links owner group size _ <<<"$line"
        folder_of "$box"
        [[ $line != *' .' ]] || holder=$box
        is_safe_folder
    done
    [[ -O $box ]] || die 77 "$box belongs to another user; choose another folder with --box"
    ((${#lines[@]} == 2)) && cd -- "$box" || die 73 "cannot open the folder $box; check its permissions, or choose another folder with --box"
    if [[ ! -f format ]]; then
        die 73 "$box is not a box of smsenc; choose another folder with --box"
    fi
    { mapfile -t lines <format; } 2>/dev/null || die 74 "cannot read $box/format; check its permissions and the disk"
    [[ ${lines[0]:-} == "$version" ]] || die 73 "$box was made by another version of smsenc; use that version, or choose another folder with --box"
    identity=${lines[1]:-} kind=${lines[2]:-}
    remove_own
    # If only hooks have used the box, no identity is recorded, and the box can still become sealed.
    if [[ -n ${1:-} && $kind != "$1" && $identity == - ]]; then kind=$1; write_format; fi
    [[ -z ${1:-} || $kind == "$1" ]] || die 73 "the box $box is not $1; choose another folder with --box"
}

create_box() {
    local made=$box.new.$$ type holder
    folder_of "$box"
    mkdir -p -- "$holder" 2>/dev/null || die 73 "cannot create the folder $holder; choose another folder with --box"
    type=$(stat -f -c %T -- "$holder" 2>/dev/null) || type=''
    case $type in
    msdos | vfat | exfat | fuseblk | fat | ntfs | ntfs3)
        die 73 "the file system of $holder ($type) can lose files that are renamed; choose a folder on another disk with --box"
        ;;
    esac
    { mkdir -- "$made" && cd -- "$made" && mkdir tmp new batch unread parts inbox inbox/new run out handed delivered read missing failed taken &&
        printf '%s\n' "$version" - "$1" >format && : >./times && : >batch/read; } 2>/dev/null || die 73 "cannot create the box $box; choose another folder with --box"
    # If the file system cannot sync a folder, files that were renamed could be lost.
    fsync_paths format batch . || die 73 "cannot sync the folder $box; choose a folder on another disk with --box"
    # Another process may have created the box in the meantime.
    cd / && mv -nT -- "$made" "$box" 2>/dev/null && [[ -d $box ]] || die 73 "cannot create the box $box; choose another folder with --box"
    [[ ! -d $made ]] || rm -r -- "$made"
    fsync_paths "$holder" || die 73 "cannot sync the folder $holder; choose a folder on another disk with --box"
}

write_format() {
    printf '%s\n' "$version" "$identity" "$kind" >"tmp/format.$$" || cannot_write
    settle "tmp/format.$$"
    mv -- "tmp/format.$$" format || cannot_write
}

# open_identity: opens a session, and exits if the box belongs to another identity. If a hook has created the box, the first
# identity that opens it becomes its owner. Fails if the keyring is locked.
open_identity() {
    open_session && hash_identity || return
    if [[ $identity == - ]]; then identity=$identity_hash; write_format; fi
    [[ $identity == "$identity_hash" ]] || die 73 "$box belongs to another keyring or identity; choose another folder with --box"
}

# leave: removes the files of this process in tmp, and ends its session.
leave() {
    [[ -z ${box:-} || $PWD != "$box" ]] || remove_own
    close_session
}
# remove_own: removes the files of this process in tmp, and those of an earlier process with the same number.
remove_own() {
    local file
    list_of "tmp/*.$$" "tmp/split.$$/*/*"
    [[ ${kind:-} != sealed ]] || for file in "${files[@]}"; do [[ ! -f $file || $file == */event.* ]] || wipe "$file" || true; done
    ((${#files[@]} == 0)) || rm -rf -- "${files[@]}" 2>/dev/null || true
}
# wipe FILE: overwrites FILE. The file system or the disk may still have copies that this function cannot overwrite.
wipe() {
    local size
    size=$(($(wc -c <"$1")))
    ((size == 0)) || { head -c "$size" /dev/zero 1<>"$1" && fsync_paths "$1"; }
}
settle() { fsync_paths "$@" || die 74 "cannot write to the disk of $box; check the disk"; }
# each_part COMMAND ... -- PATH ...: runs the command with at most 1000 of the paths at a time.
each_part() {
    local command=() i
    while [[ $1 != -- ]]; do command+=("$1"); shift; done
    shift
    for ((i = 1; i <= $#; i += 1000)); do "${command[@]}" "${@:i:1000}" || return; done
}
# place FOLDER FILE ...: moves files to a folder, and syncs the folder. The files must already be synced.
place() {
    (($# > 1)) || return 0
    each_part mv -t "$1" -- "${@:2}" && settle "$1" || cannot_write
}

# last_number FOLDER: sets `number` to the highest number at the beginning of a file name in FOLDER, or to 0 if there is none.
last_number() {
    local files
    list_of "$1/*"
    number=${files[*]: -1}
    number=${number##*/} number=$((10#0${number%%[!0-9]*}))
}
# list_of GLOB ...: sets `files` to the files that match the patterns.
list_of() {
    shopt -s nullglob
    # shellcheck disable=SC2206 # These are patterns.
    files=($@)
    shopt -u nullglob
}

# read_contacts: reads the contacts from the keyring. Sets the arrays `name_of`, `number_of`, `state_of`, `receipts_of` and
# `row_of`, whose keys are the ids of contacts.
declare -gA name_of number_of state_of receipts_of row_of
read_contacts() {
    local line rows id fields
    rows=$(smsenc-keyring list) || return
    while IFS= read -r line; do
        IFS=$'\t' read -r -a fields <<<"$line"
        id=${line##*$'\t'}
        [[ $id =~ ^#[0-9a-f]{16}$ ]] || continue
        name_of[$id]=${fields[0]} number_of[$id]=${fields[1]} state_of[$id]=${fields[2]} receipts_of[$id]=${fields[10]}
        row_of[$id]=${fields[7]}$'\t'${fields[8]}$'\t'${fields[9]}
    done <<<"$rows"
}
# ask PATH ...: asks the keyring whether the contacts in `state_of` have read the SMS in these files. Writes lines PATH TAB
# ANSWER TAB TIME to tmp/answers. ANSWER is read, missing, ended or empty.
ask() {
    local result=0
    printf '%s\n' "${!state_of[@]}" "$@" | awk -F - '
        /^#/ { is_known[$0] = 1; next }
        ("#" $5) in is_known { print "#" $5 "\t" $6 "\t" $0 }' >"tmp/asked.$$" || cannot_write
    cut -f 1,2 "tmp/asked.$$" | smsenc-keyring sent - >"tmp/said.$$" || result=$?
    ((result <= 1)) || return "$result"
    awk 'BEGIN { FS = OFS = "\t" } FILENAME == ARGV[1] { answer[$1, $2] = $3 OFS $4; next }
        ($1, $2) in answer { print $3, answer[$1, $2]; next } { lacking = 1 }
        END { exit lacking }' "tmp/said.$$" "tmp/asked.$$" >"tmp/answers.$$" || ((result == 1)) || die 74 "smsenc-keyring failed; run smsenc doctor"
}

# tidy_box: once a day, deletes files that are no longer needed. Also joins SMS that are older than a month into one file for
# each month. Each line of this file contains the name of an SMS, TAB, and the SMS.
tidy_box() {
    local state month now time files
    read_clock
    [[ ! -e tmp/tidied-${time%%T*} ]] || return 0
    # Two processes that join at the same time would lose SMS.
    exec 5<taken
    flock -n 5 || return 0
    find tmp -mindepth 1 -mmin +60 -exec rm -rf {} + && find taken -type f -mtime +30 -exec rm -f {} + && : >"tmp/tidied-${time%%T*}" ||
        { say "cannot delete old files in $box"; return 0; }
    # Keep the times of the last 31 days.
    exec 8<out
    if (($(wc -c <./times) > 1000000)) && flock -n 8; then
        now=$now awk '$1 > ENVIRON["now"] - 31 * 86400' times | tail -n 99999 >"tmp/times.$$" && fsync_paths "tmp/times.$$" && mv -- "tmp/times.$$" times || true
    fi
    exec 8<&-
    for state in handed delivered read failed; do
        find "$state" -maxdepth 1 -type f -name '*-*-*-*' -mtime +31 | sort | awk -F - '
            { print ($10 ~ /^20[0-9][0-9][01][0-9]/ ? substr($10, 1, 4) "-" substr($10, 5, 2) : "1970-01") "\t" $0 }' >"tmp/old.$$" || return 0
        [[ -s tmp/old.$$ ]] || continue
        while IFS= read -r month; do
            {
                { [[ ! -e $state/$month ]] || cat "$state/$month"; } &&
                    month=$month awk -F '\t' '$1 == ENVIRON["month"] {
                        name = $2; sub(/.*\//, "", name)
                        line = ""
                        if ((getline line <$2) < 0) exit 1
                        print name "\t" line
                        close($2)
                    }' "tmp/old.$$"
            } | awk -F '\t' '!had[$1]++' >"tmp/month.$$" && fsync_paths "tmp/month.$$" && mv -- "tmp/month.$$" "$state/$month" && fsync_paths "$state" &&
                month=$month awk -F '\t' '$1 == ENVIRON["month"] { print $2 }' "tmp/old.$$" | tr '\n' '\0' | xargs -0 rm -f -- || return 0
        done < <(cut -f 1 "tmp/old.$$" | sort -u)
    done
    exec 5<&-
}
