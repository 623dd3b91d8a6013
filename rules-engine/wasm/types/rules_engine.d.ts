// What the engine reads and writes, as JSON. Generated from its Rust types, see rules-engine/tests/schema.rs.

/** What decides a bid, and the bid. */
export interface Case {
    /** What the bidder has available for the item, in base units: -10^15 to 10^15. Null if the auction
     * has no book. */
    available?: Decimal | null;
    /** Required by `evaluate`, and ignored by `suggest`. */
    bid?: BidForm;
    /** The accepted bid with the greatest normalized amount, in base units: 0 to 10^15. Null if there is
     * none. */
    highest?: Decimal | null;
    /** What the item itself requires. */
    item: ItemTerms;
    /** How the bid's currency is entered and converted. */
    profile: ProfileDefinition;
    /** At most 64; disabled rules and rules of other profiles have no effect. */
    rules: RuleDefinition[];
}

/** A bid as it was entered: a profile requires one of the two members. */
export interface BidForm {
    /** Units of the currency, in SCALAR mode. */
    amount?: Decimal | null;
    /** At most 64 counts, in DENOMINATION mode. An empty list counts as given. */
    enteredRepresentation?: EnteredCount[] | null;
}

/** A decimal, read from its digits: 12, 12.5 or "12.5". */
export type Decimal = number | string;

