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
    }
}
