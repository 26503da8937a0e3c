import Keyring
import LineIO
import Protocol

extension Fate {
    /// What becomes of a row that ends with a complaint.
    init(of complaint: any Complaint) {
        self =
            switch complaint {
            case let rejection as Rejection: rejection.fate
            case KeyringError.contact(let fault): fault.fate
            case KeyringError.sync(let fault): fault.fate
            case let complaint as KeyComplaint: complaint.fate
            case let complaint as OfferComplaint: complaint.fate
            case let complaint as CodeComplaint: complaint.fate
            default: .refused
            }
    }
}

extension KeyComplaint {
    fileprivate var fate: Fate {
        if case .fault(.length) = self { .length } else { .text }
    }
}

extension OfferComplaint {
    fileprivate var fate: Fate {
        if case .fault(.length) = self { .length } else { .text }
    }
}

extension CodeComplaint {
    fileprivate var fate: Fate {
        switch self {
        case .notInStep: .state
        case .length: .length
        case .noCode: .text
        case .own, .wrong: .refused
        }
    }
}

extension ContactFault {
    fileprivate var fate: Fate {
        switch self {
        case .badName(_, .notUTF8): .text
        case .unknown, .nameTaken, .badName: .contact
        case .numberTaken, .badNumber, .knownAs: .number
        }
    }
}

extension SyncFault {
    fileprivate var fate: Fate {
        switch self {
        case .noOwnKey, .nothingOut, .unasked, .changed: .state
        case .ownKeyEntered, .keyUsed, .ownOfferEntered, .offerUsed, .badOffer: .refused
        }
    }
}