/** A denomination as data. Its `name`, `plural` and `symbol` are ignored in JSON. */
export interface DenominationDefinition {
    /** 1–12 of `A–Z 0–9 _ -`, unique in the profile. */
    code: string;
    /** Units of the currency that one unit of the denomination is worth: 0 < f ≤ 1 000 000, at most 3
     * fraction digits. */
    factor: Decimal;
    name?: unknown;
    plural?: unknown;
    symbol?: unknown;
    /** Amounts are written and suggested with this piece; any piece may be bid. One is at least. */
    written?: boolean;
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

/** What an item itself requires of its bids, in base units. Null and absent are none. */
export interface ItemTerms {
    /** 0 ≤ d ≤ 10^15. */
    minBidNormalized?: Decimal | null;
    /** 0 < d ≤ 10^15. */
    minIncrementNormalized?: Decimal | null;
}

/** A profile as data: stored, sent to the browser, read from JSON. Not yet checked against its bounds.
 *
 * The further members of section 4 (`auctionId`, `code`, `name`, …) are ignored in JSON; any other is an
 * error. `precision`, `fractionPolicy` and `denominations` may be absent (SPEC, section 4). */
export interface ProfileDefinition {
    auctionId?: unknown;
    code?: unknown;
    createdAt?: unknown;
    /** 1–16 in DENOMINATION mode, none in SCALAR mode. */
    denominations?: DenominationDefinition[] | null;
    /** What happens to further digits. */
    fractionPolicy?: FractionPolicy;
    /** 1–64 characters. */
    id: string;
    /** How bids are entered. */
    inputMode: InputMode;
    isDefault?: unknown;
    name?: unknown;
    plural?: unknown;
    /** Fraction digits that an entered amount or count may keep: 0–4, in SCALAR mode 0–8. */
    precision?: number;
    /** Base units for one unit of the currency: 0 < r ≤ 1 000 000, at most 6 fraction digits. */
    rateToBase: Decimal;
    symbol?: unknown;
    updatedAt?: unknown;
}

/** A rule as data. Not yet checked against its bounds.
 *
 * `auctionId`, `createdAt` and `updatedAt` are ignored in JSON; any further member is an error. */
export interface RuleDefinition {
    auctionId?: unknown;
    createdAt?: unknown;
    /** The profile whose bids the rule judges; null for every profile, with some types only. */
    currencyProfileId?: string | null;
    /** Whether the rule is applied. */
    enabled?: boolean;
    /** 1–64 characters, unique in the auction. */
    id: string;
    /** What the type takes. */
    params: RuleParams;
    /** 0–1 000 000: the order among rules of one type. */
    position: number;
    /** Which rule. */
    type: RuleType;
    updatedAt?: unknown;
}

/** The parameters of a rule: of these members those that its type takes. Null is absent. */
export interface RuleParams {
    /** `MIN_INCREMENT`, `MAX_INCREMENT`, `MAX_BID`: base units, 0 < d ≤ 10^15, at most 6 fraction digits. */
    amount?: Decimal | null;
    /** `MIN_COMPONENT_RATIO`, `REQUIRED_DENOMINATION`: a denomination's code. */
    denomination?: string | null;
    /** `STEP`: 1–64 values, strictly rising, the last below ten times the first; each as a step. */
    ladder?: Decimal[] | null;
    /** `REQUIRED_DENOMINATION`: 0 < d ≤ 10^12, at most 4 fraction digits. */
    minCount?: Decimal | null;
    /** `MIN_COMPONENT_RATIO`: 0 < d ≤ 1, at most 4 fraction digits. */
    minRatio?: Decimal | null;
    /** `MIN_INCREMENT`: hundredths of the highest bid, 0 < d ≤ 100, at most 3 fraction digits.
     * `MAX_INCREMENT`: the same, 0 < d ≤ 1000. */
    percent?: Decimal | null;
    /** `STEP`: base units, 0 < d ≤ 10^15, at most 6 fraction digits. */
    step?: Decimal | null;
    /** `MIN_INCREMENT`: 1–32 tiers of the highest bid. `STEP`: 1–32 tiers of the bid. */
    tiers?: Tier[] | null;
}

/** Which configurable rule. */
export type RuleType = "MIN_INCREMENT" | "STEP" | "MAX_INCREMENT" | "MAX_BID" | "MIN_COMPONENT_RATIO" | "REQUIRED_DENOMINATION";

/** From `from` base units on, the increment is `amount`, or the step is `step`. Null is absent. */
export interface Tier {
    /** `MIN_INCREMENT`: base units, 0 < d ≤ 10^15, at most 6 fraction digits. */
    amount?: Decimal | null;
    /** 0 for the first, then strictly rising, ≤ 10^15. */
    from: Decimal;
    /** `STEP`: base units, 0 < d ≤ 10^15, at most 6 fraction digits. */
    step?: Decimal | null;
}

/** What `settle` reads: the standing bids on a sealed item, and what decides which of them win. */
export interface SettleCase {
    /** At most 10 000, in any order. */
    bids: SettleBid[];
    /** How many bids win, at most: 1–100. */
    copies?: number;
    /** The format of the item. */
    format: SettledFormat;
    /** With ROLL: 1–64 characters, part of the text of each draw. */
    itemId?: string | null;
    /** The item's minimum in base units: 0 to 10^15. */
    minimum?: Decimal | null;
    /** Base units above the best losing bid, with NEXT: 0 to 10^15. */
    plus?: Decimal;
    /** What winners pay. */
    price?: PriceRule;
    /** Currencies of the bids, with their rules, which prices obey too. */
    rules: SettleRules;
    /** With ROLL: 32 bytes in lower-case hexadecimal. */
    seed?: string | null;
    /** Which of equal bids win if there are too few copies for all of them. */
    tie?: TieRule;
}

/** What winners pay. */
export type PriceRule = "OWN" | "NEXT" | "LOWEST";

/** A standing bid: with `amount` or `enteredRepresentation`, as its currency requires. */
export interface SettleBid {
    /** Units of the currency, in SCALAR mode. */
    amount?: Decimal | null;
    /** At most 64 counts, in DENOMINATION mode. */
    enteredRepresentation?: EnteredCount[] | null;
    /** 1–64 characters, unique. */
    id: string;
    /** The id of its currency profile. */
    profile: string;
    /** The order of receipt, unique. */
    receipt: number;
}

/** The currencies of an auction and its rules, as in cases of `evaluate`. */
export interface SettleRules {
    /** 1–64, one for each currency of a bid at least. */
    profiles: ProfileDefinition[];
    /** At most 64, each for its own profile or for all. */
    rules: RuleDefinition[];
}

/** The format of an item whose bids have winners and prices. */
export type SettledFormat = "SEALED";

/** Which of equal bids win if there are too few copies for all of them. */
export type TieRule = "EARLIEST" | "ROLL" | "NOBODY";

/** What `draw` reads: tickets, and the seed that decides which of them win. */
export interface DrawCase {
    /** Tickets that leave the draw with a win. */
    again?: Again;
    /** How many tickets win, at most: 1–100. */
    copies?: number;
    /** 1–64 characters: part of the text of each draw. */
    itemId: string;
    /** 32 bytes in lower-case hexadecimal. */
    seed: string;
    /** At most 100 000, in the order of receipt, in which tickets are numbered. */
    tickets: DrawTickets[];
}

/** Tickets that leave the draw with a win. */
export type Again = "PERSON" | "TICKET";

/** Tickets that a person got at once. */
export interface DrawTickets {
    /** 1–1 000 000 000. */
    count: number;
    /** 1–64 characters: the person, who may have several rows. */
    id: string;
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

/** One violated rule: what was required, what was given, and a sentence that says what to do.
 *
 * In JSON the members have this order, and are null if they are empty. */
export interface Violation {
    /** What the bid has, at most 64 characters. */
    actual: string | null;
    /** Which condition was violated. */
    code: ViolationCode;
    /** The denomination that the violation is about. */
    denomination: string | null;
    /** One English sentence that says what to do. */
    message: string;
    /** What the condition requires, as in the table of SPEC, section 6. */
    required: string | null;
    /** The configured rule; none for the input phase and for built-in rules. */
    ruleId: string | null;
}

/** Which condition a bid violates. The order is that of the table in SPEC, section 6, and of
 * every list. */
export type ViolationCode = "CURRENCY_PROFILE_REQUIRED" | "UNKNOWN_CURRENCY_PROFILE" | "INPUT_MODE_MISMATCH" | "AMOUNT_REQUIRED" | "REPRESENTATION_REQUIRED" | "INVALID_NUMBER" | "NEGATIVE" | "UNKNOWN_DENOMINATION" | "DUPLICATE_DENOMINATION" | "FRACTION_NOT_ALLOWED" | "AMOUNT_OUT_OF_RANGE" | "NOT_POSITIVE" | "MIN_BID" | "EQUAL_NOT_HIGHER" | "MIN_INCREMENT" | "STEP" | "MAX_INCREMENT" | "MAX_BID" | "MIN_COMPONENT_RATIO" | "REQUIRED_DENOMINATION" | "INSUFFICIENT_BALANCE";

/** What every function returns for an invalid case. */
export interface EngineError {
    error: string;
}

/** What `run` computes: a share, a decay or a grant of a book, and the holders with what they have. */
export interface RunCase {
    /** Limits on what is given. Their week and its time zone have no effect: `given` of a holder counts. */
    caps?: RunCaps | null;
    /** At most 10,000, in the order by which equal remainders are told apart. */
    holders: RunHolder[];
    kind: "SHARE" | "DECAY" | "GRANT";
    params: ShareParams | DecayParams | GrantParams;
    /** What there is to share of an auction or a lot. */
    pot?: Decimal | null;
}

/** A holder before the run. */
export interface RunHolder {
    balance: Decimal;
    /** What was given this week. */
    given?: Decimal | null;
    id: string;
}

/** Limits of a book on what is given. */
export interface RunCaps {
    hard?: Decimal | null;
    soft?: Decimal | null;
    softPercent?: Decimal | null;
    timeZone?: string | null;
    weekStart?: string | null;
    weekly?: Decimal | null;
}

/** A pot, or an amount, among holders: one of `auctionId`, `itemId` and `amount`. */
export interface ShareParams {
    amount?: Decimal | null;
    auctionId?: string | null;
    cuts?: { holder: string; percent: Decimal }[] | null;
    /** 0 to 6, 2 by default. */
    digits?: number | null;
    itemId?: string | null;
    rest?: "KEEP" | "SPREAD" | null;
    to: (string | { holder: string; weight?: number | null })[];
}

/** A percentage that is taken of what holders have. */
export interface DecayParams {
    base?: "ABOVE" | "WHOLE" | null;
    debts?: "LEAVE" | "SHRINK" | null;
    /** 0 to 6, 2 by default. */
    digits?: number | null;
    floor?: Decimal | null;
    percent: Decimal;
    period?: string | null;
    to: "ALL" | string[];
}

/** The same amount to each of some holders. */
export interface GrantParams {
    amount: Decimal;
    /** 0 to 6; without it the amount keeps its digits. */
    digits?: number | null;
    to: "ALL" | string[];
}

/** What `run` returns. */
export interface RunRows {
    /** What a share leaves in its pot. */
    kept: CanonicalDecimal;
    rows: RunRow[];
}

/** What a run does to one holder. */
export interface RunRow {
    after: CanonicalDecimal;
    /** What is left of `asked` by the caps. */
    amount: CanonicalDecimal;
    asked: CanonicalDecimal;
    before: CanonicalDecimal;
    id: string;
}

/** What `settle` returns: the winners in the order of their copies. */
export interface SettleWinners {
    winners: SettleWinner[];
}

/** A bid that wins, and what it pays: `price` in base units, and the same as a bid in its own currency. */
export interface SettleWinner {
    amount?: CanonicalDecimal;
    /** What it wins, from 1. */
    copy: number;
    enteredRepresentation?: AcceptedCount[];
    id: string;
    price: CanonicalDecimal;
}

/** What `draw` returns: the winners in the order of their copies. */
export interface DrawWinners {
    winners: DrawWinner[];
}

/** A ticket that was drawn. */
export interface DrawWinner {
    /** What it wins, from 1. */
    copy: number;
    id: string;
    /** The number of the ticket, from 1. */
    ticket: number;
}
