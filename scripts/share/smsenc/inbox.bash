# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# How smsenc-receive decrypts what stands in the unread file.
#
# Beside the inbox stands a folder, INBOX.part, with all that is on its way. Nothing is taken out of the unread file
# before what it stands for is in the inbox, or in the lines that are put back, and on the disk:
#   batch/     what is being read; done/ when it was
#   waiting    what was decrypted and waits, a line each:
#                  part TAB ...      a frame of a message of which parts are still to come, as in batch/frames
#                  gap TAB NAME TAB SIZE TAB CONTACT TAB TIME    messages that may come late, before this one
#                  receipt TAB ...   one that could not be written to the file of --sent, as in batch/for-sent
# Who finds a batch finishes it, from where another was killed. UNREAD.tried tells which lines were tried before, so
# that a timer costs nothing, and says nothing, while nothing changes.

part=$inbox.part batch=$inbox.part/batch record=$inbox.receipts
export part batch record

fail() { say "$2; nothing is lost: what has come is in $unread and $part, and goes on with the next run"; exit "$1"; }
must() { "$@" || fail 74 "$1 failed"; }
on_disk() { fsync_paths "$@" || fail 74 "cannot write to the disk"; }

# One at a time. Gammu waits two minutes for its hook, so this waits less for the others.
lock_folder() {
    while true; do
        mkdir "$part" 2>/dev/null || [[ -d $part ]] || fail 74 "cannot write to $part"
        [[ -O $part && ! -L $part ]] || die 77 "$part is no folder of yours; name another inbox"
        { exec 9<"$part"; } 2>/dev/null || continue # somebody was done, and took it away
        if ! flock -w 90 9; then
            say "another process has held $inbox for 90 s; the next run goes on${unread:+ with what is in $unread}"
            exit 75
        fi
        [[ ! $part -ef /dev/fd/9 ]] || break
    done
}

# is_tried: whether all that stands in the unread file was tried before, with the keyring as it is.
is_tried() {
    local keyring=${SMSENC_KEYRING:-${XDG_DATA_HOME:-${HOME:-}/.local/share}/smsenc/keyring} file sum size
    [[ -s $unread ]] || return 0
    for file in "$unread" "$keyring" "$keyring-wal"; do
        [[ ! -e $file || $unread.tried -nt $file ]] || return
    done
    read -r sum size _ <"$unread.tried" && [[ $(cksum <"$unread") == "$sum $size" ]]
}

# read_tried: sets `tried_lines` to the number of lines at the beginning of the unread file that were tried before. It is
# 0 if that beginning has changed.
read_tried() {
    local sum size
    read -r sum size tried_lines <"$unread.tried" && [[ $(head -c "$size" "$unread" | cksum) == "$sum $size" ]] || tried_lines=0
} 2>/dev/null

# note_tried SIZE LINES: writes to UNREAD.tried that the beginning of the unread file was tried now: the checksum and the
# size of the beginning, and its number of lines. If UNREAD.tried cannot be written, the lines are tried again.
note_tried() { make_own "$unread.tried" && echo "$(head -c "$1" "$unread" | cksum) $2" >"$unread.tried"; } 2>/dev/null

# Makes a batch of the unread file as it is now, if there is anything to do. Each line gets a name, by which it is known
# in all that follows, behind its first field. Names are in the order of lines, and of time.
gather() {
    local now time result=0
    [[ ! -e $batch/in ]] || return 0
    # What a process that was killed here has left counts for nothing.
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
        # What could be opened is read; the rest is there for who can mend it.
        { make_own "$unread.damaged" && cat "$batch/snapshot" >>"$unread.damaged"; } ||
            fail 74 "cannot write to $unread.damaged"
        on_disk "$unread.damaged"
        say "a part of the unread file cannot be opened; all of it is in $unread.damaged"
        : >"$batch/changed"
        note_status 65
    elif ((result > 0)); then
        fail "$result" "$unread cannot be opened"
    fi
    read_clock
    if [[ ! -s $batch/opened ]]; then
        # What has waited long enough makes a batch of nothing.
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
        # In digits enough that names are in the order of lines.
        { print substr($0, 1, place - 1) "\t" ENVIRON["now"] sprintf(".%07d", FNR) substr($0, place) }
    ' "$batch/opened" >"$batch/in.new" || fail 74 "cannot write to $part"
    on_disk "$batch/in.new"
    must mv "$batch/in.new" "$batch/in"
}

# is_whole FILE: whether it is empty, or ends in a newline, and has no NUL.
is_whole() { [[ ! -s $1 ]] || { cmp -s <(tail -c 1 "$1") <(echo) && cmp -s "$1" <(tr -d '\0' <"$1"); }; }

