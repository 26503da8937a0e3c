package import Foundation

/// The four executables and where they are.
package enum Tools {
    package static let filters = ["gsm7-check", "smsenc-frame", "smsenc-pad"]
    package static let names = filters + ["smsenc-keyring"]

    /// What SMSENC_TOOLS names (scripts/test gives the folder that scripts/build made), else those
    /// that were built beside the tests.
    package static var folder: URL {
        if let folder = ProcessInfo.processInfo.environment["SMSENC_TOOLS"] {
            return URL(fileURLWithPath: folder)
        }
        return Bundle.main.bundleURL
    }

    package static func path(_ name: String) -> String { folder.path + "/" + name }

    /// The statuses that the manual knows.
    package static let statuses: Set<Int32> = [0, 1, 64, 65, 66, 73, 74, 75, 77]

    /// True for tools that need no library, as scripts/build makes them.
    package static let areStatic: Bool = {
        let file = URL(fileURLWithPath: path("gsm7-check"))
        guard let bytes = try? Data(contentsOf: file) else { return false }
        return !["/ld-", "/ld64"].contains { bytes.range(of: Data($0.utf8)) != nil }
    }()

    /// True where strace(1) can spoil single system calls.
    package static let canTrace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")
}
