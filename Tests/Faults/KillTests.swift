import Foundation
import Support
import Testing

extension Faults {
    /// Kills processes at random moments, with keyrings that all runs share. No message key may encrypt
    /// twice, no received message may be lost, and the conversation must continue (smsenc-protocol(7),
    /// Stored state).
    ///
    /// SMSENC_KILLS sets the number of kills. The default is several hundred.
    @Suite(.measured, .serialized) struct Kill {
        private static let pair = Result { try SharedConversation() }

        /// The kinds of run that are killed.
        private enum Work: CaseIterable {
            case encryptingMany, encryptingOne, decryptingMany, decryptingOne
        }

        /// Estimated duration of a run. It is adjusted after each kill, so that the kills are distributed
        /// over the whole run on any machine.
        private struct RunDuration {
            private var seconds = 0.05

            var moment: Double { .random(in: 0...seconds) }

            mutating func learn(isKilled: Bool) { seconds *= isKilled ? 1.1 : 0.7 }
        }

        @Test func killingAtAnyMomentReusesNoKeyAndLosesNoMessage() throws {
            let goal =
                ProcessInfo.processInfo.environment["SMSENC_KILLS"].flatMap { Int($0) } ?? 240
            let pair = try Self.pair.get()
            var durations = Dictionary(
                uniqueKeysWithValues: Work.allCases.map { ($0, RunDuration()) })
            var kills = Dictionary(uniqueKeysWithValues: Work.allCases.map { ($0, 0) })
            while let work = kills.filter({ $0.value < (goal + 3) / 4 }).keys.randomElement() {
                let direction = Int.random(in: 0...1)
                let isUnread = Bool.random()
                let moment = durations[work]?.moment ?? 0
                let kill: SharedConversation.Disturbance =
                    isUnread ? .killUnread(after: moment) : .kill(after: moment)
                let isKilled: Bool
                switch work {
                case .encryptingMany:
                    isKilled = try pair.encrypt(direction, .random(in: 2...250), kill)
                case .encryptingOne:
                    isKilled = try pair.encrypt(direction, 1, kill)
                case .decryptingMany, .decryptingOne:
                    let number = work == .decryptingOne ? 1 : .random(in: 2...250)
                    if pair.directions[direction].inbox.count < number {
                        try pair.encrypt(direction, number)
                    }
                    isKilled = try pair.decrypt(direction, number, kill)
                }
                // A run whose output nobody reads does not end, so the duration of such a run is not
                // meaningful.
                if !isUnread { durations[work]?.learn(isKilled: isKilled) }
                if isKilled { kills[work, default: 0] += 1 }
            }
            for direction in 0...1 { try pair.decrypt(direction) }
            try pair.exchangeMessages()
        }

        /// A batch of maximum size is decrypted beside as many skipped keys as a contact can have, and the
        /// process is killed twice after the commit and before any output. All messages are read later. (The
        /// 1,024 skipped keys include discarded keys, so they belong to at least 800 messages.)
        @Test(.enabled(if: Tools.canTrace, "there is no strace"))
        func killsAfterTheCommitLoseNoMessageOfAFullBatch() throws {
            let conversation = try SharedConversation()
            try conversation.encrypt(0, 1024)
            let late = Array(conversation.directions[0].inbox.suffix(800))
            conversation.lose(0, keeping: 0)
            try conversation.encrypt(0, 1)
            try conversation.decrypt(0, 1, .none, options: ["--far"])
            try conversation.encrypt(0, 3584)
            for _ in 0..<2 {
                try conversation.killAtFirstOutput(
                    ["-d", "-c", "amina"], as: "bela",
                    conversation.directions[0].inbox.map(\.ciphertext))
            }
            conversation.receiveAgain(0, late)
            try conversation.decrypt(0)
            try conversation.exchangeMessages()
        }

        /// Runs that decrypt different messages are killed until more keys wait than may. The next run is
        /// refused until the messages of the killed runs have been decrypted again.
        @Test(.enabled(if: Tools.canTrace, "there is no strace"))
        func messagesOfKilledRunsAreDecryptedAgainFirst() throws {
            let conversation = try SharedConversation()
            var batches: [[String]] = []
            for _ in 0..<3 {
                try conversation.encrypt(0, 3000)
                batches.append(
                    conversation.directions[0].inbox.suffix(3000).map(\.ciphertext))
            }
            for batch in batches[..<2] {
                try conversation.killAtFirstOutput(["-d", "-c", "amina"], as: "bela", batch)
            }
            let refused = try conversation.startDecrypting(0, batches[2], into: nil).finish()
            #expect(refused.status == 1 && refused.output.isEmpty)
            #expect(refused.errorText.contains("must be decrypted again first"))
            try conversation.decrypt(0)
            try conversation.exchangeMessages()
        }

        /// The keys of five runs that were killed before any output are fewer than the recipient tries ahead.
        @Test(.enabled(if: Tools.canTrace, "there is no strace"))
        func fiveKillsWhileEncryptingNeedNoFarSearch() throws {
            let conversation = try SharedConversation()
            try conversation.exchangeMessages()
            for _ in 0..<5 {
                try conversation.killAtFirstOutput(
                    ["-c", "bela"], as: "amina", conversation.nextFrames(100))
            }
            try conversation.encrypt(0, 1)
            try conversation.decrypt(0)
            try conversation.exchangeMessages()
        }
    }
}
