/// Words that are one slip from each other.
package enum Similar {
    /// Letters that a word has at least, for one of them to be taken for a slip.
    private static let fewestLetters = 3

    /// The one of some words that was most likely meant: equal but for case, or else with one letter more
    /// or less, or another, or two neighbours exchanged. Nil where there is none.
    package static func word(to word: String, among words: some Sequence<String>) -> String? {
        let wanted = Array(word.lowercased())
        var found: String?
        for candidate in words where candidate != word {
            let letters = Array(candidate.lowercased())
            if letters == wanted { return candidate }
            if found == nil, isOneSlip(letters, wanted) { found = candidate }
        }
        return found
    }

    private static func isOneSlip(_ first: [Character], _ second: [Character]) -> Bool {
        guard min(first.count, second.count) >= fewestLetters else { return false }
        let start = zip(first, second).prefix { $0 == $1 }.count
        let (left, right) = (first[start...], second[start...])
        if left.dropFirst() == right || left == right.dropFirst() { return true }
        guard left.count == right.count else { return false }
        return left.dropFirst().elementsEqual(right.dropFirst())
            || left.count >= 2 && left.prefix(2).elementsEqual(right.prefix(2).reversed())
                && left.dropFirst(2).elementsEqual(right.dropFirst(2))
    }
}
