@testable import Keyring
import Support
import Testing

/// Tests that contacts are found by name in any Unicode normal form, and by number in any spelling. Names
/// and numbers are unique.
@Suite(.measured) struct ContactTests {
    private func keyring() throws -> (Person, Keyring) {
        let (amina, _) = try Person.pair()
        return (amina, try amina.open())
    }

    @Test(arguments: [
        "B\u{E9}la Quartermaster", "Be\u{301}la Quartermaster", "0821234567", "082 123 4567",
        "+27821234567", "+27 (82) 123-4567", "0027 82 1234567", "082.123.4567", "082/1234567",
        "27821234567",
    ])
    func contactsAreFoundInAnySpelling(by text: String) throws {
        let (person, keyring) = try keyring()
        let contact = try keyring.contact(named: text)
        #expect(contact.name == Person.names.bela)
        #expect(contact.number == "+27821234567")
        _ = person
    }

    @Test(arguments: [
        "b\u{E9}la Quartermaster", "Bela Quartermaster", "Béla", "821234567",
        "0821234568", "+28821234567", "", "-", "082 123 456\u{7}",
    ])
    func otherNamesAndNumbersAreUnknown(_ text: String) throws {
        let (person, keyring) = try keyring()
        #expect(throws: KeyringError.contact(.unknown(text))) {
            _ = try keyring.contact(named: text)
        }
        _ = person
    }

    @Test func namesAndNumbersAreUnique() throws {
        let (person, keyring) = try keyring()
        #expect(throws: KeyringError.contact(.nameTaken(Person.names.bela))) {
            _ = try keyring.add(name: "Be\u{301}la Quartermaster", number: nil)
        }
        #expect(throws: KeyringError.contact(.numberTaken("+27821234567", Person.names.bela))) {
            _ = try keyring.add(name: "Chipo", number: "00 27 82 123 45 67")
        }
        #expect(try keyring.file.contactCount() == 1)
        _ = try keyring.add(name: "Chipo", number: "40404")
        #expect(throws: KeyringError.contact(.numberTaken("40404", "Chipo"))) {
            try keyring.edit(try person.contact(in: keyring), name: nil, number: "40404")
        }
        #expect(throws: KeyringError.contact(.nameTaken("Chipo"))) {
            try keyring.edit(try person.contact(in: keyring), name: "Chipo", number: nil)
        }
    }

    @Test(arguments: [
        ("", ContactFault.NameFault.empty), ("-", .reserved), ("a\tb", .control),
        ("a\nb", .control), ("\u{7F}", .control), ("\u{85}", .control),
        (String(repeating: "é", count: 128), .tooLong),
    ])
    func badNameIsRefused(_ name: String, _ fault: ContactFault.NameFault) throws {
        let (person, keyring) = try keyring()
        #expect(throws: KeyringError.contact(.badName(name, fault))) {
            _ = try keyring.add(name: name, number: nil)
        }
        #expect(try keyring.file.contactCount() == 1)
        _ = person
    }

    @Test(arguments: ["", "1", "12a", "+", "++27821", "27+821", "1234567890123456789", "٠٨٢"])
    func badNumberIsRefused(_ number: String) throws {
        let (person, keyring) = try keyring()
        #expect(throws: KeyringError.contact(.badNumber(number))) {
            _ = try keyring.add(name: "Chipo", number: number)
        }
        _ = person
    }

    @Test func contactsCanBeEditedAndRemoved() throws {
        let (amina, bela) = try Person.pair()
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        try keyring.edit(contact, name: "B.", number: "+31 6 1234")
        for old in [Person.names.bela, Person.numbers.bela] {
            #expect(throws: KeyringError.contact(.unknown(old))) {
                _ = try keyring.contact(named: old)
            }
        }
        let edited = try keyring.contact(named: "+3161234")
        #expect(edited.id == contact.id && edited.name == "B.")
        // The conversation continues under the new name.
        try keyring.edit(edited, name: Person.names.bela, number: nil)
        #expect(try keyring.contact(named: Person.names.bela).number == "+3161234")
        #expect(try bela.receive(try amina.send("Hello")) == [.message("Hello")])
        try keyring.remove(contact)
        #expect(throws: KeyringError.contact(.unknown(contact.name))) {
            try keyring.remove(contact)
        }
        #expect(try keyring.file.contactCount() == 0)
        try keyring.eachContact { (contact, _) in Issue.record("\(contact.name) is left") }
        try keyring.eachCard { Issue.record("\($0.name) is left") }
        _ = try keyring.add(name: contact.name, number: contact.number)
        #expect(try keyring.contact(named: contact.name).id != contact.id)
    }

    /// An earlier country left numbers without a calling code.
    @Test func aCountryThatMakesTwoNumbersTheSameIsRefused() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        try keyring.change { (store) throws(KeyringError) in
            for (name, number) in [("Chidi", "0831112222"), ("Dora", "27831112222")] {
                try store.contacts.save(try store.contacts.add(name: name, number: number))
            }
        }
        let before = try keyring.reading { (store) in store.header }
        #expect(throws: KeyringError.contact(.numberTaken("+27831112222", "Chidi"))) {
            try keyring.changeSettings(country: "27")
        }
        for keyring in [keyring, try amina.open()] {
            #expect(try keyring.contact(named: "Chidi").number == "0831112222")
            #expect(try keyring.contact(named: "Dora").number == "27831112222")
            #expect(try keyring.reading { (store) in store.header } == before)
        }
        #expect(try amina.isSound())
        try keyring.remove(try keyring.contact(named: "Dora"))
        try keyring.changeSettings(country: "27")
        #expect(try keyring.contact(named: "Chidi").number == "+27831112222")
    }
}
