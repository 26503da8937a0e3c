// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
]

func library(
    _ name: String, uses dependencies: [Target.Dependency] = [], excluding others: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: others, swiftSettings: settings)
}

func tool(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
    _ name: String, in folder: String? = nil, uses dependencies: [Target.Dependency],
    excluding others: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies, path: "Tests/" + (folder ?? name),
        exclude: others, swiftSettings: settings)
}

let package = Package(
    name: "smsenc",
    targets: [
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPlatform"),

        library("System", uses: ["CPlatform"]),
        library("GSM7", uses: ["System"]),
        library("TextCompression", uses: ["GSM7", "System"], excluding: ["Tables/LICENSES"]),
        library("FrameLayout", uses: ["GSM7"]),
        library("Frames", uses: ["FrameLayout", "TextCompression", "GSM7", "System"]),
        library("PhoneNumbers"),
        library("ToolKit", uses: ["System"]),
        library("Crypto", uses: ["CCrypto", "System"]),
        library("Protocol", uses: ["Crypto", "FrameLayout", "GSM7"]),
        library(
            "Keyring",
            uses: ["Protocol", "Crypto", "GSM7", "PhoneNumbers", "System", "CSQLite"]),
        library(
            "UserInterface", uses: ["Keyring", "Protocol", "Crypto", "GSM7", "ToolKit", "System"]),

        tool("gsm7-check", uses: ["GSM7", "ToolKit", "System"]),
        tool("smsenc-frame", uses: ["Frames", "FrameLayout", "GSM7", "ToolKit", "System"]),
        tool(
            "smsenc-pad",
            uses: [
                "UserInterface", "Keyring", "Protocol", "Crypto", "Frames", "FrameLayout", "GSM7",
                "ToolKit",
                "System",
            ]),
        tool(
            "smsenc-keyring",
            uses: [
                "UserInterface", "Keyring", "Protocol", "Crypto", "GSM7", "PhoneNumbers", "ToolKit",
                "System",
            ]),

        .systemLibrary(name: "CProcess", path: "Tests/Support/CProcess"),
        .target(
            name: "Support", dependencies: ["GSM7", "CProcess", "CPlatform"], path: "Tests/Support",
            exclude: ["CProcess"], swiftSettings: settings),
        .target(
            name: "TestPeople",
            dependencies: ["Support", "Keyring", "Protocol", "Crypto", "GSM7", "System"],
            path: "Tests/People", swiftSettings: settings),
        tests("GSM7", uses: ["GSM7", "Support"]),
        tests("TextCompression", uses: ["TextCompression", "Crypto", "GSM7", "Support"]),
        tests("Frames", uses: ["Frames", "FrameLayout", "GSM7", "Support"], excluding: ["Texts"]),
        tests(
            "PhoneNumbers", uses: ["PhoneNumbers", "Support"], excluding: ["numbering-plans.tsv"]),
        tests("ToolKit", uses: ["ToolKit", "System", "Support"]),
        tests("Crypto", uses: ["Crypto", "CCrypto", "Support"]),
        tests(
            "Protocol", uses: ["Protocol", "Crypto", "Frames", "FrameLayout", "GSM7", "Support"]),
        tests(
            "Keyring",
            uses: [
                "Keyring", "Protocol", "Crypto", "Frames", "FrameLayout", "GSM7", "System",
                "Support",
                "TestPeople",
            ]),
        .systemLibrary(name: "CTerminal", path: "Tests/Transcripts/CTerminal"),
        tests(
            "Transcripts", in: "Transcripts/Runner",
            uses: [
                "CTerminal", "Support", "TestPeople", "gsm7-check", "smsenc-frame", "smsenc-pad",
                "smsenc-keyring",
            ]),
        .target(name: "CEntropy", path: "Tests/Simulation/CEntropy"),
        tests(
            "Simulation",
            uses: [
                "CEntropy", "Support", "TestPeople", "UserInterface", "Keyring", "Protocol",
                "Crypto",
                "Frames", "FrameLayout", "GSM7",
                "ToolKit", "System", "smsenc-frame", "smsenc-pad", "smsenc-keyring",
            ], excluding: ["CEntropy"]),
        tests(
            "Faults",
            uses: [
                "Support", "TestPeople", "Keyring", "Protocol", "Crypto", "Frames", "FrameLayout",
                "GSM7", "System",
                "gsm7-check", "smsenc-frame", "smsenc-pad", "smsenc-keyring",
            ]),
        tests(
            "Fuzzing", in: "Fuzzing/Runner",
            uses: [
                "Support", "TestPeople", "Keyring", "Protocol", "Crypto", "Frames", "FrameLayout",
                "GSM7",
                "System",
                "gsm7-check", "smsenc-frame", "smsenc-pad", "smsenc-keyring",
            ]),
    ]
)

// scripts/build and scripts/test name the targets that they want, so that SwiftPM builds nothing else.
if let names = Context.environment["SMSENC_TARGETS"] {
    var wanted = Set(names.split(separator: " ").map(String.init))
    var found = 0
    while found < wanted.count {
        found = wanted.count
        for target in package.targets where wanted.contains(target.name) {
            for case .byNameItem(let name, _) in target.dependencies { wanted.insert(name) }
        }
    }
    package.targets.removeAll { !wanted.contains($0.name) }
}
