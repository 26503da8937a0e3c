/// Suggests the correct word for a misspelled word.
package enum SpellingSuggestion {
    /// Minimum length of words that are compared. Shorter words are not compared, because nearly any short
    /// word differs from another in only one letter.
    private static let minimumLength = 3

    /// Returns the word that the user probably meant, or nil if no word is similar.
    ///
    /// A word is similar if it differs from the user's word only in case, or in one inserted, missing or
    /// wrong letter. A word is also similar if two adjacent letters are swapped.
    package static func word(to word: String, among words: some Sequence<String>) -> String? {
        let wanted = Array(word.lowercased())
        var found: String?
        for candidate in words where candidate != word {
            let letters = Array(candidate.lowercased())
            if letters == wanted { return candidate }
            if found == nil, isOneTypoApart(letters, wanted) { found = candidate }
        }
        return found
    }

    private static func isOneTypoApart(_ first: [Character], _ second: [Character]) -> Bool {
        guard min(first.count, second.count) >= minimumLength else { return false }
        let start = zip(first, second).prefix { $0 == $1 }.count
        let (left, right) = (first[start...], second[start...])
        if left.dropFirst() == right || left == right.dropFirst() { return true }
        guard left.count == right.count else { return false }
        return left.dropFirst().elementsEqual(right.dropFirst())
            || left.count >= 2 && left.prefix(2).elementsEqual(right.prefix(2).reversed())
                && left.dropFirst(2).elementsEqual(right.dropFirst(2))
    }
}
