# shellcheck shell=bash disable=SC2015,SC2016,SC2030,SC2031,SC2034,SC2154,SC2317
# The tutor gives exercises with a partner, Bela. This script does what Bela does, with keyrings of her own. The user types
# real commands in a shell, which runs `smsenc tutor check` before each prompt. The folder of the tutor contains
#
#     step, mistakes     the name of the step, and the number of mistakes in it
#     home/, run/        HOME and XDG_RUNTIME_DIR of the shell. XDG_DATA_HOME is the folder itself. The user's own keyring is
#                        never used
#     bin/, clipboard    programs that stand in for those of the clipboard, and what they have copied
#     closed             exists if the keyring was locked when it had to be open
#     outbox             the SMS that were copied and that Bela has not read yet
#     bela/              the keyrings of Bela, of two devices; DEVICE.key, DEVICE.codes, and her SMS
#
# For each step there are functions: begin_STEP does what Bela does, and can be repeated; text_STEP explains the step;
# is_done_STEP checks the result; hint_STEP shows the exact commands.

steps=(keyring open add sync verify write read long gap late lock unlock lost again codes backup)

# bela PROGRAM ARGUMENT ...: runs a program with Bela's keyring.
bela() (
    export HOME=$folder/bela SMSENC_KEYRING=$folder/bela/$device SMSENC_PASSWORD_FILE=$folder/bela/password
    unset SMSENC_SESSION XDG_DATA_HOME
    exec "$@" 2>>"$folder/bela/log"
)
# learner ARGUMENT ...: runs smsenc-keyring with the user's keyring, if it is open. Never asks for the password.
learner() { SMSENC_PASSWORD_FILE=/dev/null smsenc-keyring "$@" 2>/dev/null </dev/null; }

# read_learner: sets `fact` (see overview.bash) and the fields of the contact Bela.
read_learner() {
    local row=''
    fact=(['last backup']=unknown [session]=none [lockout]=none)
    read_status || return 0
    state='' pending='' number_sent=0 received=0 missing=0
    [[ ${fact[session]} != open ]] || row=$(learner show Bela) || true
    [[ -z $row ]] || IFS=$'\t' read -r _ _ state _ pending number_sent _ received missing _ <<<"$row"
}
state='' pending='' number_sent=0 received=0 missing=0
is_open() { [[ ${fact[session]} == open ]]; }

# meet: Bela creates a keyring on her device, and both people exchange keys on paper. Can be repeated after an interruption.
meet() {
    local key
    [[ ! -s $folder/bela/$device.codes ]] || return 0
    key=$(learner resync Bela) && [[ -n $key ]] || return
    echo
    echo "Please wait. Bela creates a keyring, too."
    [[ -e $folder/bela/$device ]] || bela smsenc-keyring init --user Bela || return
    if [[ ! -s $folder/bela/$device.key ]]; then
        { bela smsenc-keyring add learner || bela smsenc-keyring resync learner; } >"$folder/bela/key" || return
        mv -- "$folder/bela/key" "$folder/bela/$device.key"
    fi
    bela smsenc-keyring sync learner <<<"$key" >/dev/null || true
    bela smsenc-keyring verify learner >"$folder/bela/codes" && mv -- "$folder/bela/codes" "$folder/bela/$device.codes"
}
# compare_codes: Bela enters the user's code.
compare_codes() {
    local code
    code=$(learner verify Bela | sed -n $'s/^yours\t//p') && [[ -n $code ]] || return
    bela smsenc-keyring verify learner "$code" --both || true
}
key() { cat "$folder/bela/$device.key"; }
# wrong_key: prints the key with another first character.
wrong_key() { local key; key=$(key); if [[ $key == 7* ]]; then echo "4${key:1}"; else echo "7${key:1}"; fi; }
code() { sed -n $'s/^yours\t//p' "$folder/bela/$device.codes"; }

