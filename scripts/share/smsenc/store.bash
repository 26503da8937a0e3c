# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Stores SMS for smsenc-receive. Every SMS is written to the unread file as a line and synced to the disk before it is
# processed further. Several processes may add lines, so each process locks the file while it writes.

# look_at FILE: exits if FILE is a symbolic link, or exists and is not a regular file of this user.
look_at() {
    [[ ! -L $1 ]] || die 77 "$1 is a symbolic link; use the path of the file itself"
    [[ ! -e $1 || (-f $1 && -O $1) ]] || die 77 "$1 is not a regular file that belongs only to you; choose another file"
}

# lock_unread: opens the unread file as descriptor 8, locks it, and sets `size` and `mode`. Creates the file if it is missing.
# Makes the same checks as safe_folder and make_own, but runs only one program.
lock_unread() {
    local holder
    folder_of "$unread"
    while true; do
        if [[ ! -e $unread && ! -L $unread ]]; then
            safe_folder "$unread"
            (set -C && : >"$unread") 2>/dev/null || [[ -e $unread ]] || not_stored "$unread"
            is_new_file=true
        fi
        look_at "$unread"
        { exec 8>>"$unread"; } 2>/dev/null || die 73 "cannot write to $unread"
        flock -w 90 8 || die 75 "another process has locked $unread for 90 s; the SMS was not stored, so deliver it again"
        # Begin again if the reader has replaced the file.
        [[ ! $unread -ef /dev/fd/8 ]] || break
    done
    # One of the two lines of ls describes the folder.
    local line folder='' file=''
    while IFS= read -r line; do
        case $line in d*) folder=${folder:-$line} ;; *) file=${file:-$line} ;; esac
    done < <(LC_ALL=C ls -ldn -- "$holder/." "$unread" 2>/dev/null)
    read -r mode links owner group size _ <<<"$folder"
    is_safe_folder
    read -r mode links owner group size _ <<<"$file"
    [[ $mode == -* && $links == 1 && $owner == "$EUID" ]] || die 77 "$unread is not a regular file that belongs only to you; choose another file"
}

# not_stored FILE: exits with a status that makes the daemon keep the SMS.
not_stored() {
    local holder
    folder_of "$1"
    [[ -d $holder && -w $holder ]] || die 73 "cannot write to $1"
    die 75 "cannot write to $1; the SMS was not stored, so free disk space and deliver it again"
}

# Matches lines that are printable without changes: ASCII and the other characters of ciphertexts.
usual=$'^([\t -~]|\302[\241\243-\245\247\277]|\303[\200-\277]|\316[\221-\277]|\342\220\212|\342\202\254)*$'

# tidy_lines LINE ...: sets `tidy` to the lines, as TIME TAB NUMBER TAB TEXT, with U+FFFD in place of unsafe characters. A
# line in another format becomes a TEXT, so that the user sees it.
tidy_lines() {
    local LC_ALL=C line is_usual=true
    tidy=''
    for line; do
        line=${line%$'\r'}
        [[ -n $line ]] || continue
        [[ $line == *$'\t'*$'\t'* ]] || line=$'-\t-\t'$line
        [[ $line =~ $usual && $line != *$'\t'*$'\t'*$'\t'* ]] || is_usual=false
        tidy+=$line$'\n'
    done
    $is_usual || tidy=$(printf %s "$tidy" | printable)$'\n'
}

# store: adds the lines of `answer` to the unread file.
store() {
    local mode links owner group size is_new_file=false holder tidy
    tidy_lines ${answer[@]+"${answer[@]}"}
    lock_unread
    if [[ -n $tidy ]]; then
        [[ $size == 0 || -z $(tail -c 1 "$unread") ]] || tidy=$'\n'$tidy
        if ! { printf %s "$tidy" >&8; } 2>/dev/null || ! sync_unread; then
            # Remove a partly written line, because the daemon hands the SMS over again.
            dd if=/dev/null of="$unread" bs=1 seek="$size" 2>/dev/null || true
            not_stored "$unread"
        fi
    fi
    exec 8>&-
}
sync_unread() {
    folder_of "$unread"
    if $is_new_file; then fsync_paths "$unread" "$holder"; else fsync_paths "$unread"; fi
}

# store_list: adds the lines of `answer`, a list of all SMS in a modem, that no earlier list contained. UNREAD.seen contains
# the latest 10,000 lines of lists, each after its count. It is replaced after the unread file. If the process is killed in
# between, UNREAD.seen.new contains the inode of the new unread file.
store_list() {
    local mode links owner group size is_new_file=false holder tidy seen=$unread.seen
    tidy_lines ${answer[@]+"${answer[@]}"}
    lock_unread
    make_own "$seen" || not_stored "$unread"
    if [[ -e $seen.new ]]; then
        if [[ $(inode_of "$unread") == "$(head -n 1 "$seen.new")" ]]; then put_seen; else rm -f "$seen.new"; fi
    fi
    rm -f "$unread.new"
    printf %s "$tidy" | seen=$seen new=$unread.new LC_ALL=C awk '
        BEGIN {
            while ((getline line <ENVIRON["seen"]) > 0) {
                match(line, /^[0-9]*/)
                count = substr(line, 1, RLENGTH); line = substr(line, RLENGTH + 2)
                order[++last] = line; had[line] = count
            }
        }
        # If a list contains the same line twice, the line is stored twice.
        ++times[$0] > had[$0] + 0 { print >ENVIRON["new"]; order[++last] = $0; had[$0] = times[$0] }
        END {
            for (i = last; i > 0 && kept < 10000; i--) if (!(order[i] in place)) { place[order[i]] = i; kept++ }
            for (i++; i <= last; i++) if (place[order[i]] == i) print had[order[i]] "\t" order[i]
        }' >"$seen.lines" || not_stored "$unread"
    if [[ -s $unread.new ]]; then
        { { cat "$unread" && { [[ $size == 0 || -z $(tail -c 1 "$unread") ]] || echo; } && cat "$unread.new"; } >"$unread.more" &&
            { inode_of "$unread.more" && cat "$seen.lines"; } >"$seen.new" &&
            fsync_paths "$unread.more" "$seen.new"; } 2>/dev/null ||
            { rm -f "$unread.new" "$unread.more" "$seen.new" "$seen.lines"; not_stored "$unread"; }
        mv "$unread.more" "$unread"
        folder_of "$unread"
        fsync_paths "$holder"
        put_seen
    fi
    rm -f "$unread.new" "$seen.lines"
    exec 8>&-
}
put_seen() { sed 1d "$seen.new" >"$seen.put" && fsync_paths "$seen.put" && mv "$seen.put" "$seen" && rm -f "$seen.new"; }

inode_of() {
    local inode
    read -r inode _ < <(ls -di -- "$1")
    echo "$inode"
}
