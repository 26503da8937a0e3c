# Completions of the smsenc tools and scripts for fish. Contacts and identities are known when a
# session is open.

function __smsenc_names
    set -q SMSENC_SESSION; or return
    SMSENC_PASSWORD_FILE=/dev/null smsenc-keyring $argv 2>/dev/null </dev/null | cut -f 1
end

function __smsenc_contacts
    __smsenc_names list
end

# The options of a script, from its --help.
function __smsenc_options
    string match -q -- '-*' (commandline -ct); or return
    $argv[1] --help 2>/dev/null | string match -ar -- '(?<![a-z-])--[a-z][a-z-]+' | sort -u
end

for tool in gsm7-check smsenc-frame smsenc-pad
    complete -c $tool -s f -l field -x -d 'The payload is field N, the last'
    complete -c $tool -s z -l null -d 'Records end in NUL'
    complete -c $tool -l rejects -r -d 'Write bad records to a new file'
    complete -c $tool -l status -r -d 'Write what became of each record to a new file'
    complete -c $tool -l fail-fast -d 'Stop at the first bad record'
    complete -c $tool -l progress -d 'Show how far it is'
end
for tool in gsm7-check smsenc-frame smsenc-pad smsenc-keyring
    complete -c $tool -l help -d 'Show the usage'
    complete -c $tool -l version -d 'Show the version'
end
for tool in smsenc-pad smsenc-keyring
    complete -c $tool -s k -l keyring -r -d 'The file of the keyring'
    complete -c $tool -s i -l identity -x -a '(__smsenc_names identity list)' -d 'Act under this identity'
    complete -c $tool -l password-file -r -d 'Its first line is the password'
end

complete -c gsm7-check -s b -l basic -d 'The extension table is bad too'
complete -c gsm7-check -s c -l count -d 'Print septets, characters and SMS needed'
complete -c gsm7-check -s l -l limit -x -d 'More septets are bad'
complete -c gsm7-check -s q -l quiet -d 'Print nothing'
complete -c gsm7-check -s t -l transliterate -d 'Write the nearest that GSM has'
complete -c gsm7-check -s v -l invert -d 'Print the bad records'
complete -c gsm7-check -l probe -d 'Print an SMS with every character'
complete -c gsm7-check -l probe-check -d 'Show what became of it'

complete -c smsenc-frame -s c -l count -d 'Print how many characters a message takes'
complete -c smsenc-frame -s d -l unpack -d 'Frames in, messages out'
complete -c smsenc-frame -s j -l join -d 'Put the parts of a message together'
complete -c smsenc-frame -s s -l split -d 'Several frames for a long message'
complete -c smsenc-frame -s t -l mend -d 'Make a message of a text that is none'
complete -c smsenc-frame -l allow-empty -d 'An empty message goes out'

complete -c smsenc-pad -s d -l decipher -d 'Ciphertexts into frames'
complete -c smsenc-pad -s c -l contact -x -a '(__smsenc_contacts)' -d 'All records are of this contact'
complete -c smsenc-pad -s n -l number -d 'Print numbers'
complete -c smsenc-pad -s N -l name -d 'Print names'
complete -c smsenc-pad -l check -d 'Say what would go through'
complete -c smsenc-pad -l far -d 'Search 4096 messages ahead'

for script in smsenc-compose smsenc-read
    complete -c $script -f -a '(__smsenc_contacts)'
end
for script in smsenc-clipboard smsenc-compose smsenc-file smsenc-gammu-receive smsenc-gammu-send \
        smsenc-inbox smsenc-open smsenc-outbox smsenc-read smsenc-route smsenc-slips smsenc-smstools-receive \
        smsenc-smstools-send
    complete -c $script -a "(__smsenc_options $script)"
end
complete -c smsenc-clipboard -f -a 'copy paste tool'
complete -c smsenc-file -n 'test (count (commandline -opc)) -eq 1' -f -a 'seal open edit share'
complete -c smsenc-route -n 'test (count (commandline -opc)) -eq 1' -f -a 'send receive one list'
complete -c smsenc-route -n 'test (count (commandline -opc)) -eq 2' -f \
    -a 'modemmanager termux kdeconnect http'

set -l commands (command -sq smsenc-keyring; and smsenc-keyring --help | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p' | uniq)
complete -c smsenc-keyring -f -n "not __fish_seen_subcommand_from $commands" -a "$commands"
complete -c smsenc-keyring -f -a '(__smsenc_contacts)' \
    -n '__fish_seen_subcommand_from sync resync offer accept verify edit remove show; and not __fish_seen_subcommand_from identity'
complete -c smsenc-keyring -f -n '__fish_seen_subcommand_from identity' -a 'list add rename remove'
complete -c smsenc-keyring -l user -x -n '__fish_seen_subcommand_from init passwd'
complete -c smsenc-keyring -l country -x -n '__fish_seen_subcommand_from init passwd'
complete -c smsenc-keyring -l lockout -x -n '__fish_seen_subcommand_from init'
complete -c smsenc-keyring -l new-password-file -r -n '__fish_seen_subcommand_from passwd'
complete -c smsenc-keyring -l for -x -a '30m 1h 8h' -n '__fish_seen_subcommand_from unlock'
complete -c smsenc-keyring -l fish -n '__fish_seen_subcommand_from unlock'
complete -c smsenc-keyring -l public -n '__fish_seen_subcommand_from file-key'
complete -c smsenc-keyring -l names -n '__fish_seen_subcommand_from list'
complete -c smsenc-keyring -l state -x -n '__fish_seen_subcommand_from list' \
    -a 'waiting unverified ready verified restored'
for option in rejects status fail-fast progress null
    complete -c smsenc-keyring -l $option \
        -n '__fish_seen_subcommand_from add sync resync offer accept verify edit remove; and contains -- - (commandline -opc)'
end
complete -c smsenc-keyring -l all -n '__fish_seen_subcommand_from lock'
complete -c smsenc-keyring -l number -x -n '__fish_seen_subcommand_from add edit; and not __fish_seen_subcommand_from identity'
complete -c smsenc-keyring -l name -x -n '__fish_seen_subcommand_from edit'
complete -c smsenc-keyring -l new -n '__fish_seen_subcommand_from resync offer'
complete -c smsenc-keyring -l cancel -n '__fish_seen_subcommand_from resync'
complete -c smsenc-keyring -l yes \
    -n '__fish_seen_subcommand_from destroy add resync offer accept edit remove file-key identity'
complete -c smsenc-keyring -l moved -n '__fish_seen_subcommand_from adopt'
complete -c smsenc-keyring -l restored -n '__fish_seen_subcommand_from adopt'
complete -c smsenc-keyring -l kind -x -a 'partial fictitious transient' \
    -n '__fish_seen_subcommand_from identity'
