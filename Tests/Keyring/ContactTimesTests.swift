import Foundation
import Support
import System
import TestPeople
import Testing

@testable import Keyring

/// When a contact was last heard from and synchronised with.
@Suite(.measured) struct ContactTimesTests {
    @Test func hearingIsApartFromUse() throws {
        let (amina, bela) = try Person.pair()
        let start = amina.clock.clocks().wall()
        #expect(try amina.link().lastHeard == 0 && amina.link().lastSynchronisation == start)
        amina.clock.turn(by: 100)
        _ = try amina.send("One")
        #expect(try amina.link().lastHeard == 0 && amina.link().lastUse == start + 100)
        amina.clock.turn(by: 100)
        #expect(try amina.receive(try bela.send("Two")) == ["Two"])
        amina.clock.turn(by: 100)
        _ = try amina.send("Three")
        #expect(try amina.receive([[UInt8](repeating: 1, count: 160)]) == [.refused])
        #expect(try amina.link().lastHeard == start + 200 && amina.link().lastUse == start + 300)
        // What is erased when a keyring was restored says nothing of the contact.
        try amina.open().adoptRestored()
        let link = try amina.link()
        #expect(link.lastHeard == start + 200 && link.lastSynchronisation == start)
    }

    @Test func silenceCountsFromTheLastMessageOrTheSynchronisation() throws {
        let (amina, bela) = try Person.pair()
        let start = amina.clock.clocks().wall()
        let fresh = try amina.link()
        #expect(!fresh.isSilent(for: 60, at: start + 59) && fresh.isSilent(for: 60, at: start + 60))
        amina.clock.turn(by: 1000)
        _ = try amina.receive(try bela.send("Hello"))
        let heard = try amina.link()
        #expect(!heard.isSilent(for: 60, at: start + 1059))
        #expect(heard.isSilent(for: 60, at: start + 1060))
        // The clock was wrong then, or is wrong now.
        #expect(!heard.isSilent(for: 60, at: start) && !heard.isSilent(for: 60, at: -5))
        let keyring = try amina.open()
        _ = try keyring.add(name: "Chidi", number: nil)
        let never = try keyring.link(of: try keyring.contact(named: "Chidi"))
        #expect(never.isSilent(for: 366 * 86_400, at: start))
    }
}
