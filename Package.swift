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
    .enableExperimentalFeature("Lifetimes"),
]

/// What the tests compute for minutes is optimised for them, too; overflow and bounds are checked all the
/// same.
let optimised = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

func library(
    _ name: String, uses dependencies: [Target.Dependency] = [], isOptimised: Bool = false
) -> Target {
    .target(
        name: name, dependencies: dependencies, swiftSettings: isOptimised ? optimised : settings)
}

func tool(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
    _ name: String, in folder: String? = nil, uses dependencies: [Target.Dependency],
    excluding others: [String] = [], isOptimised: Bool = false
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies, path: "Tests/" + (folder ?? name),
        exclude: others, swiftSettings: isOptimised ? optimised : settings)
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

        library("System", uses: ["CPlatform"]),
        library("GSM7", uses: ["System"], isOptimised: true),
        library("Languages", uses: ["GSM7", "System"], isOptimised: true),
        library("Frames", uses: ["Languages", "GSM7", "System"], isOptimised: true),
        library("LineIO", uses: ["System"]),
        library("Crypto", uses: ["CCrypto", "System"], isOptimised: true),
        library("Protocol", uses: ["Crypto", "Frames", "GSM7"], isOptimised: true),
        library(
            "Keyring", uses: ["Protocol", "Crypto", "GSM7", "System", "CSQLite"], isOptimised: true),
        library("Access", uses: ["Keyring", "Crypto", "GSM7", "LineIO", "System"]),

        tool("gsm7-check", uses: ["GSM7", "LineIO", "System"]),
        tool("smsenc-frame", uses: ["Frames", "GSM7", "LineIO", "System"]),
        tool(
            "smsenc-pad",
            uses: [
                "Access", "Keyring", "Protocol", "Crypto", "Frames", "GSM7", "LineIO", "System",
            ]),
        tool(
            "smsenc-keyring",
            uses: ["Access", "Keyring", "Protocol", "Crypto", "GSM7", "LineIO", "System"]),

        .systemLibrary(name: "CProcess", path: "Tests/Support/CProcess"),
        .target(
            name: "Support", dependencies: ["GSM7", "CProcess", "CPlatform"], path: "Tests/Support",
            exclude: ["CProcess"], swiftSettings: optimised),
        tests("GSM7", uses: ["GSM7", "Support"]),
        tests("Languages", uses: ["Languages", "Crypto", "GSM7", "Support"]),
        tests("Frames", uses: ["Frames", "GSM7", "Support"]),
        tests("LineIO", uses: ["LineIO", "System"]),
        tests("Crypto", uses: ["Crypto", "CCrypto"]),
        tests("Protocol", uses: ["Protocol", "Crypto", "Frames", "GSM7", "Support"]),
        tests(
            "Keyring",
            uses: ["Keyring", "Protocol", "Crypto", "Frames", "GSM7", "System", "Support"]),
        .systemLibrary(name: "CTerminal", path: "Tests/Transcripts/CTerminal"),
        tests(
            "Transcripts", in: "Transcripts/Runner",
            uses: [
                "CTerminal", "Support", "gsm7-check", "smsenc-frame", "smsenc-pad",
                "smsenc-keyring",
            ]),
        .target(name: "CEntropy", path: "Tests/Simulation/CEntropy"),
        tests(
            "Simulation",
            uses: [
                "CEntropy", "Support", "Access", "Keyring", "Protocol", "Crypto", "Frames", "GSM7",
                "LineIO", "System", "smsenc-frame", "smsenc-pad", "smsenc-keyring",
            ], excluding: ["CEntropy"], isOptimised: true),
        tests(
            "Faults",
            uses: [
                "Support", "Keyring", "Protocol", "Crypto", "GSM7", "System",
                "gsm7-check", "smsenc-frame", "smsenc-pad", "smsenc-keyring",
            ]),
        tests(
            "Fuzzing", in: "Fuzzing/Runner",
            uses: [
                "Support", "Keyring", "Protocol", "Crypto", "Frames", "GSM7", "System",
                "gsm7-check", "smsenc-frame", "smsenc-pad", "smsenc-keyring",
            ]),
    ]
)
