//! Checkout at the table: what one winner has won, to be paid and collected.

use super::{ResultRow, SelectOption, Totals};

/// The winner whom a cashier asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedWinner {
    /// A number in the group of the auction, as it was typed.
    Number(String),
    /// The id of a user.
    User(String),
}

impl AskedWinner {
    /// The field of the form that asks for it, and its value.
    pub fn field(&self) -> (&'static str, &str) {
        match self {
            Self::Number(typed) => ("number", typed),
            Self::User(id) => ("winner", id),
        }
    }
}

/// The forms with which a cashier asks for winners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutDesk {
    /// The auction has a group, whose people have numbers.
    pub has_numbers: bool,
    /// The winners who have no number.
    pub winners: Vec<SelectOption>,
    /// Address of the stream of what happens from here on.
    pub stream: String,
}

/// The winner whom a cashier asks for, and what they are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    pub asked: AskedWinner,
    pub answer: CheckoutAnswer,
}

/// What a cashier is told of the winner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutAnswer {
    NotANumber,
    /// Nobody has the number, or the user is no member and has won nothing.
    Unknown,
    /// The name of a member who has won nothing.
    Nothing(String),
    Won(Box<CheckoutSale>),
}

/// What one winner has won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutSale {
    pub name: String,
    pub totals: Totals,
    /// What is still to be paid. Absent if that is everything or nothing.
    pub due: Option<Totals>,
    /// By lot number; of very many those first that are not paid and collected.
    pub rows: Vec<CheckoutRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutRow {
    pub row: ResultRow,
    /// Address of its first picture.
    pub picture: Option<String>,
}
