//! Templates of currencies.

use app::model::{BaseUnit, BidCurrency, Denomination};
use rules_engine::{FractionPolicy, InputMode};

use super::CurrencyEntry;

/// A common currency, as the fields of its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Value of `?template=` in the address.
    pub key: &'static str,
    pub title: &'static str,
    /// Description in one line.
    pub about: &'static str,
    code: &'static str,
    /// One of it, and several.
    name: (&'static str, &'static str),
    symbol: &'static str,
    precision: &'static str,
    /// Empty if bids are entered as one amount.
    pieces: &'static [Piece],
}

/// A piece of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    code: &'static str,
    /// One of it, and several.
    name: (&'static str, &'static str),
    symbol: &'static str,
    factor: &'static str,
    written: bool,
}

const fn piece(
    code: &'static str,
    name: (&'static str, &'static str),
    symbol: &'static str,
    factor: &'static str,
) -> Piece {
    Piece { code, name, symbol, factor, written: true }
}

/// A piece that may be bid, while amounts are written without it.
const fn unwritten(piece: Piece) -> Piece {
    Piece { written: false, ..piece }
}

pub const TEMPLATES: &[Template] = &[
    Template {
        key: "galleons",
        title: "Galleons, sickles, knuts",
        about: "17 sickles to the galleon, 29 knuts to the sickle",
        code: "GSK",
        name: ("Wizarding money", ""),
        symbol: "",
        precision: "0",
        pieces: &[
            piece("GALLEON", ("Galleon", "Galleons"), "G", "493"),
            piece("SICKLE", ("Sickle", "Sickles"), "s", "29"),
            piece("KNUT", ("Knut", "Knuts"), "k", "1"),
        ],
    },
    Template {
        key: "shillings",
        title: "Pounds, shillings, pence",
        about: "20 shillings to the pound, 12 pence to the shilling; guineas and farthings",
        code: "LSD",
        name: ("Old money", ""),
        symbol: "£",
        precision: "0",
        pieces: &[
            unwritten(piece("GUINEA", ("Guinea", "Guineas"), "gn", "252")),
            piece("POUND", ("Pound", "Pounds"), "£", "240"),
            piece("SHILLING", ("Shilling", "Shillings"), "s", "12"),
            piece("PENNY", ("Penny", "Pence"), "d", "1"),
            piece("FARTHING", ("Farthing", "Farthings"), "", "0.25"),
        ],
    },
    Template {
        key: "gold",
        title: "Gold, silver, copper",
        about: "A hundred of each to the next",
        code: "GUILD",
        name: ("Guild money", ""),
        symbol: "",
        precision: "0",
        pieces: &[
            piece("GOLD", ("Gold", "Gold"), "g", "10000"),
            piece("SILVER", ("Silver", "Silver"), "s", "100"),
            piece("COPPER", ("Copper", "Copper"), "c", "1"),
        ],
    },
    Template {
        key: "gold-and-silver",
        title: "Gold and silver",
        about: "A hundred silver to the gold",
        code: "PURSE",
        name: ("Gold and silver", ""),
        symbol: "",
        precision: "0",
        pieces: &[
            piece("GOLD", ("Gold", "Gold"), "g", "100"),
            piece("SILVER", ("Silver", "Silver"), "s", "1"),
        ],
    },
    Template {
        key: "dungeons",
        title: "Platinum, gold, electrum, silver, copper",
        about: "Ten copper to the silver, ten silver to the gold; electrum and platinum are taken",
        code: "COINS",
        name: ("Coins", ""),
        symbol: "",
        precision: "0",
        pieces: &[
            unwritten(piece("PLATINUM", ("Platinum piece", "Platinum pieces"), "pp", "1000")),
            piece("GOLD", ("Gold piece", "Gold pieces"), "gp", "100"),
            unwritten(piece("ELECTRUM", ("Electrum piece", "Electrum pieces"), "ep", "50")),
            piece("SILVER", ("Silver piece", "Silver pieces"), "sp", "10"),
            piece("COPPER", ("Copper piece", "Copper pieces"), "cp", "1"),
        ],
    },
    Template {
        key: "annas",
        title: "Rupees, annas, pies",
        about: "16 annas to the rupee, 12 pies to the anna; mohurs are taken",
        code: "RUPEE",
        name: ("Old rupees", ""),
        symbol: "₨",
        precision: "0",
        pieces: &[
            unwritten(piece("MOHUR", ("Mohur", "Mohurs"), "", "2880")),
            piece("RUPEE", ("Rupee", "Rupees"), "₨", "192"),
            piece("ANNA", ("Anna", "Annas"), "a", "12"),
            piece("PIE", ("Pie", "Pies"), "p", "1"),
        ],
    },
    Template {
        key: "reales",
        title: "Pieces of eight and reales",
        about: "8 reales to the piece of eight, 34 maravedís to the real",
        code: "REALES",
        name: ("Spanish dollars", ""),
        symbol: "",
        precision: "0",
        pieces: &[
            piece("PESO", ("Piece of eight", "Pieces of eight"), "", "272"),
            piece("REAL", ("Real", "Reales"), "r", "34"),
            piece("MARAVEDI", ("Maravedí", "Maravedís"), "", "1"),
        ],
    },
    Template {
        key: "ouguiya",
        title: "Ouguiya and khoums",
        about: "5 khoums to the ouguiya",
        code: "UM",
        name: ("Ouguiya", "Ouguiya"),
        symbol: "UM",
        precision: "0",
        pieces: &[
            piece("OUGUIYA", ("Ouguiya", "Ouguiya"), "UM", "5"),
            piece("KHOUM", ("Khoum", "Khoums"), "", "1"),
        ],
    },
    Template {
        key: "hours",
        title: "Hours and minutes",
        about: "Time that people give, in whole minutes",
        code: "TIME",
        name: ("Time", ""),
        symbol: "",
        precision: "0",
        pieces: &[
            piece("HOUR", ("Hour", "Hours"), "h", "60"),
            piece("MINUTE", ("Minute", "Minutes"), "min", "1"),
        ],
    },
    Template {
        key: "troy",
        title: "Troy weights",
        about: "12 ounces to the pound, 20 pennyweights to the ounce, 24 grains to the pennyweight",
        code: "TROY",
        name: ("Troy weight", ""),
        symbol: "",
        precision: "0",
        pieces: &[
            piece("POUND", ("Pound", "Pounds"), "lb", "5760"),
            piece("OUNCE", ("Ounce", "Ounces"), "oz", "480"),
            piece("PENNYWEIGHT", ("Pennyweight", "Pennyweights"), "dwt", "24"),
            piece("GRAIN", ("Grain", "Grains"), "gr", "1"),
        ],
    },
    Template {
        key: "bitcoin",
        title: "Bitcoin",
        about: "One amount with eight digits, down to the satoshi",
        code: "BTC",
        name: ("Bitcoin", "Bitcoin"),
        symbol: "₿",
        precision: "8",
        pieces: &[],
    },
    Template {
        key: "tickets",
        title: "Tickets",
        about: "Raffle tickets, counted",
        code: "TICKET",
        name: ("Ticket", "Tickets"),
        symbol: "tk",
        precision: "0",
        pieces: &[],
    },
    Template {
        key: "points",
        title: "Points",
        about: "House points, merits, stars",
        code: "POINT",
        name: ("Point", "Points"),
        symbol: "pt",
        precision: "0",
        pieces: &[],
    },
];

