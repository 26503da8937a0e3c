internal import Foundation
package import Testing

/// Tests that take minutes and run only under `scripts/test --all`.
package enum WholeRun {
    package static let isOn = ProcessInfo.processInfo.environment["SMSENC_ALL"] != nil
}

extension Trait where Self == ConditionTrait {
    package static var onlyInWholeRun: Self {
        .enabled(if: WholeRun.isOn, "run scripts/test --all")
    }
}
