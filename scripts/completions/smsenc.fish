# Completions of the smsenc tools and scripts for fish. Options, their values and commands are those of
# --help. Contacts and identities are offered if a session is open.

# Prints the first column of a list from the keyring. Never asks for a password.
function __smsenc_names
    set -q SMSENC_SESSION; or return
    SMSENC_PASSWORD_FILE=/dev/null smsenc-keyring $argv 2>/dev/null </dev/null | cut -f 1
end

# Prints the values for words in --help: contacts, identities, or the words themselves.
function __smsenc_values
    for kind in $argv
        switch $kind
            case CONTACT
                __smsenc_names list
            case IDENTITY
                __smsenc_names identity list
            case '*'
                string match -r '^[a-z].*' -- $kind
        end
    end
end

# Prints the --help of a command, with each long line in one piece.
function __smsenc_help
    $argv --help 2>/dev/null |
        awk 'NR > 1 && !/^       / { print line } { line = sub(/^       +/, "  ") ? line $0 : $0 } END { print line }'
end

# Adds the options that --help lists: __smsenc_options CONDITION COMMAND ...
function __smsenc_options
    set -l add complete -c $argv[2]
    test -z "$argv[1]"; or set add $add -n $argv[1]
    set -l help (__smsenc_help $argv[2..-1])
    set -l seen
    for row in (string replace -rf '^ +(?:-(.), )?--([a-z-]+)(?: ([^ ,]+))?  +(.*)' '$2\t$1\t$3\t$4' -- $help)
        set -l part (string split \t -- $row)
        set -l option -l $part[1] -d $part[4]
        test -z "$part[2]"; or set option $option -s $part[2]
        switch $part[3]
            case ''
            case FILE FOLDER KEYRING
                set option $option -r
            case '*'
                set option $option -x -a "(__smsenc_values "(string replace -a '|' ' ' -- $part[3])")"
        end
        $add $option
        set seen $seen --$part[1]
    end
    # The --help of scripts mentions some options only in a sentence.
    for option in (string match -ar -- '(?<![a-z-])--[a-z][a-z-]+' $help)
        contains -- $option $seen; or $add -l (string sub -s 3 -- $option)
    end
end

# Prints the commands of smsenc: those of smsenc-keyring, and the programs smsenc-*.
function __smsenc_commands
    printf '%s\n' help doctor tutor
    complete -C smsenc- | string replace -rf '^smsenc-([a-z]+)(\s.*)?$' '$1'
    __smsenc_help smsenc-keyring | string replace -rf '^  ([a-z][a-z-]*).*' '$1'
end

# Offers the completions of the program that smsenc runs.
function __smsenc_delegated
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    contains -- $words[2] help doctor tutor; and return
    if command -sq smsenc-$words[2]
        set words smsenc-$words[2] $words[3..-1]
    else
        set words smsenc-keyring $words[2..-1]
    end
    set -l line (string join ' ' -- (string escape -- $words))
    complete -C "$line $token"
end

set -l all smsenc gsm7-check smsenc-frame smsenc-pad smsenc-keyring smsenc-compose smsenc-file smsenc-inbox \
    smsenc-open smsenc-read smsenc-receive smsenc-report smsenc-route smsenc-send smsenc-slips
# The file is installed under the name of each of them.
set -l tools (string match -r '[^/]*(?=\.fish$)' -- (status filename))
contains -- "$tools" $all; or set tools $all
for tool in $tools
    switch $tool
        case smsenc
            complete -c $tool -n 'test (count (commandline -opc)) -eq 1' -f -a '(__smsenc_commands | sort -u)'
            complete -c $tool -n 'test (count (commandline -opc)) -gt 1' -f -a '(__smsenc_delegated)'
        case smsenc-compose smsenc-read
            complete -c $tool -f -a '(__smsenc_values CONTACT)'
        case smsenc-file
            complete -c $tool -n 'test (count (commandline -opc)) -eq 1' -f -a 'seal open edit share'
        case smsenc-route
            complete -c $tool -n 'test (count (commandline -opc)) -eq 1' -f -a 'list setup check show send became'
            complete -c $tool -n 'test (count (commandline -opc)) -eq 2' -f -a (smsenc-route list 2>/dev/null | string join ' ')
        case smsenc-send smsenc-receive
            complete -c $tool -n 'test (count (commandline -opc)) -eq 1' -f \
                -a (smsenc-route list 2>/dev/null | string join ' ')
        case smsenc-keyring
            complete -c $tool -f
            set -l rows (__smsenc_help $tool | string replace -rf \
                '^  ([a-z][a-z-]*) ?([^ ]*) ?([^ ]*)(?: [^ ]+)*  +(.*)' '$1\t$2\t$3\t$4')
            set -l commands (string replace -r '\t.*' '' -- $rows | uniq)
            set -l known
            for row in $rows
                set -l part (string split \t -- $row)
                set -l is "__fish_seen_subcommand_from $part[1]"
                test $part[1] = identity; or set is "$is; and not __fish_seen_subcommand_from identity"
                if not contains -- $part[1] $known
                    set known $known $part[1]
                    complete -c $tool -n "not __fish_seen_subcommand_from $commands" -a $part[1] -d $part[4]
                    __smsenc_options $is $tool $part[1]
                end
                complete -c $tool -n $is -a "(__smsenc_values '$part[2]')"
                complete -c $tool -n "$is; and __fish_seen_subcommand_from '$part[2]'" \
                    -a "(__smsenc_values '$part[3]')"
            end
    end
    __smsenc_options '' $tool
end
