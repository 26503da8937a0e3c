# Functions for routes to web services, which send with curl and receive through the listener webhook.

# in_quotes TEXT: sets `quoted` to TEXT in double quotes, for JSON and for a configuration file of curl.
in_quotes() {
    quoted=${1//[[:cntrl:]]/ }
    quoted=${quoted//\\/\\\\}
    quoted=\"${quoted//\"/\\\"}\"
}

# read_address ADDRESS NAME: checks an address, and sets `address` to it and `direct` to an option for curl. If the address is
# refused, prints the reason with NAME, the name of the setting. Without TLS, the password is never sent to another machine
# unless ADDRESS begins with in-clear:, and curl never uses a proxy.
read_address() {
    local in_clear='' host
    direct='' address=$1
    [[ $address != in-clear:* ]] || in_clear=true address=${address#in-clear:}
    [[ $address == *://* ]] || address=http://$address
    host=${address#*://} host=${host%%[/?#]*}
    if [[ ! $address =~ ^https?:// || -z $host ]]; then
        echo "$2 must be an http or https address"
    elif [[ $host == *@* ]]; then
        echo "$2 must not contain a user name or a password, because other users can see arguments; write them into ~/.netrc"
    elif [[ $address != https:* && -z $in_clear && ! $host =~ ^(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]*)?$ ]]; then
        echo "http://$host is not encrypted, so others could read your password; use https or a tunnel, or specify $2 in-clear:$address"
    else
        [[ $address == https:* || -n $in_clear ]] || direct='noproxy = "*"'
        return
    fi
    return 64
}

# request NAME OPTION ...: prints a request for exchange_all, in the form of a configuration of curl. The last options
# override those in the user's .curlrc that would redirect the request or remove the time limit.
is_next=false
request() {
    local quoted file
    ! $is_next || echo next
    is_next=true
    for file in "${CURL_HOME:-/}/.curlrc" "${XDG_CONFIG_HOME:-/}/.curlrc" "$HOME/.curlrc"; do
        [[ -f $file ]] || continue
        in_quotes "$file"
        echo "config = $quoted"
        break
    done
    printf '%s\n' "${@:2}" no-location 'proto = "=http,https"' 'connect-timeout = 15' 'max-time = 60' 'output = "/dev/null"' \
        "write-out = \"%{stderr}\\n$1|%{http_code}|%{content_type}|%{errormsg}\\n\""
}

# exchange_all: makes all requests on stdin at the same time with one curl. Prints a line NAME|STATUS|TYPE|ERROR as soon as a
# request is answered. May print other lines too. Curl writes the lines to stderr, because stderr is not buffered.
exchange_all() {
    local version
    read -r _ version _ < <(curl --version 2>/dev/null)
    if [[ $version =~ ^([0-9]+)\.([0-9]+) ]] && ((BASH_REMATCH[1] * 1000 + BASH_REMATCH[2] >= 7075)); then
        { curl -q --silent --no-progress-meter --parallel --parallel-max 10 --config - >/dev/null; } 2>&1
    else
        # This version of curl does not support the variable errormsg.
        { curl -q --silent --config <(sed 's/%{errormsg}/no answer/') >/dev/null; } 2>&1
    fi
}

# print_listener ROUTE PORT USER HOOK VARIABLES: prints commands that set up webhook on the loopback address. Webhook runs HOOK
# for each request to a path that contains the secret `$secret`. HOOK gets the body of the request in the file $SMSENC_BODY, and
# environment variables, which the JSON list VARIABLES defines.
print_listener() {
    local quoted file=/etc/smsenc/webhook-$1.json
    in_quotes "$4"
    cat <<END
command -v webhook >/dev/null || { echo "webhook is not installed; run: apt-get install webhook" >&2; exit 69; }
mkdir -p /etc/smsenc /etc/systemd/system
# The secret stays the same if the script is run again.
secret=\$(sed -n 's/.*"id": "\\([0-9a-f]*\\)".*/\\1/p' $file 2>/dev/null) || true
[ -n "\$secret" ] || secret=\$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
(umask 027 && sed "s/@secret@/\$secret/" >$file) <<'LINES'
[{
    "id": "@secret@",
    "execute-command": "/bin/sh",
    "pass-arguments-to-command": [{"source": "string", "name": "-c"}, {"source": "string", "name": $quoted}],
    "pass-file-to-command": [{"source": "raw-request-body", "envname": "SMSENC_BODY"}],
    "pass-environment-to-command": $5,
    "include-command-output-in-response": true
}]
LINES
chgrp "\$(id -gn $3)" $file
# If the command fails, webhook answers 500, and the gateway tries again.
cat >/etc/systemd/system/smsenc-webhook-$1.service <<'LINES'
[Unit]
Description=Receive the web requests of the route $1 of smsenc
Documentation=man:smsenc-gateways(7)

[Service]
User=$3
ExecStart=/usr/bin/webhook -hooks $file -ip 127.0.0.1 -port $2
Restart=always
PrivateTmp=yes

[Install]
WantedBy=multi-user.target
LINES
systemctl daemon-reload
systemctl enable smsenc-webhook-$1
systemctl restart smsenc-webhook-$1
END
}
