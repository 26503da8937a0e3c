# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Prints the state of the keyring and of the box, the next step, and the commands by purpose. Never asks for a password, but
# uses a password file.

# read_status: reads `smsenc-keyring status` into the array `fact`. If smsenc-keyring fails, returns its status, and sets `said`
# to its diagnostic.
declare -gA fact
read_status() {
    local line result=0
    said=$(smsenc-keyring status 2>&1 </dev/null) || result=$?
    while IFS= read -r line; do [[ $line != *$'\t'* ]] || fact[${line%%$'\t'*}]=${line#*$'\t'}; done <<<"$said"
    return "$result"
}

# row WORD TEXT: prints a line of the state.
row() {
    local shown
    without_controls "$2" '?'
    printf '%-10s %s\n' "$1" "$shown"
}
# wrapped: copies lines. Breaks them between words on a terminal with fewer than 80 columns.
wrapped() {
    local columns=''
    [[ ! -t 1 ]] || columns=$({ stty size </dev/tty; } 2>/dev/null) || true
    columns=${columns#* }
    if ((${columns:-80} >= 20 && ${columns:-80} < 80)); then sed 's/: \{3,\}/:\n  /' | fold -s -w "$columns" | sed 's/ *$//'; else cat; fi
}
# next_is PURPOSE COMMAND: sets `next` to this step, unless it is already set to a more urgent step.
next=''
next_is() { [[ -n $next ]] || next="($1): $2"; }
# counted NUMBER THING: prints `1 message` or `2 messages`.
counted() { if (($1 == 1)); then printf '1 %s' "$2"; else printf '%s %ss' "$1" "$2"; fi; }

# days_since TIME: sets `days` to the number of whole days since TIME, as smsenc-keyring prints it.
days_since() {
    local seconds
    seconds=$(date -u -d "${1:0:10} ${1:11:8}" +%s 2>/dev/null) || return
    days=$(((EPOCHSECONDS - seconds) / 86400))
    ((days >= 0)) || days=0
}

# session_end: prints the time of day at which the session ends. The file contains this time in seconds since the boot.
session_end() {
    local bytes byte end=0 up
    read -r -a bytes < <(od -An -j 56 -N 8 -t u1 -- "${fact[session file]}" 2>/dev/null) && read -r up _ 2>/dev/null </proc/uptime || return
    for byte in "${bytes[@]}"; do end=$((end * 256 + byte)); done
    end=$((EPOCHSECONDS + end - ${up%.*}))
    if ((end - EPOCHSECONDS < 80000)); then printf ', until %(%H:%M)T' "$end"; else printf ', until %(%Y-%m-%d %H:%M)T' "$end"; fi
}

show_keyring() {
    local text=${fact[user]}
    case ${fact[session]} in
    open) if $own_session; then text+=', opened with the password file'; else text+=", open$(session_end)"; fi ;;
    none) text+=", locked" ;;
    ended) text+=", locked (the session has ended)" ;;
    *) text+=", locked (the session is ${fact[session]})" ;;
    esac
    [[ ${fact[keyring]} == original || ${fact[keyring]} == unknown ]] || text+=" (${fact[keyring]})"
    row keyring "$text"
    [[ ${fact[keyring]} == original || ${fact[keyring]} == unknown ]] || next_is 'find out how to use this keyring again' 'smsenc doctor'
    if [[ ${fact[lockout]} != none ]]; then
        row passwords "none is accepted for ${fact[lockout]%% *} seconds, because wrong passwords were entered"
        [[ ${fact[session]} == open ]] || next_is "wait ${fact[lockout]%% *} seconds, and then open the keyring" smsenc-open
    fi
    [[ ${fact[session]} == open ]] || if [[ -n ${SMSENC_OPEN:-} ]]; then
        next_is 'end this shell, and then run smsenc-open again' exit
    else
        next_is 'open the keyring with the password' smsenc-open
    fi
}

show_backup() {
    local days
    case ${fact['last backup']} in
    unknown) row backup 'unknown, because the keyring is locked' ;;
    -) row backup none; needs_backup=true ;;
    *)
        days_since "${fact['last backup']}" || { row backup "${fact['last backup']}"; return; }
        if ((days == 0)); then row backup 'made today'; else row backup "$(counted "$days" day) old"; fi
        ((days < 30)) || needs_backup=true
        ;;
    esac
}
needs_backup=false

