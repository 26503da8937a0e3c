# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Decrypts the SMS in the unread file for smsenc-receive.
#
# The folder INBOX.part beside the inbox contains everything that is not finished. A line is removed from the unread file
# only after its message, or the line itself, has been synced to the disk in another file.
#   batch/     the SMS that are being decrypted; renamed to done/ when the batch is finished
#   waiting    decrypted data that waits, one item per line:
#                  part TAB ...      a frame of a message whose other parts have not arrived, as in batch/frames
#                  gap TAB NAME TAB SIZE TAB CONTACT TAB TIME    missing messages, which may still arrive
#                  receipt TAB ...   a receipt that could not be written to the sent file, as in batch/for-sent
# If a process is killed, the next process finishes its batch. UNREAD.tried records which lines were tried before, so that a
# timer does nothing and prints nothing while nothing changes.

part=$inbox.part batch=$inbox.part/batch record=$inbox.receipts
export part batch record

fail() { say "$2; nothing is lost; the SMS are in $unread and $part, and the next run continues"; exit "$1"; }
must() { "$@" || fail 74 "$1 failed"; }
on_disk() { fsync_paths "$@" || fail 74 "cannot write to the disk"; }

# lock_folder: allows only one process at a time to decrypt. Gammu waits two minutes for its hook, so this lock waits for
# less than two minutes.
lock_folder() {
    while true; do
        mkdir "$part" 2>/dev/null || [[ -d $part ]] || fail 74 "cannot write to $part"
        [[ -O $part && ! -L $part ]] || die 77 "$part is not a folder of yours; choose another inbox"
        { exec 9<"$part"; } 2>/dev/null || continue # somebody was done, and took it away
        if ! flock -w 90 9; then
            say "another process has locked $inbox for 90 s; the next run continues${unread:+ with the SMS in $unread}"
            exit 75
        fi
        [[ ! $part -ef /dev/fd/9 ]] || break
    done
}

# is_tried: succeeds if the whole unread file was tried before, and the keyring has not changed since.
is_tried() {
    local keyring=${SMSENC_KEYRING:-${XDG_DATA_HOME:-${HOME:-}/.local/share}/smsenc/keyring} file sum size
    [[ -s $unread ]] || return 0
    for file in "$unread" "$keyring" "$keyring-wal"; do
        [[ ! -e $file || $unread.tried -nt $file ]] || return
    done
    read -r sum size _ <"$unread.tried" && [[ $(cksum <"$unread") == "$sum $size" ]]
}

# read_tried: sets `tried_lines` to the number of lines at the beginning of the unread file that were tried before, or to 0
# if that beginning has changed.
read_tried() {
    local sum size
    read -r sum size tried_lines <"$unread.tried" && [[ $(head -c "$size" "$unread" | cksum) == "$sum $size" ]] || tried_lines=0
} 2>/dev/null

# note_tried SIZE LINES: records that the beginning of the unread file was tried now, by writing its checksum, its size and
# its number of lines to UNREAD.tried. If UNREAD.tried cannot be written, the lines are tried again.
note_tried() { make_own "$unread.tried" && echo "$(head -c "$1" "$unread" | cksum) $2" >"$unread.tried"; } 2>/dev/null

