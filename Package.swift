// swift-tools-version: 6.2
import PackageDescription

/// Strict everywhere: what the compiler doubts does not build.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tool(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
    _ name: String, in folder: String? = nil, uses dependencies: [Target.Dependency]
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies, path: "Tests/" + (folder ?? name),
        swiftSettings: settings)
}

let package = Package(
    name: "smsenc",
    platforms: [.macOS(.v26)],
    targets: [
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPlatform"),

        library("GSM7"),
        library("Languages", uses: ["GSM7"]),
        library("Frames", uses: ["GSM7"]),
        library("LineIO", uses: ["CPlatform"]),
        library("Primitives", uses: ["CCrypto", "CPlatform"]),
        library("Protocol", uses: ["Primitives", "Frames", "GSM7"]),
        library("Keyring", uses: ["Protocol", "Primitives", "GSM7", "CSQLite", "CPlatform"]),
        library("Access", uses: ["Keyring", "Primitives", "GSM7", "LineIO"]),

        tool("gsm7-check", uses: ["GSM7", "LineIO"]),
        tool("smsenc-frame", uses: ["Frames", "GSM7", "LineIO"]),
        tool(
            "smsenc-pad",
            uses: ["Access", "Keyring", "Protocol", "Primitives", "Frames", "GSM7", "LineIO"]),
        tool("smsenc-keyring", uses: ["Access", "Keyring", "Protocol", "Primitives", "LineIO"]),

        .systemLibrary(name: "CProcess", path: "Tests/Support/CProcess"),
        .target(
            name: "Support", dependencies: ["CProcess", "CPlatform"], path: "Tests/Support",
            exclude: ["CProcess"], swiftSettings: settings),
        tests("GSM7", uses: ["GSM7", "Support"]),
        tests("Languages", uses: ["Languages", "Primitives", "GSM7", "Support"]),
        tests("Frames", uses: ["Frames", "GSM7", "Support"]),
        tests("LineIO", uses: ["LineIO"]),
        tests("Primitives", uses: ["Primitives", "CCrypto"]),
        tests("Protocol", uses: ["Protocol", "Primitives", "Frames", "GSM7", "Support"]),
        tests("Keyring", uses: ["Keyring", "Protocol", "Primitives", "Frames", "GSM7", "Support"]),
        .systemLibrary(name: "CTerminal", path: "Tests/Transcripts/CTerminal"),
        tests(
            "Transcripts", in: "Transcripts/Runner",
            uses: [
                "CTerminal", "Support", "gsm7-check", "smsenc-frame", "smsenc-pad",
                "smsenc-keyring",
            ]),
        tests(
            "Faults",
            uses: [
                "Support", "Keyring", "Protocol", "Primitives", "GSM7",
                "gsm7-check", "smsenc-frame", "smsenc-pad", "smsenc-keyring",
            ]),
        tests(
            "Fuzzing", in: "Fuzzing/Runner",
            uses: [
                "Support", "Keyring", "Protocol", "Primitives", "Frames", "GSM7",
                "gsm7-check", "smsenc-frame", "smsenc-pad", "smsenc-keyring",
            ]),
    ]
)
