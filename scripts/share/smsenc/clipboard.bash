# Copies to and pastes from the clipboard, with the first tool that is installed.

# clipboard tool: prints the tool's name.
# clipboard copy: copies stdin to the clipboard.
# clipboard paste: prints the content of the clipboard.
# Returns 69 if no tool is installed, and 74 if the tool fails. Some of these tools keep running for hours, so they do not get
# the token of the session.
clipboard() {
    local tool=''
    if [[ -n ${WAYLAND_DISPLAY:-} ]] && command -v wl-copy >/dev/null; then tool=wl-copy
    elif [[ -n ${DISPLAY:-} ]] && command -v xclip >/dev/null; then tool=xclip
    elif [[ -n ${DISPLAY:-} ]] && command -v xsel >/dev/null; then tool=xsel
    elif command -v termux-clipboard-set >/dev/null; then tool=termux-clipboard-set
    elif command -v clip.exe >/dev/null; then tool=clip.exe
    else return 69
    fi
    (
        unset SMSENC_SESSION
        case $1:$tool in
        tool:*) echo "$tool" ;;
        copy:xclip) xclip -selection clipboard >/dev/null ;; # xclip keeps running and would keep stdout open.
        copy:xsel) xsel --clipboard --input ;;
        copy:clip.exe) iconv -f UTF-8 -t UTF-16LE | clip.exe ;;
        copy:*) "$tool" ;;
        paste:wl-copy) wl-paste --no-newline ;;
        paste:xclip) xclip -selection clipboard -o ;;
        paste:xsel) xsel --clipboard --output ;;
        paste:termux-clipboard-set) termux-clipboard-get ;;
        paste:clip.exe)
            powershell.exe -NoProfile -Command \
                '[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw'
            ;;
        esac
    ) || { say "$tool failed"; return 74; }
}
