//! How news change a board.

use rules_engine::Literal;

use crate::components::moment::read_stamp;
use crate::components::money::in_words;
use crate::live::wire::{BidAnswer, ItemAnswer};
use crate::model::{BidBoard, BidRow, CurrencyNames};

/// Rows that a board keeps.
const MOST_ROWS: usize = 100;

/// The item's state and end.
pub fn item(board: &mut BidBoard, news: &ItemAnswer) {
    board.open = news.status == "OPEN";
    board.ends_at = news.end_date.as_deref().and_then(read_stamp);
    // The two answers are not of the same moment: what was seen once stays.
    board.bid_count = board.bid_count.max(news.bid_count);
}

/// Bids, newest first. Those known are passed over; where some between were missed, the older ones go, so
/// that the list never has a gap.
pub fn bids(board: &mut BidBoard, news: &[BidAnswer]) {
    let newest = board.bids.first().map_or(0, |bid| bid.sequence);
    let fresh: Vec<BidRow> =
        news.iter().filter(|bid| bid.sequence > newest).map(|bid| row(board, bid)).collect();
    let Some(oldest) = fresh.last().map(|bid| bid.sequence) else {
        return;
    };
    if oldest > newest + 1 {
        board.bids.clear();
    }
    board.bids.splice(0..0, fresh);
    board.bids.truncate(MOST_ROWS);
    let count = board.bids.first().map_or(0, |bid| bid.sequence);
    board.bid_count = board.bid_count.max(count);
}

/// One bid, as this viewer sees it.
pub fn row(board: &BidBoard, bid: &BidAnswer) -> BidRow {
    let bidder = bid.bidder.as_ref();
    BidRow {
        sequence: bid.sequence,
        bidder: bidder.map(|bidder| bidder.name.clone()),
        mine: bidder.is_some_and(|bidder| Some(&bidder.id) == board.viewer_id.as_ref()),
        normalized_amount: bid.normalized_amount.clone(),
        entered: words(&board.currencies, bid),
        placed_at: read_stamp(&bid.created_at).unwrap_or_default(),
    }
}

fn words(currencies: &[CurrencyNames], bid: &BidAnswer) -> String {
    let currency = currencies.iter().find(|currency| currency.profile_id == bid.currency_profile_id);
    let counts = bid.entered_representation.iter().flatten();
    let counts = counts.map(|entry| (entry.denomination.as_str(), entry.count.as_str()));
    let amount = bid.amount.as_ref().map(Literal::as_str);
    currency.map_or_else(String::new, |currency| in_words(currency, amount, counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::wire::Person;
    use crate::model::BaseUnit;

    fn board() -> BidBoard {
        BidBoard {
            auction_id: "a".to_owned(),
            item_id: "i".to_owned(),
            open: true,
            ends_at: None,
            bid_count: 0,
            base_unit: BaseUnit::default(),
            minimum_bid: None,
            viewer_id: Some("luna".to_owned()),
            currencies: vec![CurrencyNames {
                profile_id: None,
                name: "GBP".to_owned(),
                symbol: "£".to_owned(),
                denominations: Vec::new(),
            }],
            bids: Vec::new(),
        }
    }

    fn bid(sequence: u64, bidder: &str) -> BidAnswer {
        BidAnswer {
            sequence,
            bidder: Some(Person { id: bidder.to_owned(), name: bidder.to_uppercase() }),
            amount: Some(Literal::from(sequence.to_string())),
            entered_representation: None,
            currency_profile_id: None,
            normalized_amount: sequence.to_string(),
            created_at: "1970-01-01T00:00:02Z".to_owned(),
        }
    }

    fn sequences(board: &BidBoard) -> Vec<u64> {
        board.bids.iter().map(|bid| bid.sequence).collect()
    }

    #[test]
    fn new_bids_come_first_and_once() {
        let mut board = board();
        bids(&mut board, &[bid(2, "luna"), bid(1, "neville")]);
        bids(&mut board, &[bid(3, "neville"), bid(2, "luna")]);
        assert_eq!(sequences(&board), [3, 2, 1]);
        assert_eq!(board.bid_count, 3);
        assert_eq!(board.highest(), Some("3"));
    }

    #[test]
    fn a_row_says_whose_and_how_much() {
        let mut board = board();
        bids(&mut board, &[bid(1, "luna")]);
        let row = board.bids.first().expect("a bid");
        assert!(row.mine);
        assert_eq!((row.entered.as_str(), row.placed_at), ("1\u{a0}GBP", 2_000));
    }

    #[test]
    fn the_list_never_has_a_gap() {
        let mut board = board();
        bids(&mut board, &[bid(1, "luna")]);
        bids(&mut board, &[bid(5, "luna"), bid(4, "neville")]);
        assert_eq!(sequences(&board), [5, 4]);
    }

    #[test]
    fn an_older_answer_takes_nothing_back() {
        let mut board = board();
        bids(&mut board, &[bid(2, "luna"), bid(1, "neville")]);
        item(&mut board, &ItemAnswer { status: "OPEN".to_owned(), end_date: None, bid_count: 1 });
        bids(&mut board, &[bid(1, "neville")]);
        assert_eq!((board.bid_count, sequences(&board)), (2, vec![2, 1]));
    }

    #[test]
    fn an_end_can_move_and_come() {
        let mut board = board();
        let end_date = Some("1970-01-01T00:00:05Z".to_owned());
        item(&mut board, &ItemAnswer { status: "CLOSED".to_owned(), end_date, bid_count: 0 });
        assert_eq!((board.open, board.ends_at), (false, Some(5_000)));
    }
}
