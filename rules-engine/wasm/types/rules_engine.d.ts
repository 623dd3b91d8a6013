// What the engine reads and writes, as JSON. Generated from its Rust types, see rules-engine/tests/schema.rs.

/** What decides a bid, and the bid. */
export interface Case {
    /** Needed by `evaluate`, and without effect on `suggest`. */
    bid?: BidForm | null;
    /** The accepted bid with the greatest normalized amount, in base units: 0 to 10^15. Null where there is none. */
    highest?: Decimal | null;
    /** What the item itself asks. */
    item: ItemTerms;
    /** How the bid's currency is entered and converted. */
    profile: ProfileDefinition;
    /** At most 64; those that are disabled or of other profiles have no effect. */
    rules: RuleDefinition[];
}

/** A bid as it was entered: of its two members a profile wants one. */
export interface BidForm {
    /** Units of the currency, in SCALAR mode. */
    amount?: Decimal | null;
    /** At most 64 counts, in DENOMINATION mode. An empty list is a given one. */
    enteredRepresentation?: EnteredCount[] | null;
}

/** A decimal, read from its digits: 12, 12.5 or "12.5". */
export type Decimal = number | string;

/** A denomination as data. Its `name` and `symbol`, if JSON has them, are passed over. */
export interface DenominationDefinition {
    code: string;
    factor: Decimal;
    name?: unknown;
    symbol?: unknown;
}

/** How many of one denomination were entered. */
export interface EnteredCount {
    /** How many. */
    count: Decimal;
    /** The denomination's code, at most 64 characters. */
    denomination: string;
}

/** What happens to the digits of an entered number beyond the profile's precision (section 4).
 *
 * Entered numbers are never negative here, so that down is towards zero and up is away from it. */
export type FractionPolicy = "REJECT" | "DOWN" | "UP" | "HALF_UP" | "HALF_EVEN";

/** How a bid is entered. */
export type InputMode = "SCALAR" | "DENOMINATION";

/** What an item itself asks of its bids, in base units. Absent, or null, is nothing. */
export interface ItemTerms {
    /** 0 ≤ d ≤ 10^15. */
    minBidNormalized?: Decimal | null;
    /** 0 < d ≤ 10^15. */
    minIncrementNormalized?: Decimal | null;
}

/** A profile as data: stored, sent to the browser, read from JSON. Not yet known to keep the bounds.
 *
 * The further members of section 4 (`auctionId`, `code`, `name`, …) are passed over in JSON; any other is
 * an error. `precision`, `fractionPolicy` and `denominations` may be absent, as in the contract. */
export interface ProfileDefinition {
    auctionId?: unknown;
    code?: unknown;
    createdAt?: unknown;
    denominations?: DenominationDefinition[] | null;
    fractionPolicy?: FractionPolicy;
    id: string;
    inputMode: InputMode;
    isDefault?: unknown;
    name?: unknown;
    precision?: number;
    rateToBase: Decimal;
    symbol?: unknown;
    updatedAt?: unknown;
}

/** A rule as data. Not yet known to keep the bounds.
 *
 * `auctionId`, `createdAt` and `updatedAt` are passed over in JSON; any further member is an error. */
export interface RuleDefinition {
    auctionId?: unknown;
    createdAt?: unknown;
    currencyProfileId?: string | null;
    enabled?: boolean;
    id: string;
    params: RuleParams;
    position: number;
    type: RuleType;
    updatedAt?: unknown;
}

/** The parameters of a rule: of these members those that its type takes. Null is absent. */
export interface RuleParams {
    /** `MIN_INCREMENT`: base units, 0 < d ≤ 10^15, at most 6 fraction digits. */
    amount?: Decimal | null;
    /** `MIN_COMPONENT_RATIO`, `REQUIRED_DENOMINATION`: a denomination's code. */
    denomination?: string | null;
    /** `REQUIRED_DENOMINATION`: 0 < d ≤ 10^12, at most 4 fraction digits. */
    minCount?: Decimal | null;
    /** `MIN_COMPONENT_RATIO`: 0 < d ≤ 1, at most 4 fraction digits. */
    minRatio?: Decimal | null;
    /** `MIN_INCREMENT`: hundredths of the highest bid, 0 < d ≤ 100, at most 3 fraction digits. */
    percent?: Decimal | null;
    /** `MIN_INCREMENT`: 1–32 steps of the highest bid. */
    tiers?: Tier[] | null;
}

/** Which configurable rule. */
export type RuleType = "MIN_INCREMENT" | "MIN_COMPONENT_RATIO" | "REQUIRED_DENOMINATION";

/** From a highest bid of `from` base units on, the increment is `amount`. */
export interface Tier {
    /** Base units: 0 < d ≤ 10^15, at most 6 fraction digits. */
    amount: Decimal;
    /** 0 for the first, then strictly rising, ≤ 10^15. */
    from: Decimal;
}

export interface Verdict {
    accepted: boolean;
    amount: CanonicalDecimal | null;
    enteredRepresentation: AcceptedCount[] | null;
    normalizedAmount: CanonicalDecimal | null;
    violations: Violation[];
}

export interface AcceptedCount {
    count: CanonicalDecimal;
    denomination: string;
}

/** A decimal in canonical form: without exponent, leading or trailing zeros. */
export type CanonicalDecimal = string;

/** One broken rule: what was required, what was given, and in words what to do.
 *
 * In JSON its members stand in this order, null where empty. */
export interface Violation {
    /** What the bid has, at most 64 characters. */
    actual: string | null;
    /** Which condition. */
    code: ViolationCode;
    /** The denomination that it is about. */
    denomination: string | null;
    /** One English sentence that says what to do. */
    message: string;
    /** What the condition asks for, as the contract's table says. */
    required: string | null;
    /** The configured rule; none for input, and for what holds without being configured. */
    ruleId: string | null;
}

/** Which condition a bid breaks. The order is that of the contract's table, and of every list. */
export type ViolationCode = "CURRENCY_PROFILE_REQUIRED" | "UNKNOWN_CURRENCY_PROFILE" | "INPUT_MODE_MISMATCH" | "AMOUNT_REQUIRED" | "REPRESENTATION_REQUIRED" | "INVALID_NUMBER" | "NEGATIVE" | "UNKNOWN_DENOMINATION" | "DUPLICATE_DENOMINATION" | "FRACTION_NOT_ALLOWED" | "AMOUNT_OUT_OF_RANGE" | "NOT_POSITIVE" | "MIN_BID" | "EQUAL_NOT_HIGHER" | "MIN_INCREMENT" | "MIN_COMPONENT_RATIO" | "REQUIRED_DENOMINATION";

/** What `evaluate` answers where the case is none. */
export interface EngineError {
    error: string;
}
