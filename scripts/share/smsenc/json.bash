# Functions for routes that read JSON.

# Functions of jq that convert an SMS to TIME TAB NUMBER TAB TEXT. Newlines within the text become ␊, and newlines at its end
# are removed. A value that is not an SMS becomes the text of a line, so the user can see it.
as_lines='
def string: if . == null then "" elif type == "string" then . else tojson end;
def fields: map(gsub("\r\n"; "\n") | sub("\n+$"; "") | gsub("\n"; "␊") | gsub("[\t\r]"; " "));
def line(time; number; text): [time, number, text] | map(string) | fields
    | [(.[0], .[1] | if . == "" then "-" else . end), .[2]] | join("\t");
def odd: line("-"; "-"; .);
def object: if type == "object" then . else error("no object") end;'

# whole_json: copies JSON, and replaces unpaired surrogates by U+FFFD, because jq may refuse them.
whole_json() {
    local a=$'\1' b=$'\2' low='[dD][c-fC-F][0-9a-fA-F]{2}' high='[dD][89abAB][0-9a-fA-F]{2}'
    LC_ALL=C sed -E "s/[$a$b]/ /g; s/\\\\\\\\/$a/g; s/\\\\u($high)\\\\u($low)/$b\\1$b\\2/g
        s/\\\\u$high/\\\\ufffd/g; s/$b/\\\\u/g; s/$a/\\\\\\\\/g"
}