# The number of messages from contacts that have not arrived.
not_arrived=0
# show_contacts: prints at most five contacts for which the user has to do something.
show_contacts() {
    local rows line name number state by pending gone _ word step count=0 lines=()
    # If the keyring is locked, only the number of contacts of all identities is known.
    if [[ ${fact[session]} == open ]] && rows=$(smsenc-keyring list 2>/dev/null </dev/null); then
        fact[contacts]=$(grep -c . <<<"$rows") || true
    elif ((fact[contacts])); then
        row contacts "${fact[contacts]}"
        return
    fi
    if ((fact[contacts] == 0)); then
        row contacts none
        next_is 'add a contact' 'smsenc-keyring add NAME'
        return
    fi
    while IFS=$'\t' read -r name number state by pending _ _ _ gone _; do
        word_of "$name"
        not_arrived=$((not_arrived + gone))
        case $state:$pending in
        *:sync-key) step="(enter their key): smsenc-keyring sync $word" ;;
        *:offer) step="(enter their offer): smsenc-keyring accept $word" ;;
        verified:* | :) continue ;;
        unverified:* | changed:*) step="(compare codes): smsenc-keyring verify $word CODE" ;;
        none:*) step="(exchange keys): smsenc-keyring resync $word" ;;
        *) step="(exchange keys again): smsenc-keyring resync $word" ;;
        esac
        count=$((count + 1))
        ((count > 5)) || lines+=("$name $step")
        [[ -n $next ]] || next=$step
    done <<<"$rows"
    if ((count == 0)); then row contacts "${fact[contacts]}"; else row contacts "${fact[contacts]}, and $(counted "$count" step) to take:"; fi
    for line in "${lines[@]}"; do row '' "$line"; done
    ((count <= 5)) || row '' 'and others; see smsenc-keyring list'
}

# show_box: counts the SMS and messages in the box.
show_box() {
    local found=() new fresh
    # The name of another identity's box can be computed only if the keyring is open.
    [[ ${SMSENC_IDENTITY:-real} == real || ${fact[session]} == open ]] || return 0
    find_box
    [[ -d $box && -r $box ]] && cd -- "$box" || return 0
    list_of 'inbox/new/[0-9]*'
    fresh=${#files[@]}
    # A file contains what has arrived in one event. Lines that begin with = are no SMS.
    new=$(cat new/* 2>/dev/null | grep -vc '^=') || true
    if ((not_arrived == 0)); then row messages "$fresh new"; else row messages "$fresh new; $(counted "$not_arrived" message) from contacts did not arrive (see smsenc-keyring list)"; fi
    ((fresh == 0)) || next_is 'read the new messages' smsenc-inbox
    if ((new > 0)); then found+=("$new arrived and not decrypted"); next_is 'decrypt the SMS that have arrived' smsenc-receive; fi
    count_sms 'failed/*-*-*-*' 'failed' 'see why SMS failed' smsenc-report
    count_sms 'missing/*-*-*-*' 'missing' 'see which SMS are missing' smsenc-report
    count_sms 'out/*/*-*-*-*[0-9]' 'waiting to be sent' 'see which SMS wait' smsenc-report
    count_sms 'unread/*' 'that cannot be decrypted' 'see which SMS cannot be decrypted' 'smsenc-inbox --unread'
    ((${#found[@]} == 0)) || row SMS "$(printf '%s\n' "${found[@]}" | paste -s -d , | sed 's/,/, /g')"
}
# count_sms GLOB STATE PURPOSE COMMAND
count_sms() {
    local file count=0
    list_of "$1"
    # Do not count SMS that contain only a receipt, because the user has nothing to do for them.
    for file in "${files[@]}"; do [[ $file == *-receipt-* ]] || count=$((count + 1)); done
    ((count == 0)) || { found+=("$count $2"); next_is "$3" "$4"; }
}

print_commands() {
    cat <<'END'

Commands (smsenc COMMAND --help explains one):
  begin       tutor  init  open  help
  contacts    add  sync  offer  accept  verify  resync  list  show  edit  remove
  by hand     compose  read       messages, with the clipboard or a QR code
  tables      send  receive  inbox  report  route    modem, telephone or gateway
  files       file  file-key
  paper       slips               keys for a team
  safety      export  import  passwd  lock  unlock  move  adopt  destroy
  settings    set  identity
  pipelines   frame  pad  sent  hash
  problems    doctor  status  check

The guide: man 7 smsenc
END
}

overview() {
    local result=0 said
    # shellcheck source=scripts/share/smsenc/box.bash
    . "$share/box.bash"
    read_status || result=$?
    case $result in
    0)
        if [[ -n ${SMSENC_PASSWORD_FILE:-} && ${fact[session]}${fact[lockout]} == nonenone ]] && open_session 2>/dev/null; then
            trap close_session EXIT
            read_status || true
        fi
        show_keyring
        show_backup
        show_contacts
        show_box
        ! $needs_backup || ((fact[contacts] == 0)) || next_is 'create a backup, and keep it on another disk' 'smsenc-keyring export backup'
        next_is 'write a message' 'smsenc-compose NAME'
        ;;
    66)
        echo 'smsenc encrypts messages so that each fits into one SMS.'
        echo
        row keyring none
        echo
        echo 'Practise first (ten minutes):   smsenc tutor'
        echo 'Create your keyring:            smsenc-keyring init --user NAME'
        echo 'Restore a backup:               smsenc-keyring import FILE'
        print_commands
        return
        ;;
    *)
        say "${said#smsenc-keyring: }"
        next_is 'find the problem' 'smsenc doctor'
        ;;
    esac
    without_controls "$next" '?'
    printf '\nnext step %s\n' "$shown"
    print_commands
    exit "$result"
}
