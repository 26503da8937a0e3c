internal import GSM7

/// A message that shows what a route does to characters: some words to know it by, then every
/// character of the alphabet.
///
/// Like a ciphertext it neither begins nor ends with a space, nor has two in a row, since routes often
/// take those away. `@`, code 0, where careless software ends a message, stands early.
enum Probe {
    static let text = "smsenc probe, 160 characters long: " + Alphabet.text
}
