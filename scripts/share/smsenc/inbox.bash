# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Decrypts the SMS in new/ and unread/, and shows messages.
#
# smsenc-pad appends each frame that it decrypts to batch/read, as a line ARRIVAL TIME NUMBER CONTACT POSITION FRAME, and syncs
# the file. Then each line is written to its own file, the SMS in new/ are removed, and batch/read is emptied. If a process was
# killed, the next process finds its lines in batch/read. The next process decrypts the same SMS again, appends the missing
# lines, and writes all lines to files again, under the same names. Before the files of the joined parts of a message are
# removed, these parts are appended to batch/read with a seventh field.

# Wait longer for missing parts from a contact who gets receipts, because this contact may send them again.
wait_for_resent=${wait:-864000} wait=${wait:-86400} search=() hand='' searches=false bare=''

locked() { say "$1; nothing is lost, so run the command again later"; exit "$2"; }

# lock_box: ensures that only one process decrypts at a time. The time limit is shorter than the two minutes for which Gammu
# waits for its hook.
lock_box() {
    exec 7<./batch || locked "cannot open $box" 74
    flock -w 90 7 || locked "another process has locked $box for 90 s" 75
}

# decrypt: decrypts the SMS that have arrived, and the lines in `hand`, TIME TAB NUMBER TAB TEXT. If a line in `hand` cannot be
# decrypted, it is not stored in unread/. If `searches` is true, `hand` has a line for each possible sender of each SMS, and only
# these lines are decrypted.
decrypt() {
    local new=() unread=() waiting moved='' due='' file now time result=0 number
    lock_box
    [[ $kind == plain ]] || wipe_left
    list_of 'new/*'
    for file in "${files[@]}"; do $searches || [[ ! -s $file ]] || new+=("$file"); done
    list_of 'unread/*'
    if ! $searches && ((${#files[@]})); then
        for file in "$keyring" "$keyring-wal"; do
            [[ ! $file -nt batch/read ]] || unread=("${files[@]}")
        done
    fi
    list_of 'parts/*'
    ((${#files[@]} == 0)) || due=$(find parts -type f -mmin "+$((wait / 60))")
    ((${#new[@]} + ${#unread[@]})) || [[ -n $due$hand || -s batch/read ]] || { exec 7<&-; return 0; }
    open_identity || locked "the keyring cannot be opened" "$?"
    [[ ! -e seen ]] || keep_seen || locked "cannot write to $box" 74
    [[ $kind != sealed ]] || needs age "it (apt-get install age)"
    last_number new
    if [[ -n $hand ]]; then
        printf -v number %010d "$((number + 1))"
        (set -C && : >"new/$number") 2>/dev/null || locked "cannot write to $box" 74
    fi
    gather
    read_sms
    # A message moves the keys of its sender, so keys may now match SMS of this sender that earlier runs could not decrypt.
    list_of 'unread/*'
    ! $searches && ((${#unread[@]} == 0)) || files=()
    waiting=("${files[@]}")
    split_messages
    if ((${#waiting[@]})) && [[ -s tmp/moved.$$ ]]; then
        new=() unread=("${waiting[@]}") hand='' moved=tmp/moved.$$
        gather
        read_sms
        split_messages
    fi
    tidy_box
    exec 7<&-
}

# opened FILE ...: prints the contents of plain or sealed files. Fails if a file cannot be opened.
opened() {
    local file
    (($#)) || return 0
    if [[ $kind == plain ]]; then each_part cat -- "$@"; return; fi
    # On a read-only disk, each file is opened by itself, which is slower.
    if [[ ! -w tmp ]]; then for file; do smsenc-file open -- "$file" || return; done; return; fi
    each_part cat -- "$@" >"tmp/sealed.$$" && smsenc-file open -- "tmp/sealed.$$"
}
# seal FILE: replaces FILE by a sealed file. The key is passed on stdin, because other users could see an argument.
seal() {
    printf '%s\n' "$recipient" | without_session age -a -R - -o "$1.age" "$1" && wipe "$1" && mv -- "$1.age" "$1" || locked "age failed" 74
}

# wipe_left: overwrites and removes the files of processes that were killed.
wipe_left() {
    local file process
    # The files event.* are links to files in new.
    list_of 'tmp/[fhimpsu]*.*' 'tmp/split.*/*/*'
    for file in "${files[@]}"; do
        process=${file#tmp/} process=${process%%/*} process=${process##*.}
        ! kill -0 "$process" 2>/dev/null || continue
        [[ ! -f $file ]] || { wipe "$file" && rm -f -- "$file"; } || locked "cannot write to $box" 74
    done
}

# gather: writes a line ARRIVAL TIME NUMBER NUMBER TEXT for each SMS to tmp/in. If `moved` names a file, only SMS from the numbers
# in this file are taken from unread/.
gather() {
    { ((${#unread[@]} == 0)) || opened "${unread[@]}"; } >"tmp/unread.$$" || say "some SMS in $box/unread cannot be opened; they stay there"
    printf '%s' "${hand:+$hand$'\n'}" >"tmp/hand.$$" || locked "cannot write to $box" 74
    { ((${#new[@]} == 0)) || printf '%s\n' "${new[@]}"; } | hand=tmp/hand.$$ number=$number unread=tmp/unread.$$ moved=$moved total=tmp/total.$$ awk '
        BEGIN {
            FS = OFS = "\t"
            if (ENVIRON["moved"] != "") while ((got = (getline <ENVIRON["moved"])) > 0) has_moved[$0] = 1
            while (got >= 0 && (got = (getline <ENVIRON["unread"])) > 0)
                if (NF == 4 && (ENVIRON["moved"] == "" || $3 in has_moved)) { print $1, $2, $3, $3, $4; total++ }
            while (got >= 0 && (got = (getline <ENVIRON["hand"])) > 0)
                if (NF == 3) { printf "%s.%05dh\t%s\t%s\t%s\t%s\n", ENVIRON["number"], ++i, $1, $2, $2, $3; total++ }
            if (got < 0) exit 1
        }
        {
            file = $0; arrival = file; sub(/.*\//, "", arrival); count = 0
            while ((got = (getline <file)) > 0) {
                # Skip the lines for the file `seen`.
                if (/^=/) continue
                printf "%s.%05d\t%s\t%s\t%s\t%s\n", arrival, ++count, $1, $2, $2, $3
                total++
            }
            if (got < 0) exit 1
            close(file)
        }
        END {
            if (got < 0) exit 1
            # Write the number of lines, which is checked later, because some versions of awk ignore disk errors.
            print total + 0 >ENVIRON["total"]
            if (close(ENVIRON["total"]) != 0) exit 1
        }' >"tmp/in.$$" || locked "cannot write to $box" 74
}

# read_sms: decrypts the SMS in tmp/in. If many SMS arrive in a different order, keys match some of them only after later ones
# were decrypted. Therefore the SMS that were refused are tried again, until a pass decrypts no SMS of their senders. Writes the
# last status of each SMS to tmp/status, and the numbers from which SMS were decrypted to tmp/moved. The keys of these contacts
# have moved, so they may match other SMS now. smsenc-pad writes the statuses to a pipe, because it would sync a file.
read_sms() {
    local input=tmp/in.$$ pass=1 statuses
    : >"tmp/status.$$" && : >"tmp/said.$$" && : >"tmp/moved.$$" || locked "cannot write to $box" 74
    # End the last line, which may be truncated if an earlier process was killed.
    [[ ! -s $input || ! -s batch/read ]] || echo >>batch/read || locked "cannot write to $box" 74
    while [[ -s $input ]]; do
        statuses=(0 0)
        smsenc-pad -d --id --position -f 5 "${search[@]}" --status /dev/fd/3 -- "$input" 3>&1 >>batch/read 2>>"tmp/said.$$" |
            input=$input statuses=tmp/status.$$ moved=tmp/moved.$$ awk '
                BEGIN { FS = "\t" }
                { print >>ENVIRON["statuses"]; status[$2] = $3 }
                END {
                    while ((got = (getline <ENVIRON["input"])) > 0) {
                        if (status[$1] ~ /^(ok|late|again|receipt)$/) has_moved[$4] = 1
                        if (status[$1] == "refused") { refused[++count] = $0; number[count] = $4 }
                    }
                    if (got < 0 || NR > 0 && close(ENVIRON["statuses"]) != 0) exit 1
                    for (sender in has_moved) print sender >>ENVIRON["moved"]
                    for (i = 1; i <= count; i++) if (number[i] in has_moved) print refused[i]
                }' >"tmp/pass-$pass.$$" || statuses=("${PIPESTATUS[@]}")
        # If awk fails, smsenc-pad is ended by a signal.
        ((statuses[1] == 0)) || locked "cannot write to $box" 74
        if ((statuses[0] > 1)); then
            printable <"tmp/said.$$" >&2
            locked "smsenc-pad was interrupted" "${statuses[0]}"
        fi
        input=tmp/pass-$pass.$$ pass=$((pass + 1))
    done
}

# split_messages: writes each message, part and unread SMS to its own file, and removes the files from which they were made.
split_messages() {
    local now time file parts=() places=() moved=() result=0 place message
    list_of 'parts/*'
    parts=("${files[@]}")
    opened "${parts[@]}" >"tmp/parts.$$" || locked "the parts in $box/parts cannot be opened" 74
    awk 'BEGIN { FS = OFS = "\t" }
        function characters(text) { gsub(/[\200-\277]/, "", text); return length(text) }
        pass == 1 { if (!had[$6, $5]++) print $2, $3, $4, $5, $6, $7; next }
        NF == (pass == 2 ? 7 : 6) && $4 ~ /^#/ && characters($6) == 160 && !had[$4, $5]++ { print $1, $2, $3, $5, $4, $6 }' \
        pass=1 "tmp/parts.$$" pass=2 batch/read pass=3 batch/read >"tmp/frames.$$" ||
        locked "cannot write to $box" 74
    smsenc-frame -dj -f 6 -- "tmp/frames.$$" >"tmp/messages.$$" 2>"tmp/undecoded.$$" || result=$?
    ((result <= 1)) || locked "smsenc-frame failed" "$result"
    # If the contact gets receipts, the contact may send a missing part again.
    if [[ -n $due ]] && read_contacts; then
        for file in "${!receipts_of[@]}"; do [[ ${receipts_of[$file]} != on ]] || echo "$file"; done >"tmp/receipts.$$" || locked "cannot write to $box" 74
    fi
    mkdir -p "tmp/split.$$/inbox" "tmp/split.$$/parts" "tmp/split.$$/unread" "tmp/split.$$/run" || locked "cannot write to $box" 74
    read_clock
    result=0
    now=$now wait=$wait wait_for_resent=$wait_for_resent split=tmp/split.$$ run=$run verbose=$verbose searches=$searches name=$name pid=$$ \
        awk -f "$share/entities.awk" -f "$share/printable.awk" -f "$share/split.awk" >"tmp/gone.$$" || result=$?
    ((result == 0 || result == 3)) || locked "cannot write to $box" 74
    note_status "$((result == 3))"
    list_of "tmp/split.$$/*/*"
    places=("${files[@]}")
    if ((${#places[@]})); then
        if [[ $kind == sealed ]]; then for file in "${places[@]}"; do seal "$file"; done; fi
        each_part settle -- "${places[@]}"
    fi
    # If a message is already in the inbox, an earlier process wrote its files and was then killed. The message may already have
    # been shown, and its command may already have run.
    for place in run parts unread inbox; do
        list_of "tmp/split.$$/$place/*"
        moved=()
        for file in "${files[@]}"; do
            message=${file##*/} message=${message%.0}
            [[ -e inbox/$message || $place != inbox && -e inbox/new/$message ]] || moved+=("$file")
        done
        [[ $place != inbox ]] || place=inbox/new
        place "$place" "${moved[@]}"
    done
    mapfile -t moved <"tmp/gone.$$"
    is_whole moved || locked "cannot write to $box" 74
    [[ "${moved[*]-}" != *parts/* ]] || settle batch/read
    # Keep an empty file with the last number, so that this number is not used again.
    if ((${#new[@]})); then : >"${new[${#new[@]} - 1]}"; fi
    list_of 'new/*'
    for file in "${files[@]::${#files[@]} > 0 ? ${#files[@]} - 1 : 0}"; do
        [[ -s $file && " ${new[*]} " != *" $file "* ]] || moved+=("$file")
    done
    ((${#moved[@]} == 0)) || each_part rm -f -- "${moved[@]}" || locked "cannot write to $box" 74
    [[ $kind != sealed ]] || for file in batch/read "tmp/messages.$$" "tmp/frames.$$" "tmp/parts.$$" "tmp/unread.$$" "tmp/in.$$"; do wipe "$file"; done
    : >batch/read
}

# --- Showing messages

# show_messages FOLDER CONTACT SINCE: prints TIME TAB CONTACT TAB MESSAGE of each message in FOLDER, and sets `shown_files`.
show_messages() {
    local only=$2 id
    list_of "$1/[0-9]*"
    shown_files=()
    for file in "${files[@]}"; do
        [[ -f $file ]] || continue
        [[ -z $only || $file == *"-${only#\#}-"* || $file == */????-?? ]] || continue
        shown_files+=("$file")
    done
    ((${#shown_files[@]})) || return 0
    # Do not write to tmp, so that a box on a read-only disk can be shown.
    opened "${shown_files[@]}" | only=$only since=$3 bare=$bare awk '
        BEGIN { FS = OFS = "\t" }
        FILENAME == ARGV[1] { name[$1] = $2; next }
        (ENVIRON["only"] == "" || $2 == ENVIRON["only"]) && (ENVIRON["since"] == "" || $1 == "-" || $1 >= ENVIRON["since"]) {
            if ($2 in name) $2 = name[$2]
            if (ENVIRON["bare"] == "") print
            else { gsub("\342\220\212", "\n", $3); print $3 }
        }' <(for id in "${!name_of[@]}"; do printf '%s\t%s\n' "$id" "${name_of[$id]}"; done) - | safely 2>/dev/null || return 74
}

# show_new CONTACT SINCE: prints the messages that were not shown yet. The messages count as shown after all of them have been
# printed.
show_new() {
    local result=0
    lock_box
    show_messages inbox/new "$1" "$2" || result=$?
    ((result == 0)) || die 74 "the messages could not be printed; they are still in $box/inbox/new"
    [[ -n $2 ]] || place inbox "${shown_files[@]}"
    exec 7<&-
}