/// A currency of whole units without pieces.
pub fn whole_units(name: String, plural: Option<String>, symbol: String) -> BidCurrency {
    BidCurrency {
        profile_id: None,
        name,
        plural,
        symbol,
        input_mode: InputMode::Scalar,
        rate_to_base: "1".into(),
        precision: 0,
        fraction_policy: FractionPolicy::Reject,
        denominations: Vec::new(),
    }
}

impl Template {
    pub fn find(key: &str) -> Option<Self> {
        TEMPLATES.iter().find(|template| template.key == key).copied()
    }

    /// The template as a currency of an auction, to be tried.
    pub fn entry(&self) -> CurrencyEntry {
        let plural = |name: (&str, &str)| Some(name.1.to_owned()).filter(|plural| !plural.is_empty());
        let denomination = |piece: &Piece| Denomination {
            code: piece.code.to_owned(),
            name: piece.name.0.to_owned(),
            plural: plural(piece.name),
            symbol: piece.symbol.to_owned(),
            factor: piece.factor.into(),
            written: piece.written,
        };
        let values = self.pieces.iter().map(|piece| (piece.name.0.to_owned(), piece.factor.to_owned()));
        let one = self.pieces.is_empty().then(|| (String::new(), "1".to_owned()));
        CurrencyEntry {
            id: self.key.to_owned(),
            code: self.code.to_owned(),
            is_default: true,
            in_use: false,
            version: 1,
            values: values.chain(one).collect(),
            currency: BidCurrency {
                profile_id: Some(self.key.to_owned()),
                name: self.name.0.to_owned(),
                plural: plural(self.name),
                symbol: self.symbol.to_owned(),
                input_mode: if self.pieces.is_empty() { InputMode::Scalar } else { InputMode::Denomination },
                rate_to_base: "1".into(),
                precision: self.precision.parse().unwrap_or(0),
                fraction_policy: FractionPolicy::Reject,
                denominations: self.pieces.iter().map(denomination).collect(),
            },
        }
    }

