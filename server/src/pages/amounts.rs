//! Amounts in base units in the fields of forms, in the names of the auction or the book.

use app::components::money::typed_amount;
use app::model::{BaseUnit, BidCurrency};
use auction_house::auctions::access::authorize;
use auction_house::books;
use auction_house::currencies::store::of_auction;
use auction_house::ids::{AuctionId, BookId, UserId};
use auction_house::items::LegacyPrice;
use auction_house::usage::books_written_in;
use iso_currency::Currency as IsoCurrency;
use platform::db::Connection;
use platform::http::problem::Problem;
use platform::time::Moment;

use super::form::Form;
use super::money::{base_unit, bid_currency, legacy_bid_currency, unit_of_book};

/// The names that may stand beside the numbers of a form.
pub struct Amounts {
    pub unit: BaseUnit,
    pub currencies: Vec<BidCurrency>,
}

impl Amounts {
    /// Amounts of an auction, for a user who sees it.
    pub async fn of_auction(
        db: &mut Connection,
        auction_id: AuctionId,
        user: UserId,
        now: Moment,
    ) -> Result<Self, Problem> {
        let seen = authorize(db, auction_id, user, now).await?;
        let currencies = of_auction(db, auction_id).await?;
        let currencies = currencies.into_iter().map(bid_currency).collect();
        Ok(Self { unit: base_unit(seen.auction.terms.base_unit.as_ref()), currencies })
    }

    /// Amounts of a book, for a user who sees it.
    pub async fn of_book(db: &mut Connection, book_id: BookId, user: UserId) -> Result<Self, Problem> {
        let seen = books::access::authorize(db, book_id, user).await?;
        let written_in = books_written_in(db, &[book_id]).await?;
        let unit = unit_of_book(&seen.book.terms.base_unit, written_in.get(&book_id));
        Ok(Self { currencies: unit.written_in.iter().map(|currency| (**currency).clone()).collect(), unit })
    }

    /// The base unit that a form names.
    pub fn of_unit(name: &str, plural: Option<&str>, symbol: &str) -> Self {
        let (name, plural, symbol) = (name.to_owned(), plural.map(str::to_owned), symbol.to_owned());
        Self { unit: BaseUnit { name, plural, symbol, ..BaseUnit::default() }, currencies: Vec::new() }
    }

    /// An ISO 4217 currency. An unknown code has no names.
    pub fn of_iso(code: &str) -> Self {
        let Some(currency) = IsoCurrency::from_code(code) else { return Self::of_unit("", None, "") };
        let price = LegacyPrice { currency, starting_bid: None, min_bid_increment: None };
        Self { unit: BaseUnit::default(), currencies: vec![legacy_bid_currency(&price)] }
    }

    /// The amount in a field of this name, as the API takes it.
    pub fn number(&self, form: &Form, name: &str) -> Option<String> {
        form.get(name).map(|text| self.read(text))
    }

    /// A typed amount as the API takes it.
    pub fn read(&self, text: &str) -> String {
        typed_amount(&self.unit, &self.currencies, text)
    }
}

#[cfg(test)]
mod tests {
    use app::components::money::{composed, lowered};
    use platform::text;

    #[test]
    fn pages_and_tables_compare_letters_alike() {
        for letter in '\0'..=char::MAX {
            let typed = letter.to_string();
            assert_eq!(composed(&typed), text::composed(&typed), "{typed}");
            // `folded` has other letters for variants, and leaves joiners out.
            if !text::is_variant(letter) && !text::is_control(letter) {
                assert_eq!(lowered(&typed), text::folded(&typed), "{typed}");
            }
            assert!(
                lowered(&typed).parse().is_ok_and(|lower| text::same_letters(letter, lower)) || letter == 'İ'
            );
        }
    }
}