# write_sms NAME TEXT: Bela encrypts an SMS, once.
write_sms() {
    [[ -s $folder/bela/$1.sms ]] || {
        printf '%s\n' "$2" | smsenc-frame | bela smsenc-pad -c learner >"$folder/bela/sms" && mv -- "$folder/bela/sms" "$folder/bela/$1.sms"
    }
}
copy_sms() { cp -- "$folder/bela/$1.sms" "$folder/clipboard"; }

# deliver: Bela reads the SMS in the outbox. Sets `heard` to the text.
deliver() {
    local shown
    heard=''
    [[ -s $folder/outbox ]] || return 0
    mv -f -- "$folder/outbox" "$folder/read"
    heard=$(bela smsenc-pad -d -c learner <"$folder/read" | smsenc-frame -dj 2>/dev/null) || true
    without_controls "$heard" ' '
    if [[ -n $heard ]]; then
        echo
        echo "Bela gets the SMS. She reads:"
        printf '    %s\n' "$shown"
    else
        echo
        echo "Bela gets an SMS that she cannot read."
    fi
}

# --- The steps

begin_keyring() { :; }
text_keyring() {
    cat <<'END'
Create a keyring

A keyring is a file. Your contacts and your keys are in this file.
A password protects it. Type this line, and then the key Return:
    smsenc-keyring init --user Amina

Now smsenc asks for a new password. Use one only for this practice.
Use 16 characters or more. Five words are good, for example:
    apple window river seven table
You do not see the password while you type it. Type it two times.
END
}
is_done_keyring() { [[ -n ${fact[user]:-} ]]; }
hint_keyring() {
    cat <<'END'
Type this line. There are two hyphens before the word user.
    smsenc-keyring init --user Amina
Then type five words, and Return. Then type the same words again.
END
}

begin_open() { :; }
text_open() {
    cat <<'END'
Open the keyring

The keyring is locked. Open it:
    smsenc-open

Now smsenc asks for the password. Type it, and then the key Return.
You do not see it. If it is wrong, smsenc asks again.
END
}
is_done_open() { is_open; }
hint_open() {
    cat <<'END'
Type this line. Then type the password that you chose for this practice.
    smsenc-open
Did you forget the password? Type exit, and then: smsenc tutor --restart
END
}

begin_add() { :; }
text_add() {
    cat <<'END'
Add a contact

The line begins with (open) now. The other commands do not ask for the password.
You want to write to Bela. Add her as a contact:
    smsenc-keyring add Bela
END
}
is_done_add() { [[ -n $state ]]; }
hint_add() {
    local other
    other=$(learner list --names | head -n 1) || other=''
    if [[ -n $other ]]; then
        word_of "$other"
        echo "You wrote $word. The name must be Bela. Change the name:"
        echo "    smsenc-keyring edit $word --name Bela"
    else
        echo "Type this line. The name begins with a large B."
        echo "    smsenc-keyring add Bela"
    fi
}

begin_sync() { device=keyring meet; }
text_sync() {
    cat <<END
Exchange keys

You meet Bela. You give her your sync key on paper, and she enters it:
    $(learner resync Bela)
Bela gives you her key on paper, too. She wrote one character wrong:
    $(wrong_key)
Type this line, and then the wrong key. Read what smsenc says:
    smsenc-keyring sync Bela

smsenc asks again. You ask Bela, and she reads the correct key to you:
    $(key)
Type the correct key.
END
}
is_done_sync() { [[ $state == *verified || $state == changed ]]; }
hint_sync() {
    cat <<END
Type this line:
    smsenc-keyring sync Bela
smsenc asks for the sync key of Bela. Type it, and then Return:
    $(key)
END
}