# Adds to batch/read what can be decrypted, TIME TAB NAME TAB CONTACT TAB FRAME, and to batch/fates what became of
# each, NAME TAB FATE TAB MISSING TAB TAG. The keys of the former are gone, so that file is only ever added to. If the
# contact gets no receipts, there is no tag. A fifth field names the contact if this is a double of what a receipt has
# confirmed.
decrypt() {
    local result=0
    : >>"$batch/read" || fail 74 "cannot write to $part"
    if [[ -s $batch/read ]] && ! is_whole "$batch/read"; then
        # A line that was not written to its end, or of which a power cut has left NULs, can be decrypted again.
        { cat "$batch/read" && printf '\0'; } | tr '\0' '\1' | LC_ALL=C sed $'/\1/d' >"$batch/read.new" ||
            fail 74 "cannot write to $part"
        on_disk "$batch/read.new"
        must mv "$batch/read.new" "$batch/read"
    fi
    # Of a run that was killed. Of what it had read but not noted, smsenc-pad tells the tag once more.
    [[ ! -e $batch/status ]] || name_fates || true
    LC_ALL=C awk -F '\t' '
        BEGIN {
            batch = ENVIRON["batch"]
            while ((getline line <(batch "/fates")) > 0) { split(line, field); fate[field[1]] = 1 }
            while ((getline line <(batch "/read")) > 0) { split(line, field); have[field[2]] = field[2] in fate }
        }
        !have[$2]' "$batch/in" >"$batch/sms" || fail 74 "cannot write to $part"
    if [[ -s $batch/sms ]]; then
        # It synchronises its output.
        smsenc-pad -d -N -f 4 --status "$batch/status" -- "$batch/sms" >>"$batch/read" 2>"$batch/said" || result=$?
        # Lines that were tried before are no news, and neither is what was read before.
        name_fates || { ((result != 1)) || result=0; }
        if ((result > 1)); then
            say "nothing is lost: what was not read is in $unread; see to it, and use --retry"
            is_open=false
        fi
        note_status "$result"
    fi
}

# name_fates: adds what is in batch/status, by number, to batch/fates, by name; twice, after a kill, is no more than
# once. A double is told by its tag and its sender if smsenc-pad does not know it any more. Prints what smsenc-pad said
# in batch/said, of lines of the unread file, but not what nobody has to act on. Fails if nothing of it is news.
name_fates() {
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
            print "" >>(batch "/fates")
            while ((getline <(batch "/status")) > 0) {
                # A line that was cut counts for none.
                if (NF < 6 || $6 != "" && length($6) < 5) continue
                confirmed = known[sender[$1], $6]
                if ($3 == "refused" && confirmed != "") $3 = "read"
                fate[$1] = $3
                print name[$1], $3, $4, $6, $3 == "read" && confirmed != "-" ? confirmed : "" >>(batch "/fates")
                if ($3 !~ /^(ok|late|again|read)$/ && number[$1] + 0 > tried + 0) news = 1
            }
            start = "smsenc-pad: " batch "/sms:"
            while ((getline line <(batch "/said")) > 0) {
                if (index(line, start) == 1) {
                    line = substr(line, length(start) + 1)
                    if (ENVIRON["verbose"] == "" && fate[line + 0] ~ /^(late|read)$/) continue
                    if (number[line + 0] + 0 <= tried + 0) continue
                    sub(/^[0-9]+/, "", line)
                    line = "smsenc-pad: " ENVIRON["unread"] line
                }
                # The inbox has these when it is known how many.
                if (ENVIRON["verbose"] == "" && ENVIRON["gaps"] != "" && line ~ / before the last one ha/) continue
                print line >"/dev/stderr"
            }
            exit !news
        }' || result=$?
    ((result <= 1)) || fail 74 "cannot write to $part"
    must rm -f "$batch/status" "$batch/said"
    return "$result"
}