# gather: creates a batch from the unread file if there is anything to do. Inserts a name after the first field of each
# line, which identifies the line in all files of the batch. Names sort by time and by line.
gather() {
    local now time result=0
    [[ ! -e $batch/in ]] || return 0
    # If an incomplete batch exists, the process that created it was killed.
    [[ ! -e $batch ]] || must rm -rf "$batch"
    must mkdir "$batch"
    if is_tried; then
        : >"$batch/opened" || fail 74 "cannot write to $part"
    else
        lock_unread
        cat "$unread" >"$batch/snapshot" || fail 74 "cannot write to $part"
        read_tried
        echo "$tried_lines" >"$batch/tried"
        exec 8>&-
        opened "$batch/snapshot" >"$batch/opened" || result=$?
    fi
    if ((result == 1 || result == 65)); then
        # Process the blocks that could be opened. UNREAD.damaged keeps the whole file, so that it can be repaired.
        { make_own "$unread.damaged" && cat "$batch/snapshot" >>"$unread.damaged"; } ||
            fail 74 "cannot write to $unread.damaged"
        on_disk "$unread.damaged"
        say "a part of the unread file cannot be opened; a complete copy is in $unread.damaged"
        : >"$batch/changed"
        note_status 65
    elif ((result > 0)); then
        fail "$result" "cannot open $unread"
    fi
    read_clock
    if [[ ! -s $batch/opened ]]; then
        # If a line in `waiting` has waited long enough, create a batch without SMS.
        if ! now=$now wait=$wait awk -F '\t' '
            { split($1 == "part" ? $3 : $2, since, "."); age = ENVIRON["now"] - since[1] }
            $1 == "receipt" || age >= ENVIRON["wait"] || -age >= ENVIRON["wait"] { found = 1 }
            END { exit !found }' "$part/waiting" 2>/dev/null; then
            must rm -rf "$batch"
            return
        fi
    fi
    now=${EPOCHREALTIME:-$now}
    now=${now/,/.}.$$ LC_ALL=C awk '
        { sub(/\r$/, ""); place = index($0, "\t"); if (!place) place = length($0) + 1 }
        # Pad the numbers, so that names sort in the order of lines.
        { print substr($0, 1, place - 1) "\t" ENVIRON["now"] sprintf(".%07d", FNR) substr($0, place) }
    ' "$batch/opened" >"$batch/in.new" || fail 74 "cannot write to $part"
    on_disk "$batch/in.new"
    must mv "$batch/in.new" "$batch/in"
}

# is_whole FILE: succeeds if FILE is empty, or ends in a newline and has no NUL.
is_whole() { [[ ! -s $1 ]] || { cmp -s <(tail -c 1 "$1") <(echo) && cmp -s "$1" <(tr -d '\0' <"$1"); }; }

# decrypt: adds TIME TAB NAME TAB CONTACT TAB FRAME to batch/read for each SMS that can be decrypted, and NAME TAB STATUS TAB
# MISSING TAB TAG to batch/statuses for each SMS. Lines are only added to batch/read, because their keys are used up. There
# is no tag if the contact gets no receipts. A fifth field names the contact if the SMS is a double that a receipt has
# confirmed.
decrypt() {
    local result=0
    : >>"$batch/read" || fail 74 "cannot write to $part"
    if [[ -s $batch/read ]] && ! is_whole "$batch/read"; then
        # A line that was truncated, or filled with NUL bytes by a power failure, can be decrypted again.
        { cat "$batch/read" && printf '\0'; } | tr '\0' '\1' | LC_ALL=C sed $'/\1/d' >"$batch/read.new" ||
            fail 74 "cannot write to $part"
        on_disk "$batch/read.new"
        must mv "$batch/read.new" "$batch/read"
    fi
    # Take over the status file of a run that was killed. smsenc-pad reports tags that were not taken over once more.
    [[ ! -e $batch/status ]] || name_statuses || true
    LC_ALL=C awk -F '\t' '
        BEGIN {
            batch = ENVIRON["batch"]
            while ((getline line <(batch "/statuses")) > 0) { split(line, field); status[field[1]] = 1 }
            while ((getline line <(batch "/read")) > 0) { split(line, field); have[field[2]] = field[2] in status }
        }
        !have[$2]' "$batch/in" >"$batch/sms" || fail 74 "cannot write to $part"
    if [[ -s $batch/sms ]]; then
        # smsenc-pad syncs its output.
        smsenc-pad -d -N -f 4 --status "$batch/status" -- "$batch/sms" >>"$batch/read" 2>"$batch/said" || result=$?
        # Lines that were tried before, and messages that were read before, are not news.
        name_statuses || { ((result != 1)) || result=0; }
        if ((result > 1)); then
            say "nothing is lost; fix the problem, and use --retry to decrypt the SMS in $unread"
            is_open=false
        fi
        note_status "$result"
    fi
}