begin_verify() { compare_codes; }
text_verify() {
    cat <<END
Compare codes

Did a stranger change a key? The codes show it.
You call Bela. You know her voice. You read the code "yours" to her,
and she enters it. She reads her code to you:
    $(code)
Type her code in the place of CODE:
    smsenc-keyring verify Bela CODE
Later, never copy a code from your own screen. Only her voice proves it.
END
}
is_done_verify() { [[ $state == verified ]]; }
hint_verify() {
    cat <<END
Type the command, the name and the code in one line:
    smsenc-keyring verify Bela $(code)
END
}

begin_write() { :; }
text_write() {
    cat <<'END'
Write a message

Type the command below. Then type a short message, and Return.
Then press Control and D at the same time. This ends the message.
    smsenc-compose Bela

smsenc encrypts the message and copies the SMS to the clipboard.
You would paste it as an SMS. Here, the tutor sends it to Bela.
END
}
is_done_write() { [[ -n $heard ]]; }
hint_write() {
    ((number_sent == 0)) || echo "The SMS was not in the clipboard. Do not use the option -p."
    cat <<'END'
Type this line:
    smsenc-compose Bela
Type some words. Press Return. Hold the key Control (Ctrl), and press D.
END
}

begin_read() { write_sms answer 'Thank you. We come at 8. Please bring water.' && copy_sms answer; }
text_read() {
    cat <<'END'
Read a message

Bela answers. You would copy her SMS from the telephone to the clipboard.
Here, the tutor has copied it. Read it:
    smsenc-read Bela
END
}
is_done_read() { ((received > 0)); }
hint_read() { echo "The SMS of Bela is in the clipboard again. Type this line:"; echo "    smsenc-read Bela"; }

begin_long() { printf '%s\n' "$report" >"$folder/home/report"; }
report='Report of the clinic. Monday: 41 patients, 12 children under 5, 3 with fever. Tuesday: 38 patients, 9 children, no fever. We have medicine for 6 days, and bandages for 4 days. The road from the river to the school is open again, but the bridge at the market is closed. Two drivers are ill. Please send one driver, 40 litres of fuel and 200 bandages before Friday. The next report comes on Wednesday evening.'
text_long() {
    cat <<'END'
A message that is too long

The file report contains a long report. Send it to Bela:
    smsenc-compose Bela <report

It does not fit into one SMS. Read what smsenc says.
Then use the option that splits a message. smsenc copies one SMS after
another. Each time it asks, press Return.
END
}
is_done_long() { [[ $heard == "${report:0:40}"* ]]; }
hint_long() {
    cat <<'END'
The option is -s. Type this line, and then Return each time smsenc asks:
    smsenc-compose -s Bela <report
END
}

begin_gap() {
    # Once in forty times, smsenc takes the key of the lost SMS for one that Bela could not use. Then Bela writes again.
    ((${received:-0} < 2 || missing > 0)) || rm -f -- "$folder"/bela/{late,gap}.sms
    write_sms late 'The doctor comes on Friday.' && write_sms gap 'She needs a room with a table.' && copy_sms gap
}
text_gap() {
    cat <<'END'
A lost SMS

Bela writes two SMS. The first SMS does not arrive.
The second SMS is in the clipboard. Read it. You know the command.
Read what smsenc says about the other SMS.
END
}
is_done_gap() { ((missing > 0)); }
hint_gap() { hint_read; }

begin_late() { copy_sms late; }
text_late() {
    cat <<'END'
A late SMS

One message from Bela has not arrived. This command shows how many are missing:
    smsenc-keyring show Bela

You tell Bela. She sends the same SMS again. She does not encrypt it again.
The SMS is in the clipboard. Read it.
END
}
is_done_late() { ((received > 2 && missing == 0)); }
hint_late() { hint_read; }

begin_lock() { :; }
text_lock() {
    cat <<'END'
Lock the keyring

You go to lunch. Other people must not read your messages. Lock the keyring:
    exit
END
}
is_done_lock() { ! is_open; }
hint_lock() { echo "Type this word, and then Return:"; echo "    exit"; }

