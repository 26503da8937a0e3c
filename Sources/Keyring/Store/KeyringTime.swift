internal import Crypto
internal import Protocol
internal import System

/// The keyring's record of time, which decides whether the machine's clock is trusted (smsenc-keyring(5),
/// Time). The time record is part of the keyring header.
///
/// Skipped keys are erased after 30 days, so keys that are still needed could be erased if a clock is wrong.
/// A clock is not trusted in two cases:
///
/// - The clock is earlier than the release of these tools, for example on a board without a battery.
/// - The clock is more than 30 days later than at the last commit that trusted its clock. Another commit can
///   confirm such a jump of the clock after a restart, or after the machine has been running for another day.
///
/// While the clock is not trusted, nothing is erased because of its age, and new keys are stored without a
/// time (`SkippedKeys.untimed`). The next commit that trusts its clock sets missing times and times in the
/// future to the time of this commit.
///
///     offset  bytes  what
///     0       8      the last trusted time, in seconds since 1970; 0 if there is none
///     8       32     SHA-256 of the id of the boot in which a jump forward was first seen; zeros for no jump
///     40      8      the time when it was first seen, in seconds since that boot
struct KeyringTime: Equatable {
    static let size = 48
    /// Maximum number of seconds by which a clock may be ahead of the last trusted time.
    private static let longestStep = SkippedKeys.lifetime
    /// Number of seconds after which another commit confirms a jump.
    private static let confirmation: Int64 = 86_400
    private static let noJump = [UInt8](repeating: 0, count: Digest.size)

    private(set) var last: Int64 = 0
    private var jumpBoot = noJump
    private var jumpSeconds: Int64 = 0

    init() {}

    init(from record: inout SecretReader) throws(InvalidRecord) {
        last = try record.integer()
        jumpBoot = try record.bytes(Digest.size)
        jumpSeconds = try record.integer()
    }

    func write(to record: inout SecretWriter) {
        record.put(last)
        record.put(jumpBoot.span)
        record.put(jumpSeconds)
    }

    /// Decides whether the clock is trusted, and records its time or its jump.
    ///
    /// - Returns: the time in seconds since 1970, or nil if the clock is not trusted.
    mutating func now(_ clocks: Clocks) -> Int64? {
        guard let time = clocks.plausibleWallTime else { return nil }
        if last > 0, time - last > Self.longestStep, !isConfirmed(clocks) { return nil }
        (last, jumpBoot, jumpSeconds) = (time, Self.noJump, 0)
        return time
    }

    /// Returns true if a jump was recorded before the last reboot, or at least a day ago. If no jump is
    /// recorded yet, records the jump and returns false.
    private mutating func isConfirmed(_ clocks: Clocks) -> Bool {
        let (boot, seconds) = (Digest.sha256(Array(clocks.bootID.utf8)), clocks.boot())
        guard jumpBoot != Self.noJump else {
            (jumpBoot, jumpSeconds) = (boot, seconds)
            return false
        }
        // If the system does not identify boots, a restart is detected because the time since the boot is
        // lower.
        return boot != jumpBoot || seconds < jumpSeconds
            || seconds - jumpSeconds >= Self.confirmation
    }
}
