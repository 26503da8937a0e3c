internal import Foundation
package import Testing

/// Whether `scripts/test --all` was called, which also runs what takes minutes.
package enum WholeRun {
    package static let isOn = ProcessInfo.processInfo.environment["SMSENC_ALL"] != nil
}

extension Trait where Self == ConditionTrait {
    /// Runs the test only under `scripts/test --all`.
    package static var onlyInWholeRun: Self {
        .enabled(if: WholeRun.isOn, "run scripts/test --all")
    }
}