# Lays out what goes into the inbox and elsewhere, of the frames that were decrypted and those that waited, as
# batch/for-*. In batch/frames, and in waiting, a third field says how many more messages were missing than before this one. A
# fourth has the tag, or -, a space, and the sender.
lay_out() {
    local now time line rest file files=() statuses=() join=() places
    ((wait == 0)) || join=(-j)
    must rm -f "$batch/rejected" "$batch"/for-*
    : >>"$batch/fates" && : >>"$part/waiting" && : >"$batch/for-inbox" && : >"$batch/for-unread" &&
        : >"$batch/for-waiting" && LC_ALL=C awk -F '\t' -v OFS='\t' '
        FILENAME == ARGV[1] { if (sub(/^part\t/, "")) print; next }
        FILENAME == ARGV[2] { missing[$1] = $3; if ($4 != "") tag[$1] = $4; next }
        FILENAME == ARGV[3] { sender[$2] = $3; next }
        !had[$2]++ { $3 = missing[$2] + 0 OFS ($2 in tag ? tag[$2] : "-") " " sender[$2] OFS $3; print }
        ' "$part/waiting" "$batch/fates" "$batch/in" "$batch/read" >"$batch/frames" || fail 74 "cannot write to $part"
    read_clock
    smsenc-frame -d ${join[@]+"${join[@]}"} -f 6 --rejects "$batch/rejected" -- "$batch/frames" 2>"$batch/said" |
        now=$now wait=$wait name=$name gaps=$gaps verbose=$verbose run=$run LC_ALL=C \
            awk -F '\t' -f "$share/printable.awk" -f "$share/lay-out.awk" -- "$batch/in" || statuses=("${PIPESTATUS[@]}")
    while IFS= read -r line; do
        # What is not whole is said when it is laid out.
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
        # What came in clear is sealed, whether it could be read or not.
        ! LC_ALL=C sed "${block}d" "$batch/snapshot" | grep -q . || : >"$batch/changed"
        seal "$batch/for-unread"
    fi
    [[ -z $recipient ]] || seal "$batch/for-inbox"
    # The first line says where the inbox ends, and the record of receipts, so that who goes on sees what was added.
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

# place FILE: its inode and size; it is made if it was taken away.
place() {
    [[ -e $1 ]] || : >"$1" || return
    echo "$(inode_of "$1") $(($(wc -c <"$1")))"
}

# append FILE NEW START INODE SIZE: adds what is in NEW, from its byte START on, to FILE, which was so long when it was
# that inode, but for what was added already. It is on the disk then.
append() {
    local inode size holder added=0
    while true; do
        { exec 7>>"$1"; } 2>/dev/null || fail 74 "cannot write to $1"
        read -r inode size < <(place "$1")
        # logrotate renames the file at any time. What is written below goes into the file that was looked at.
        [[ ! $1 -ef /dev/fd/7 ]] || break
    done
    if [[ $inode == "$4" ]] && ((size >= $5)) &&
        cmp -s <(tail -c "+$(($5 + 1))" /dev/fd/7) <(tail -c "+$3" "$2" | head -c "$((size - $5))"); then
        added=$((size - $5))
    fi
    if ((added == 0)) && ((size > 0)) && ! cmp -s <(tail -c 1 /dev/fd/7) <(echo); then
        # Somebody else has been there, or a line was cut when it was moved away.
        echo >&7 || fail 74 "cannot write to $1"
    fi
    tail -c "+$(($3 + added))" "$2" >&7 || fail 74 "cannot write to $1"
    # An empty file may be new.
    folder_of "$1"
    if (($5 == 0)); then on_disk /dev/fd/7 "$holder"; else on_disk /dev/fd/7; fi
    exec 7>&-
}

# put_back: puts what could not be read in the place of what was, at the beginning of the unread file. If that does not
# begin like this any more, a process that was killed has done so already, or the user has changed the file.
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

# pass_on: hands receipts of contacts over to the file of --sent. A receipt that cannot be written there waits. Once
# batch/for-waiting is in its place this was done.
pass_on() {
    local line seconds contact number tags now time kept=''
    [[ -s $batch/for-sent && -e $batch/for-waiting ]] || return 0
    while IFS= read -r line; do
        IFS=$'\t' read -r seconds contact number tags <<<"$line"
        if [[ -z $sent_file ]]; then
            say "$contact confirms messages of yours; to have that in the report, give --sent FILE, as smsenc-send has it"
            return
        fi
        read_clock "$seconds"
        [[ -n $sent ]] && add_receipt "$time" "$contact" "$number" "$tags" || kept+=$'receipt\t'$line$'\n'
    done <"$batch/for-sent"
    [[ -n $kept ]] || return 0
    say "cannot write to $sent_file what $contact confirms; the next run tries again"
    note_status 74
    { cat "$batch/for-waiting" && printf %s "$kept"; } >"$batch/for-waiting.new" || fail 74 "cannot write to $part"
    on_disk "$batch/for-waiting.new"
    must mv "$batch/for-waiting.new" "$batch/for-waiting"
}

# Writes what was laid out, and puts the batch away.
finish() {
    local places=() first is_empty=false
    { IFS= read -r first && { IFS= read -r _ || is_empty=true; }; } <"$batch/laid-out"
    read -r -a places <<<"$first"
    $is_empty || append "$inbox" "$batch/laid-out" "$((${#first} + 2))" "${places[@]:0:2}"
    # Nothing is confirmed that is not in the inbox.
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

# read_unread: decrypts what is there.
read_unread() {
    local turn
    lock_folder
    must rm -rf "$part/done"
    # After a power cut a name may be missing.
    [[ ! -s $batch/read || -e $batch/in || ! -e $batch/in.new ]] || must mv "$batch/in.new" "$batch/in"
    # A batch of a run that was killed, which may not know whether the keyring was open; then what is there now.
    is_open=false
    for ((turn = 0; turn < 2; turn++)); do
        [[ $turn == 1 || -e $batch/in ]] || continue
        # What was decrypted by a run that was killed cannot be sealed without the key either.
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

# Others may read then.
unlock_folder() {
    rmdir "$part" 2>/dev/null || true
    exec 9<&-
}
