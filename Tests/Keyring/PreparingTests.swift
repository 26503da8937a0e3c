import Foundation
import Keyring
import Crypto
import Protocol
import Testing

/// Exchanges that are worked out before their commit, and exchanges of which nothing is to stand.
@Suite struct PreparingTests {
    @Test func preparedMessagesGoOnWhereTheLastCommitEnded() throws {
        let (amina, bela) = try Template.pair()
        let first = try amina.send("One")
        let second = try #require(try amina.prepare(["Two", "Three"]))
        #expect(try amina.link().sent == 1)
        #expect(try amina.commit(second))
        #expect(try amina.link().sent == 3)
        #expect(try bela.receive(first + second.ciphertexts) == ["One", "Two", "Three"])
        #expect(try bela.receive(try amina.send("Four")) == ["Four"])
    }

    /// The count outside is raised when the disk has the commit, not before.
    @Test func noteWaitsForTheDisk() throws {
        let (amina, _) = try Template.pair()
        _ = try amina.send("One")
        let before = try amina.note()
        let second = try #require(try amina.prepare(["Two"]))
        #expect(try amina.note() == before)
        #expect(try amina.commit(second, completely: false))
        #expect(try amina.note() == before)
        try amina.keyring?.completeCommit()
        #expect(try amina.note() == before + 1)
        try amina.keyring?.completeCommit()
        #expect(try amina.note() == before + 1)
    }

    @Test func whatAnotherHasChangedIsNotBuiltOn() throws {
        let (amina, bela) = try Template.pair()
        #expect(try bela.receive(try amina.send("One")) == ["One"])
        var sent: UInt64 = 1
        var second: Person.Sent
        var between: Person.Sent
        repeat {
            second = try #require(try amina.prepare(["Two"]))
            between = try amina.encipher(["Between"], with: try amina.another())
            sent += 1
            #expect(try !amina.commit(second))
            #expect(try amina.link().sent == sent)
            #expect(try bela.receive(between.ciphertexts) == ["Between"])
            // Now and then one of them passes a key over, and they are not under the same.
        } while second.keys != [1] || between.keys != [1]
        #expect(try bela.receive(try amina.send("Two")) == ["Two"])
        #expect(try bela.receive(second.ciphertexts) == [.refused])
    }

    @Test func contactThatIsGoneIsNotWrittenTo() throws {
        let (amina, _) = try Template.pair()
        _ = try amina.send("One")
        let second = try #require(try amina.prepare(["Two"]))
        let other = try amina.another()
        try other.remove(try amina.contact(in: other))
        #expect(try !amina.commit(second))
    }

    @Test func nothingStandsOfWhatIsGivenUp() throws {
        let (amina, bela) = try Template.pair()
        let before = try amina.encipher(["One"])
        let link = try amina.link()
        #expect(try amina.encipher(["Two"], stands: false).exchange == nil)
        #expect(try amina.link().sent == link.sent)
        let after = try amina.send("Three")
        #expect(try bela.receive(before.ciphertexts + after) == ["One", "Three"])
        #expect(try bela.link().archive.keptCount <= 2)
    }
}