# name_statuses: copies batch/status, whose lines have numbers, to batch/statuses, whose lines have names. After a kill,
# lines may be copied twice, which does no harm. Recognises doubles that smsenc-pad has forgotten by tag and sender. Prints
# the diagnostics of smsenc-pad in batch/said that somebody has to act on. Fails if there is no news.
name_statuses() {
    local result=0
    unread=$unread verbose=$verbose gaps=$gaps LC_ALL=C awk -F '\t' -v OFS='\t' '
        BEGIN {
            batch = ENVIRON["batch"]
            getline tried <(batch "/tried")
            while ((getline <(batch "/sms")) > 0) {
                name[++count] = $2; number[count] = $2; sub(/.*\./, "", number[count]); sender[count] = $3
            }
            while ((getline <ENVIRON["record"]) > 0)
                for (i = 1; i < length($5); i += 5) known[$3, substr($5, i, 5)] = $4 ~ /^[0-9]/ ? $2 : "-"
            while ((getline <(ENVIRON["part"] "/waiting")) > 0)
                if ($1 == "part" && $5 !~ /^- /) known[substr($5, 7), substr($5, 1, 5)] = "-"
            print "" >>(batch "/statuses")
            while ((getline <(batch "/status")) > 0) {
                # Ignore a truncated line.
                if (NF < 6 || $6 != "" && length($6) < 5) continue
                confirmed = known[sender[$1], $6]
                if ($3 == "refused" && confirmed != "") $3 = "read"
                status[$1] = $3
                print name[$1], $3, $4, $6, $3 == "read" && confirmed != "-" ? confirmed : "" >>(batch "/statuses")
                if ($3 !~ /^(ok|late|again|read)$/ && number[$1] + 0 > tried + 0) news = 1
            }
            start = "smsenc-pad: " batch "/sms:"
            while ((getline line <(batch "/said")) > 0) {
                if (index(line, start) == 1) {
                    line = substr(line, length(start) + 1)
                    if (ENVIRON["verbose"] == "" && status[line + 0] ~ /^(late|read)$/) continue
                    if (number[line + 0] + 0 <= tried + 0) continue
                    sub(/^[0-9]+/, "", line)
                    line = "smsenc-pad: " ENVIRON["unread"] line
                }
                # These lines are written to the inbox later, when the number of missing messages is known.
                if (ENVIRON["verbose"] == "" && ENVIRON["gaps"] != "" && line ~ / before the last one ha/) continue
                print line >"/dev/stderr"
            }
            exit !news
        }' || result=$?
    ((result <= 1)) || fail 74 "cannot write to $part"
    must rm -f "$batch/status" "$batch/said"
    return "$result"
}

