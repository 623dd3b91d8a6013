//! The fields of the form of a currency.

use app::components::field::Field;

pub const NAME: Field = Field::new("name", "Name", "Enter a name for the currency.");
pub const PLURAL: Field =
    Field::new("plural", "Several of them", "Enter the name of several, or leave it empty.");
pub const CODE: Field =
    Field::new("code", "Code", "Use 1 to 12 letters, digits, - or _ for the code, such as GALLEON.");
pub const SYMBOL: Field = Field::new("symbol", "Symbol", "Enter a symbol, or leave it empty.");
pub const INPUT_MODE: Field = Field::new("inputMode", "How bids are entered", "Choose how bids are entered.")
    .called("how bids are entered");
pub const RATE: Field = Field::new(
    "rateToBase",
    "What one is worth",
    "Say how many base units one unit is worth: a number above 0.",
)
.called("the value");
pub const PRECISION: Field =
    Field::new("precision", "Digits after the point", "Choose how many decimals an amount may have.")
        .called("the decimals");
pub const FRACTION_POLICY: Field =
    Field::new("fractionPolicy", "Extra digits are", "Choose what becomes of extra decimals.")
        .called("what becomes of extra decimals");
pub const DENOMINATIONS: Field =
    Field::new("denominations", "Denominations", "Name at least one denomination.");
pub const PIECE_NAME: Field =
    Field::cell("Denomination", "denominations.*.name", "name", "Enter a name, such as Sickle.");
pub const PIECE_PLURAL: Field = Field::cell(
    "Denomination",
    "denominations.*.plural",
    "several",
    "Enter the name of several, such as Sickles, or leave it empty.",
);
pub const PIECE_UNWRITTEN: Field = Field::cell(
    "Denomination",
    "denominations.*.unwritten",
    "not used in writing",
    "Tick the box for pieces that may be bid and are not used in writing.",
);
pub const PIECE_CODE: Field = Field::cell(
    "Denomination",
    "denominations.*.code",
    "code",
    "Use 1 to 12 letters, digits, - or _ for the code.",
);
pub const PIECE_SYMBOL: Field =
    Field::cell("Denomination", "denominations.*.symbol", "symbol", "Enter a symbol, or leave it empty.");
pub const FACTOR: Field = Field::cell(
    "Denomination",
    "denominations.*.factor",
    "worth",
    "Say how many of the smallest it is worth: a number above 0.",
)
.called("the worth");
pub const FIELDS: &[Field] = &[
    NAME,
    PLURAL,
    CODE,
    SYMBOL,
    INPUT_MODE,
    RATE,
    PRECISION,
    FRACTION_POLICY,
    DENOMINATIONS,
    PIECE_NAME,
    PIECE_PLURAL,
    PIECE_UNWRITTEN,
    PIECE_CODE,
    PIECE_SYMBOL,
    FACTOR,
];
