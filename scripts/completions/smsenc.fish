# Completions of the smsenc tools for fish. Contacts are known when a session is open.

function __smsenc_contacts
    set -q SMSENC_SESSION; or return
    SMSENC_PASSWORD_FILE=/dev/null smsenc-keyring list 2>/dev/null </dev/null | cut -f 1
end

for tool in gsm7-check smsenc-frame smsenc-pad
    complete -c $tool -s f -l field -x -d 'The payload is field N, the last'
    complete -c $tool -s z -l null -d 'Records end in NUL'
    complete -c $tool -l rejects -r -d 'Write bad records to a new file'
    complete -c $tool -l fail-fast -d 'Stop at the first bad record'
    complete -c $tool -l progress -d 'Show how far it is'
end
for tool in gsm7-check smsenc-frame smsenc-pad smsenc-keyring
    complete -c $tool -l help -d 'Show the usage'
    complete -c $tool -l version -d 'Show the version'
end
for tool in smsenc-pad smsenc-keyring
    complete -c $tool -s k -l keyring -r -d 'The file of the keyring'
    complete -c $tool -s i -l identity -x -d 'Act under this identity'
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

complete -c smsenc-frame -s d -l unpack -d 'Frames in, messages out'
complete -c smsenc-frame -s s -l split -d 'Several frames for a long message'
complete -c smsenc-frame -s u -l unicode -d 'Pack what is not GSM'

complete -c smsenc-pad -s d -l decipher -d 'Ciphertexts into frames'
complete -c smsenc-pad -s c -l contact -x -a '(__smsenc_contacts)' -d 'All records are of this contact'
complete -c smsenc-pad -s n -l number -d 'Print numbers'
complete -c smsenc-pad -s N -l name -d 'Print names'
complete -c smsenc-pad -l far -d 'Search 4096 messages ahead'

for tool in smsenc-compose smsenc-read
    complete -c $tool -f -a '(__smsenc_contacts)'
    complete -c $tool -l help -d 'Show the usage'
end
complete -c smsenc-compose -s e -l edit -d 'Write in the editor'
complete -c smsenc-compose -s p -l print -d 'Print the ciphertext'
complete -c smsenc-compose -s s -l split -d 'Several SMS for a long message'
complete -c smsenc-compose -s t -l transliterate -d 'Write the nearest that GSM has'
complete -c smsenc-compose -s u -l unicode -d 'Pack what is not GSM'
complete -c smsenc-read -s p -l paste -d 'Take it from the keyboard'
complete -c smsenc-read -l far -d 'Search 4096 messages ahead'

set -l verbs seal open edit share
complete -c smsenc-file -n "not __fish_seen_subcommand_from $verbs" -f -a "$verbs"
complete -c smsenc-file -s a -l armor -n '__fish_seen_subcommand_from seal' -d 'Seal as text'
complete -c smsenc-file -s i -l identity -x -d 'Whose file it is'
complete -c smsenc-file -s k -l keyring -r -d 'The file of the keyring'
complete -c smsenc-file -l key -r -n '__fish_seen_subcommand_from open' \
    -d 'Open under a key that was shared'
complete -c smsenc-file -l help -d 'Show the usage'

set -l commands init passwd destroy unlock lock status add sync resync offer accept verify edit \
    remove list show export import adopt identity file-key
complete -c smsenc-keyring -f -n "not __fish_seen_subcommand_from $commands" -a "$commands"
complete -c smsenc-keyring -f -a '(__smsenc_contacts)' \
    -n '__fish_seen_subcommand_from sync resync offer accept verify edit remove show'
complete -c smsenc-keyring -f -n '__fish_seen_subcommand_from identity' -a 'list add rename remove'
complete -c smsenc-keyring -l user -x -n '__fish_seen_subcommand_from init passwd'
complete -c smsenc-keyring -l country -x -n '__fish_seen_subcommand_from init passwd'
complete -c smsenc-keyring -l lockout -x -n '__fish_seen_subcommand_from init'
complete -c smsenc-keyring -l new-password-file -r -n '__fish_seen_subcommand_from passwd'
complete -c smsenc-keyring -l for -x -a '30m 1h 8h' -n '__fish_seen_subcommand_from unlock'
complete -c smsenc-keyring -l all -n '__fish_seen_subcommand_from lock'
complete -c smsenc-keyring -l number -x -n '__fish_seen_subcommand_from add edit'
complete -c smsenc-keyring -l name -x -n '__fish_seen_subcommand_from edit'
complete -c smsenc-keyring -l new -n '__fish_seen_subcommand_from resync offer'
complete -c smsenc-keyring -l yes -n '__fish_seen_subcommand_from destroy add edit file-key'
complete -c smsenc-keyring -l public -n '__fish_seen_subcommand_from file-key'
complete -c smsenc-keyring -l moved -n '__fish_seen_subcommand_from adopt'
complete -c smsenc-keyring -l restored -n '__fish_seen_subcommand_from adopt'
complete -c smsenc-keyring -l kind -x -a 'partial fictitious transient' \
    -n '__fish_seen_subcommand_from identity'