begin_unlock() { :; }
text_unlock() {
    cat <<'END'
A locked keyring

The line does not begin with (open) any more. Now each command asks for the
password. Try this one:
    smsenc-keyring list
After three wrong passwords, you must wait five minutes.
You come back from lunch. Open the keyring again. You know the command.
END
}
is_done_unlock() { is_open; }
hint_unlock() { hint_open; }

begin_lost() { :; }
text_lost() {
    cat <<'END'
A stolen telephone

Bela calls you. A thief has her telephone, and smsenc was open on it.
Erase the keys that you share with Bela, now. Then the thief cannot
read your next messages. smsenc asks you. Type yes.
    smsenc-keyring resync --lost Bela
END
}
is_done_lost() { [[ $state == lost ]]; }
hint_lost() {
    cat <<'END'
Type this line. smsenc asks a question. Then type yes, and Return.
    smsenc-keyring resync --lost Bela
END
}

begin_again() { device=second meet; }
text_again() {
    cat <<END
New keys

Bela has a new telephone. You meet her, and give her your new key on paper:
    $(learner resync Bela)
She gives you her new key:
    $(key)
Enter her key. You know the command.
END
}
is_done_again() { [[ $state == *verified || $state == changed ]]; }
hint_again() { hint_sync; }

begin_codes() { compare_codes; }
text_codes() {
    cat <<END
Compare codes again

The state of Bela is "changed". This is a warning: perhaps a stranger
gave you the new key. Compare the codes before you write.
You call Bela, and know her voice. Her code is:
    $(code)
Enter it. You know the command.
END
}
is_done_codes() { [[ $state == verified ]]; }
hint_codes() { hint_verify; }

begin_backup() { :; }
text_backup() {
    cat <<'END'
Make a backup

Your computer can break, too. A backup contains your contacts.
You keep it in another place, for example on a USB stick.
    smsenc-keyring export backup
END
}
is_done_backup() { [[ ${fact['last backup']} != - && ${fact['last backup']} != unknown && -s $folder/home/backup ]]; }
hint_backup() { echo "Type this line:"; echo "    smsenc-keyring export backup"; }

# --- The course of the tutor