    /// The base unit of an auction in this currency: the piece that counts as one, or else the currency
    /// itself.
    pub fn unit(&self) -> BaseUnit {
        let piece = self.pieces.iter().find(|piece| piece.factor == "1");
        let (name, symbol) = piece.map_or((self.name, self.symbol), |piece| (piece.name, piece.symbol));
        BaseUnit {
            name: name.0.to_owned(),
            plural: Some(name.1.to_owned()).filter(|plural| !plural.is_empty()),
            symbol: symbol.to_owned(),
            ..BaseUnit::default()
        }
    }

    /// Names and values of the form's fields.
    pub fn fields(&self) -> Vec<(String, String)> {
        let mode = if self.pieces.is_empty() { "SCALAR" } else { "DENOMINATION" };
        let fields = [
            ("code", self.code),
            ("name", self.name.0),
            ("plural", self.name.1),
            ("symbol", self.symbol),
            ("rateToBase", "1"),
            ("precision", self.precision),
            ("inputMode", mode),
        ];
        let mut fields: Vec<_> =
            fields.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        for (row, piece) in self.pieces.iter().enumerate() {
            let parts = [
                ("code", piece.code),
                ("name", piece.name.0),
                ("plural", piece.name.1),
                ("symbol", piece.symbol),
                ("factor", piece.factor),
                ("unwritten", if piece.written { "" } else { "true" }),
            ];
            let given = parts.into_iter().filter(|(_, value)| !value.is_empty());
            fields
                .extend(given.map(|(part, value)| (format!("denominations.{row}.{part}"), value.to_owned())));
        }
        fields
    }
}

#[cfg(test)]
mod tests {
    use rules_engine::Profile;

    use super::*;

    #[test]
    fn every_template_is_a_valid_currency() {
        for template in TEMPLATES {
            let definition = template.entry().currency.definition();
            assert!(Profile::parse(&definition).is_ok(), "{}", template.key);
        }
    }

    #[test]
    fn the_unit_of_a_template_is_its_piece_that_counts_as_one() {
        let units =
            ["shillings", "gold", "ouguiya", "tickets"].map(|key| Template::find(key).unwrap().unit());
        let names = units.map(|unit| (unit.name, unit.plural.unwrap(), unit.symbol));
        let own =
            |one: &str, several: &str, symbol: &str| (one.to_owned(), several.to_owned(), symbol.to_owned());
        assert_eq!(
            names,
            [
                own("Penny", "Pence", "d"),
                own("Copper", "Copper", "c"),
                own("Khoum", "Khoums", ""),
                own("Ticket", "Tickets", "tk"),
            ]
        );
    }

    #[test]
    fn a_template_is_found_by_its_key() {
        assert_eq!(Template::find("gold").map(|template| template.code), Some("GUILD"));
        assert_eq!(Template::find("lead"), None);
    }
}
