# Decodes the HTML entities that an SMS can contain, and counts characters. Needs LC_ALL=C.

# Returns the number of characters in UTF-8: all bytes except continuation bytes.
function characters(text) { gsub(/[\200-\277]/, "", text); return length(text) }
BEGIN {
    split("quot 34 amp 38 apos 39 lt 60 gt 62 nbsp 160 iexcl 161 pound 163 curren 164 yen 165 sect 167 iquest 191 " \
        "Auml 196 Aring 197 AElig 198 Ccedil 199 Eacute 201 Ntilde 209 Ouml 214 Oslash 216 Uuml 220 szlig 223 " \
        "agrave 224 auml 228 aring 229 aelig 230 ccedil 231 egrave 232 eacute 233 igrave 236 ntilde 241 ograve 242 " \
        "ouml 246 oslash 248 ugrave 249 uuml 252 Gamma 915 Delta 916 Theta 920 Lambda 923 Xi 926 Pi 928 Sigma 931 " \
        "Phi 934 Psi 936 Omega 937", word, " ")
    for (i = 1; i in word; i += 2) code_of[word[i]] = word[i + 1]
}
function utf8(code) {
    if (code < 128) return sprintf("%c", code)
    if (code < 2048) return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
    return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
}
function number(digits, base, i, value) {
    for (i = 1; i <= length(digits); i++)
        value = base * value + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
    return value
}
function without_entities(text, name, code, out) {
    while (match(text, /&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z]+);/)) {
        name = substr(text, RSTART + 1, RLENGTH - 2)
        if (name ~ /^#[xX]/) code = number(substr(name, 3), 16)
        else if (name ~ /^#/) code = number(substr(name, 2), 10)
        else code = code_of[name]
        out = out substr(text, 1, RSTART - 1) \
            (code > 31 && code < 65536 ? utf8(code) : substr(text, RSTART, RLENGTH))
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}