# lay_out: sorts the decrypted frames and the waiting frames into the files batch/for-*. The third field of batch/frames is
# the increase in the number of missing messages at this frame. The fourth field is the tag, or -, followed by a space and
# the sender.
lay_out() {
    local now time line rest file files=() statuses=() join=() places
    ((wait == 0)) || join=(-j)
    must rm -f "$batch/rejected" "$batch"/for-*
    : >>"$batch/statuses" && : >>"$part/waiting" && : >"$batch/for-inbox" && : >"$batch/for-unread" &&
        : >"$batch/for-waiting" && LC_ALL=C awk -F '\t' -v OFS='\t' '
        FILENAME == ARGV[1] { if (sub(/^part\t/, "")) print; next }
        FILENAME == ARGV[2] { missing[$1] = $3; if ($4 != "") tag[$1] = $4; next }
        FILENAME == ARGV[3] { sender[$2] = $3; next }
        !had[$2]++ { $3 = missing[$2] + 0 OFS ($2 in tag ? tag[$2] : "-") " " sender[$2] OFS $3; print }
        ' "$part/waiting" "$batch/statuses" "$batch/in" "$batch/read" >"$batch/frames" || fail 74 "cannot write to $part"
    read_clock
    smsenc-frame -d ${join[@]+"${join[@]}"} -f 6 --rejects "$batch/rejected" -- "$batch/frames" 2>"$batch/said" |
        now=$now wait=$wait name=$name gaps=$gaps verbose=$verbose run=$run LC_ALL=C \
            awk -F '\t' -f "$share/printable.awk" -f "$share/lay-out.awk" -- "$batch/in" || statuses=("${PIPESTATUS[@]}")
    while IFS= read -r line; do
        # lay-out.awk reports incomplete messages.
        rest=${line#"smsenc-frame: $batch/frames:"}
        if [[ $rest != "$line" ]]; then
            printf '%s\n' "smsenc-frame: $unread${rest#"${rest%%[!0-9]*}"}" >&2
        elif ((${statuses[0]:-0} > 1)); then
            printf '%s\n' "$line" >&2
        fi
    done <"$batch/said"
    ((${statuses[0]:-0} <= 1)) || fail "${statuses[0]}" "smsenc-frame failed"
    note_status "${statuses[0]:-0}"
    ((${statuses[1]:-0} == 0)) || fail 74 "cannot write to $part"
    cmp -s "$batch/for-unread" "$batch/opened" || : >"$batch/changed"
    wc -l <"$batch/for-unread" >"$batch/left" || fail 74 "cannot write to $part"
    if [[ -n $recipient && -e $batch/snapshot ]]; then
        # Seal all lines that arrived unsealed, whether they could be decrypted or not.
        ! LC_ALL=C sed "${block}d" "$batch/snapshot" | grep -q . || : >"$batch/changed"
        seal "$batch/for-unread"
    fi
    [[ -z $recipient ]] || seal "$batch/for-inbox"
    # The first line contains the inodes and sizes of the inbox and of the record of receipts, so that another process can
    # find out what was appended.
    places=$(place "$inbox") || fail 74 "cannot write to $inbox"
    if [[ -e $batch/for-receipts ]]; then
        make_own "$record" && places+=" $(place "$record")" || fail 74 "cannot write to $record"
    fi
    { echo "$places" && cat "$batch/for-inbox"; } >"$batch/laid-out.new" || fail 74 "cannot write to $part"
    for file in "$batch"/for-* "$batch/laid-out.new"; do
        [[ ! -s $file || $file == */for-inbox ]] || files+=("$file")
    done
    on_disk "${files[@]}"
    must mv "$batch/laid-out.new" "$batch/laid-out"
    on_disk "$batch"
}

# place FILE: prints the inode and the size of FILE. Creates FILE if it was removed.
place() {
    [[ -e $1 ]] || : >"$1" || return
    echo "$(inode_of "$1") $(($(wc -c <"$1")))"
}

# append FILE NEW START INODE SIZE: appends NEW, from byte START on, to FILE, and syncs FILE. FILE had that INODE and SIZE
# before. Skips the bytes that a killed process has already appended.
append() {
    local inode size holder added=0
    while true; do
        { exec 7>>"$1"; } 2>/dev/null || fail 74 "cannot write to $1"
        read -r inode size < <(place "$1")
        # logrotate may rename the file at any time. Append to the file whose size was read.
        [[ ! $1 -ef /dev/fd/7 ]] || break
    done
    if [[ $inode == "$4" ]] && ((size >= $5)) &&
        cmp -s <(tail -c "+$(($5 + 1))" /dev/fd/7) <(tail -c "+$3" "$2" | head -c "$((size - $5))"); then
        added=$((size - $5))
    fi
    if ((added == 0)) && ((size > 0)) && ! cmp -s <(tail -c 1 /dev/fd/7) <(echo); then
        # Another program has written to the file, or a line was truncated when the file was renamed.
        echo >&7 || fail 74 "cannot write to $1"
    fi
    tail -c "+$(($3 + added))" "$2" >&7 || fail 74 "cannot write to $1"
    # An empty file may be new, so sync its folder too.
    folder_of "$1"
    if (($5 == 0)); then on_disk /dev/fd/7 "$holder"; else on_disk /dev/fd/7; fi
    exec 7>&-
}

# put_back: replaces the beginning of the unread file by the lines that could not be decrypted. If the beginning of the file
# has changed, a killed process has already replaced it, or the user has changed the file.
put_back() {
    local mode links owner group size is_new_file=false holder length
    [[ -e $batch/snapshot ]] || return 0
    lock_unread
    length=$(($(wc -c <"$batch/snapshot")))
    if [[ -e $batch/changed ]] && cmp -s <(head -c "$length" "$unread") "$batch/snapshot"; then
        if ((size == length)) && [[ ! -s $batch/for-unread ]]; then
            : >"$unread" || fail 74 "cannot write to $unread"
            on_disk "$unread"
        else
            { cat "$batch/for-unread" && tail -c "+$((length + 1))" "$unread"; } >"$unread.new" ||
                { rm -f "$unread.new"; fail 74 "cannot write to $unread"; }
            on_disk "$unread.new"
            must mv "$unread.new" "$unread"
            folder_of "$unread"
            on_disk "$holder"
        fi
        length=$(($(wc -c <"$batch/for-unread")))
    fi
    ! $is_open || note_tried "$length" "$(<"$batch/left")" || true
    exec 8>&-
}

# pass_on: adds the receipts from contacts to the sent file. A receipt that cannot be written is added to batch/for-waiting,
# which is later moved to `waiting`.
pass_on() {
    local line seconds contact number tags now time kept=''
    [[ -s $batch/for-sent && -e $batch/for-waiting ]] || return 0
    while IFS= read -r line; do
        IFS=$'\t' read -r seconds contact number tags <<<"$line"
        if [[ -z $sent_file ]]; then
            say "$contact has confirmed some of your messages; to see this in the report, use --sent with the sent file of smsenc-send"
            return
        fi
        read_clock "$seconds"
        [[ -n $sent ]] && add_receipt "$time" "$contact" "$number" "$tags" || kept+=$'receipt\t'$line$'\n'
    done <"$batch/for-sent"
    [[ -n $kept ]] || return 0
    say "cannot write the receipt of $contact to $sent_file; the next run tries again"
    note_status 74
    { cat "$batch/for-waiting" && printf %s "$kept"; } >"$batch/for-waiting.new" || fail 74 "cannot write to $part"
    on_disk "$batch/for-waiting.new"
    must mv "$batch/for-waiting.new" "$batch/for-waiting"
}

# finish: writes the files batch/for-* to their places, and removes the batch.
finish() {
    local places=() first is_empty=false
    { IFS= read -r first && { IFS= read -r _ || is_empty=true; }; } <"$batch/laid-out"
    read -r -a places <<<"$first"
    $is_empty || append "$inbox" "$batch/laid-out" "$((${#first} + 2))" "${places[@]:0:2}"
    # Record messages for receipts only after they are in the inbox.
    [[ ! -e $batch/for-receipts ]] || append "$record" "$batch/for-receipts" 1 "${places[@]:2}"
    put_back
    [[ ! -e $batch/for-run ]] || queue_new
    pass_on
    if [[ -s $batch/for-waiting || -e $batch/for-waiting && -s $part/waiting ]]; then
        must mv "$batch/for-waiting" "$part/waiting"
        on_disk "$part"
    fi
    must mv "$batch" "$part/done"
    must rm -rf "$part/done"
}

# read_unread: decrypts the SMS in the unread file.
read_unread() {
    local turn
    lock_folder
    must rm -rf "$part/done"
    # After a power failure, the last renaming may be missing.
    [[ ! -s $batch/read || -e $batch/in || ! -e $batch/in.new ]] || must mv "$batch/in.new" "$batch/in"
    # First finish the batch of a run that was killed, whose keyring may have been locked. Then process the current unread
    # file.
    is_open=false
    for ((turn = 0; turn < 2; turn++)); do
        [[ $turn == 1 || -e $batch/in ]] || continue
        # The messages that a killed run has decrypted cannot be sealed without the key either.
        [[ -e $batch/laid-out ]] || ! $seal || find_recipient || break
        gather
        [[ -e $batch/in ]] || break
        [[ $turn == 0 ]] || is_open=true
        if [[ ! -e $batch/laid-out ]]; then
            decrypt
            lay_out
        fi
        finish
    done
    [[ -s $part/waiting ]] || must rm -f "$part/waiting"
    [[ -z $run ]] || spread
    unlock_folder
    [[ -z $run ]] || run_hooks
}

# Let other processes decrypt while the commands run.
unlock_folder() {
    rmdir "$part" 2>/dev/null || true
    exec 9<&-
}