# read_step: sets `step`, its number `place`, and the device that Bela uses in this step. Fails if there is no step.
read_step() {
    step='' place=0 device=keyring
    { read -r step <"$folder/step"; } 2>/dev/null || return
    while [[ $step != end && ${steps[place]:-} != "$step" ]]; do
        ((place < ${#steps[@]})) || return
        [[ ${steps[place]} != lost ]] || device=second
        place=$((place + 1))
    done
}
show_step() {
    echo
    printf -- '--- Step %s of %s: ' "$((place + 1))" "${#steps[@]}"
    "text_$step"
    echo
}
# needs_open: succeeds if the keyring must be open for the step but is locked. The step is shown again when the keyring is open.
needs_open() {
    ! is_open && [[ " keyring open lock unlock " != *" $step "* ]] || return
    : >"$folder/closed"
    echo
    echo "The keyring is locked. Open it:"
    echo "    smsenc-open"
    echo "To leave the tutor, type exit."
    echo
}
show_hint() {
    local mistakes
    echo
    printf 'Hint: '
    "hint_$step"
    mistakes=$(<"$folder/mistakes")
    ((mistakes < 5)) || echo "You can also begin again. Type exit, and then: smsenc tutor --restart"
    echo
}

# check_step TYPED: runs before each prompt. Returns 3 at the end of the tutor.
check_step() {
    local mistakes names heard='' has_advanced=false
    read_step
    [[ $step != end ]] || return 3
    deliver
    while true; do
        read_learner
        "is_done_$step" || break
        echo
        echo "Good."
        case ${steps[place + 1]:-} in
        # In these steps, the first command is not expected to complete the step, so it does not count as a mistake.
        long | late | unlock) echo -1 >"$folder/mistakes" ;;
        *) echo 0 >"$folder/mistakes" ;;
        esac
        if ((place + 1 == ${#steps[@]})); then echo end >"$folder/step"; return 3; fi
        step=${steps[place + 1]}
        [[ $step != again ]] || device=second
        "begin_$step" || die 74 "the tutor cannot continue; see $folder/bela/log"
        echo "$step" >"$folder/step.new" && mv -- "$folder/step.new" "$folder/step"
        read_step
        show_step
        has_advanced=true
    done
    ! $has_advanced || return 0
    if is_open && [[ -e $folder/closed ]]; then
        rm -f -- "$folder/closed"
        show_step
        return
    fi
    (($1)) || return 0
    if [[ ${fact[lockout]} != none ]]; then
        echo
        echo "There were three wrong passwords. Wait ${fact[lockout]%% *} seconds, and then try again."
        echo "Did you forget the password? Type exit, and then: smsenc tutor --restart"
        echo
        return 0
    fi
    ! needs_open || return 0
    if ((place > 3 && place < 12)) && is_open && [[ $state != *verified && $state != changed ]]; then
        echo
        echo "You do not share keys with Bela any more, so this step is not possible."
        echo "Begin again. Type exit, and then: smsenc tutor --restart"
        echo
        return 0
    fi
    "begin_$step" || true
    mistakes=$(($(<"$folder/mistakes") + 1))
    echo "$mistakes" >"$folder/mistakes"
    ((mistakes > 0)) || return 0
    if ((mistakes == 1)) && ! { [[ $step == add ]] && names=$(learner list --names) && [[ -n $names ]]; }; then
        echo
        echo "This step is not finished. Read the lines above. To see the step, type: again"
        echo
    else
        show_hint
    fi
}

# create_folder: creates the folder of the tutor.
create_folder() {
    { rm -rf -- "$folder" && mkdir -p -- "${folder%/*}" && mkdir -- "$folder" && mkdir -- "$folder"/{home,run,bin,bela}; } 2>/dev/null ||
        die 73 "cannot create the folder $folder"
    echo 'violin harbour mosaic tulip chess' >"$folder/bela/password"
    printf '%s\n' '#!/bin/sh' 'cat >"$SMSENC_TUTOR/clipboard"' '{ cat "$SMSENC_TUTOR/clipboard"; echo; } >>"$SMSENC_TUTOR/outbox"' >"$folder/bin/wl-copy"
    printf '%s\n' '#!/bin/sh' 'cat "$SMSENC_TUTOR/clipboard"' >"$folder/bin/wl-paste"
    chmod 700 "$folder"/bin/*
    : >"$folder/clipboard"
    # The shells that smsenc-open starts read this file, too. Expanding PS0 records that a command was typed.
    cat >"$folder/home/.bashrc" <<'END'
PS1='practice$ ' HISTFILE=''
PS2='The line has no end: a quotation mark or apostrophe is open. Press Control and C. > '
unset PROMPT_COMMAND
smsenc_typed=0
PS0='${smsenc_none[$((smsenc_typed=1))]}'
smsenc_check() {
    local status=$?
    smsenc tutor check "$smsenc_typed" || (($? != 3)) || exit 0
    smsenc_typed=0
    return "$status"
}
PROMPT_COMMAND=smsenc_check
hint() { smsenc tutor hint; smsenc_typed=0; }
again() { smsenc tutor again; smsenc_typed=0; }
# These commands are no mistakes.
for smsenc_word in clear ls cat man; do eval "$smsenc_word() { command $smsenc_word \"\$@\"; smsenc_typed=0; }"; done
# Without this function, the program yes would print lines without end.
yes() { echo "smsenc does not ask now. Type the command again."; }
END
    [[ ! -r ${share%/smsenc}/bash-completion/completions/smsenc ]] ||
        printf '. %q\n' "${share%/smsenc}/bash-completion/completions/smsenc" >>"$folder/home/.bashrc"
    echo 0 >"$folder/mistakes"
    echo "${steps[0]}" >"$folder/step"
}

# start: runs the shell for the exercises until the user leaves it.
start() {
    [[ -t 0 && -t 1 ]] || die 64 "the tutor needs a terminal"
    needs flock util-linux
    folder=${XDG_STATE_HOME:-}
    [[ $folder == /* ]] || folder=${HOME:?}/.local/state
    folder+=/smsenc-tutor
    umask 077
    if $restart || ! read_step || [[ $step == end ]]; then
        create_folder
        wrapped <<'END'
Welcome. You will write private SMS with a partner, Bela. The tutor plays her.
You type real commands. Nothing is sent. Your own keyring is not used.
This takes about ten minutes. You can type these words:
    hint     shows what to type
    again    shows the step again
    exit     locks the keyring if it is open; otherwise, it leaves the tutor.
             "smsenc tutor" continues the tutor later
If a command asks something, and you want to stop it, press Control and C.
END
    fi
    read_step
    (
        restore_locale
        unset SMSENC_KEYRING SMSENC_IDENTITY SMSENC_SESSION SMSENC_PASSWORD_FILE SMSENC_BOX SMSENC_OPEN XDG_STATE_HOME XDG_CONFIG_HOME
        unset BASH_ENV
        # The password prompt shows the path of the keyring, so keep this path short.
        export HOME=$folder/home XDG_DATA_HOME=$folder XDG_RUNTIME_DIR=$folder/run SHELL=$BASH SMSENC_TUTOR=$folder WAYLAND_DISPLAY=tutor
        export PATH=$folder/bin:$PATH:$here
        cd -- "$HOME"
        read_learner
        if ((place > 0)); then printf '\nWelcome back. You are at step %s of %s.\n' "$((place + 1))" "${#steps[@]}"; fi
        { needs_open || show_step; } | wrapped
        exec "$BASH" --rcfile "$HOME/.bashrc" -i
    ) || true
    read_step || die 65 "the folder of the tutor is damaged; run smsenc tutor --restart"
    if [[ $step != end ]]; then
        printf '\nYou have left the tutor at step %s of %s. To continue: smsenc tutor\n' "$((place + 1))" "${#steps[@]}" | wrapped
        return
    fi
    rm -rf -- "$folder"
    wrapped <<'END'

You have finished the tutor. You can create a keyring, exchange keys, write,
read, find a lost SMS, lock the keyring, and act when a telephone is stolen.
To play it again: smsenc tutor

If you and a contact cannot meet, exchange offers by SMS: man 7 smsenc
END
    fact=()
    if read_status || (($? != 66)); then
        printf '\nNow your own keyring:\n'
        overview | wrapped
        exit
    fi
    printf '\nNow create your own keyring, with a new password and your own name:\n    smsenc-keyring init --user NAME\n' | wrapped
}

tutor() {
    local folder=${SMSENC_TUTOR:-} step place device word said heard=''
    # shellcheck source=scripts/share/smsenc/overview.bash
    . "$share/overview.bash"
    if [[ -z $folder ]]; then
        case $*:$# in
        :0) ;;
        --restart:1) restart=true ;;
        -h:1 | --help:1) echo "$usage"; return ;;
        *) misuse "tutor takes only the option --restart" ;;
        esac
        start
        return
    fi
    umask 077
    read_step || die 65 "the folder of the tutor is damaged; type exit, and then: smsenc tutor --restart"
    read_learner
    case $*:$# in
    'check 0:2' | 'check 1:2') check_step "$2" | wrapped ;;
    hint:1) { needs_open || { "begin_$step" || true; show_hint; }; } | wrapped ;;
    :0 | again:1) { needs_open || { "begin_$step" || true; show_step; }; } | wrapped ;;
    *) die 64 "you are in the tutor; type hint, again or exit" ;;
    esac
}
