package import Foundation

/// The four tools and their folder.
package enum Tools {
    package static let filters = ["gsm7-check", "smsenc-frame", "smsenc-pad"]
    package static let names = filters + ["smsenc-keyring"]

    /// Folder in SMSENC_TOOLS, which scripts/test sets. If it is not set, the folder of the tests is used.
    package static var folder: URL {
        if let folder = ProcessInfo.processInfo.environment["SMSENC_TOOLS"] {
            return URL(fileURLWithPath: folder)
        }
        return Bundle.main.bundleURL
    }

    package static func path(_ name: String) -> String { folder.path + "/" + name }

    /// Exit statuses that the manual documents.
    package static let statuses: Set<Int32> = [0, 1, 64, 65, 66, 73, 74, 75, 77]

    /// True if the tools are statically linked, as they are after scripts/build.
    package static let areStatic: Bool = {
        let file = URL(fileURLWithPath: path("gsm7-check"))
        guard let bytes = try? Data(contentsOf: file) else { return false }
        return !["/ld-", "/ld64"].contains { bytes.range(of: Data($0.utf8)) != nil }
    }()

    /// True if strace(1) is available to make system calls fail.
    package static let canTrace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")
}
