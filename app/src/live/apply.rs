//! Applies events to a bid board.

use rules_engine::{EnteredCount, Literal};

use crate::components::by_clerk::by_clerk;
use crate::components::moment::read_stamp;
use crate::components::money::in_words;
use crate::components::withdrawal;
use crate::live::wire::{BidAnswer, ItemAnswer, Person, ResetAnswer, SealedAnswer, Withdrawal};
use crate::model::{BidBoard, BidRow};

/// Rows that a board keeps.
const ROWS_MAX: usize = 100;

/// Updates the status and the end of the item.
pub fn item(board: &mut BidBoard, update: &ItemAnswer) {
    board.status = update.status;
    board.ends_at = update.end_date.as_deref().and_then(read_stamp);
    board.sold_for = update
        .outcome
        .as_ref()
        .and_then(|outcome| outcome.bid.as_ref())
        .map(|bid| bid.normalized_amount.clone());
    let highest = update.highest_bid.as_ref();
    // An event from before the newest bid of the board, or from after it, does not count its bids.
    if highest.map(|highest| highest.normalized_amount.as_str()) != board.highest() {
        return;
    }
    board.bid_count = update.bid_count;
    // After the end the seller may see the name of a winner whose bid was anonymous.
    let leading = board.bids.iter_mut().find(|bid| bid.withdrawn.is_none());
    if let (Some(leading), Some(bidder)) = (leading, highest.and_then(|highest| highest.bidder.as_ref())) {
        leading.bidder = Some(bidder.in_words());
    }
}

/// Inserts a bid in order, unless the board has it. The answer to the viewer's own bid may arrive before the
/// stream sends the bids before it. It names its bidder, also where the stream did not, which sends the first
/// bid of a new member as to an outsider.
pub fn bid(board: &mut BidBoard, new: &BidAnswer) {
    let row = row(board, new);
    let at = board.bids.iter().position(|bid| bid.sequence <= new.sequence).unwrap_or(board.bids.len());
    if let Some(had) = board.bids.get_mut(at).filter(|bid| bid.sequence == new.sequence) {
        if row.mine {
            (had.mine, had.bidder) = (true, row.bidder);
        }
        return;
    }
    if at == ROWS_MAX {
        return;
    }
    board.bids.insert(at, row);
    board.bids.truncate(ROWS_MAX);
    board.bid_count += u64::from(new.withdrawn.is_none());
}

/// Marks a bid as withdrawn, if the board has it as standing.
pub fn withdrawn(board: &mut BidBoard, bid: &BidAnswer) {
    let words = bid.withdrawn.as_ref().map(withdrawn_in_words);
    let row = board.bids.iter_mut().find(|row| row.sequence == bid.sequence && row.withdrawn.is_none());
    if let Some(row) = row {
        row.withdrawn = words;
        board.bid_count = board.bid_count.saturating_sub(1);
    }
    board.earlier.retain(|row| row.sequence != bid.sequence);
}

/// Replaces the contents of the board.
pub fn reset(board: &mut BidBoard, snapshot: &ResetAnswer) {
    board.bids = snapshot.bids.iter().map(|bid| row(board, bid)).collect();
    board.bid_count = snapshot.item.bid_count;
    item(board, &snapshot.item);
}

/// The row of a bid, for the viewer of the board.
pub fn row(board: &BidBoard, bid: &BidAnswer) -> BidRow {
    let bidder = bid.bidder.as_ref();
    BidRow {
        sequence: bid.sequence,
        bidder: bidder.map(Person::in_words),
        mine: bidder.is_some_and(|bidder| bidder.id.is_some() && bidder.id == board.viewer_id),
        normalized_amount: bid.normalized_amount.clone(),
        entered: words(
            board,
            &bid.currency_profile_id,
            bid.amount.as_ref(),
            bid.entered_representation.as_deref(),
        ),
        placed_at: read_stamp(&bid.created_at).unwrap_or_default(),
        withdrawn: bid.withdrawn.as_ref().map(withdrawn_in_words),
        by_clerk: clerk_in_words(bid),
    }
}

fn clerk_in_words(bid: &BidAnswer) -> Option<String> {
    let codes: Vec<&str> = bid.overridden.iter().flatten().map(String::as_str).collect();
    by_clerk(bid.placed_by.as_ref().map(Person::in_words).as_deref(), &codes)
}

fn withdrawn_in_words(Withdrawal { by, reason, note }: &Withdrawal) -> String {
    withdrawal::withdrawn(by, reason, note.as_deref())
}

/// The viewer's own sealed bid stands in place of the one before.
pub fn sealed(board: &mut BidBoard, bid: &SealedAnswer) -> String {
    let counts = bid.entered_representation.as_deref();
    let words = words(board, &bid.currency_profile_id, bid.amount.as_ref(), counts);
    if let Some(sealed) = &mut board.sealed {
        sealed.own = Some(words.clone());
    }
    words
}

fn words(
    board: &BidBoard,
    profile_id: &Option<String>,
    amount: Option<&Literal>,
    counts: Option<&[EnteredCount]>,
) -> String {
    let currency = board.currencies.iter().find(|currency| currency.profile_id == *profile_id);
    let counts = counts.into_iter().flatten();
    let counts = counts.map(|entry| (entry.denomination.as_str(), entry.count.as_str()));
    let amount = amount.map(Literal::as_str);
    currency.map_or_else(String::new, |currency| in_words(currency, &board.base_unit, amount, counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::wire::HighestAnswer;
    use crate::model::{BaseUnit, CurrencyNames, ItemStatus};

    fn board() -> BidBoard {
        BidBoard {
            auction_id: "a".to_owned(),
            item_id: "i".to_owned(),
            status: ItemStatus::Open,
            ends_at: None,
            sold_for: None,
            bid_count: 0,
            base_unit: BaseUnit::default(),
            minimum_bid: None,
            viewer_id: Some("luna".to_owned()),
            is_manager: false,
            sealed: None,
            currencies: vec![CurrencyNames {
                profile_id: None,
                name: "GBP".to_owned(),
                plural: None,
                symbol: "£".to_owned(),
                denominations: Vec::new(),
            }],
            bids: Vec::new(),
            earlier: Vec::new(),
        }
    }

    fn bid_answer(sequence: u64, bidder: &str) -> BidAnswer {
        BidAnswer {
            item_id: "i".to_owned(),
            sequence,
            bidder: Some(Person {
                id: Some(bidder.to_owned()),
                name: bidder.to_ascii_uppercase(),
                number: Some(7),
            }),
            amount: Some(Literal::from(sequence.to_string())),
            entered_representation: None,
            currency_profile_id: None,
            normalized_amount: sequence.to_string(),
            created_at: "1970-01-01T00:00:02Z".to_owned(),
            withdrawn: None,
            placed_by: None,
            overridden: None,
        }
    }

    fn item_answer(status: ItemStatus, bid_count: u64) -> ItemAnswer {
        ItemAnswer {
            id: "i".to_owned(),
            lot_number: "1".to_owned(),
            status,
            end_date: None,
            min_bid_normalized: None,
            bid_count,
            highest_bid: None,
            outcome: None,
            images: Vec::new(),
        }
    }

    fn sequences(board: &BidBoard) -> Vec<u64> {
        board.bids.iter().map(|bid| bid.sequence).collect()
    }

    #[test]
    fn a_new_bid_is_inserted_once_and_first() {
        let mut board = board();
        for sequence in [1, 2, 2, 3, 1] {
            bid(&mut board, &bid_answer(sequence, "luna"));
        }
        assert_eq!(sequences(&board), [3, 2, 1]);
        assert_eq!(board.bid_count, 3);
        assert_eq!(board.highest(), Some("3"));
    }

    #[test]
    fn a_row_has_the_bidder_and_the_amount() {
        let mut board = board();
        bid(&mut board, &bid_answer(1, "luna"));
        let row = board.bids.first().expect("a bid");
        assert!(row.mine);
        assert_eq!((row.entered.as_str(), row.placed_at), ("1\u{a0}GBP", 2_000));
    }

    #[test]
    fn the_answer_to_an_own_bid_names_the_bidder_whom_the_stream_did_not() {
        let own = bid_answer(1, "luna");
        let nameless = BidAnswer { bidder: None, ..bid_answer(1, "") };
        for order in [[&nameless, &own, &nameless], [&own, &nameless, &own]] {
            let mut board = board();
            for answer in order {
                bid(&mut board, answer);
            }
            let shown = board.bids.first().map(|bid| (bid.mine, bid.bidder.as_deref()));
            assert_eq!((shown, board.bid_count), (Some((true, Some("LUNA (7)"))), 1));
        }
    }

    #[test]
    fn a_bid_of_a_clerk_says_so() {
        let mut board = board();
        let clerk = Some(Person { id: Some("carl".to_owned()), name: "Carl".to_owned(), number: None });
        let overridden = Some(vec!["MIN_BID".to_owned()]);
        bid(&mut board, &BidAnswer { placed_by: clerk, overridden, ..bid_answer(1, "luna") });
        let words = board.bids.first().and_then(|bid| bid.by_clerk.as_deref());
        assert_eq!(words, Some("entered by Carl, against the rules: minimum bid"));
    }

    #[test]
    fn bids_out_of_order_are_sorted() {
        let mut board = board();
        bid(&mut board, &bid_answer(1, "luna"));
        bid(&mut board, &bid_answer(4, "luna"));
        bid(&mut board, &bid_answer(2, "neville"));
        bid(&mut board, &bid_answer(3, "neville"));
        assert_eq!(sequences(&board), [4, 3, 2, 1]);
    }

    #[test]
    fn a_snapshot_replaces_the_bids() {
        let mut board = board();
        bid(&mut board, &bid_answer(1, "luna"));
        let bids = vec![bid_answer(9, "luna"), bid_answer(8, "neville")];
        reset(&mut board, &ResetAnswer { item: item_answer(ItemStatus::Open, 9), bids });
        assert_eq!((board.bid_count, sequences(&board)), (9, vec![9, 8]));
    }

    #[test]
    fn an_older_event_does_not_undo_a_newer_one() {
        let mut board = board();
        bid(&mut board, &bid_answer(1, "neville"));
        bid(&mut board, &bid_answer(2, "luna"));
        item(&mut board, &item_answer(ItemStatus::Open, 1));
        assert_eq!((board.bid_count, sequences(&board)), (2, vec![2, 1]));
    }

    #[test]
    fn a_withdrawn_bid_stays_in_the_list_and_the_bid_before_leads() {
        let mut board = board();
        for sequence in [1, 2] {
            bid(&mut board, &bid_answer(sequence, "luna"));
        }
        let mark = Withdrawal { by: "BIDDER".to_owned(), reason: "MISTYPED".to_owned(), note: None };
        let taken_back = BidAnswer { withdrawn: Some(mark), ..bid_answer(2, "luna") };
        for _ in 0..2 {
            withdrawn(&mut board, &taken_back);
        }
        assert_eq!((board.bid_count, board.highest(), sequences(&board)), (1, Some("1"), vec![2, 1]));
        let words = board.bids.first().and_then(|bid| bid.withdrawn.as_deref());
        assert_eq!(words, Some("Withdrawn by the bidder: mistyped"));
        assert!(!board.may_withdraw(2, 2_000), "it is withdrawn");
        assert!(!board.may_withdraw(1, 2_000), "it is not the newest bid");
        bid(&mut board, &bid_answer(3, "luna"));
        assert!(board.may_withdraw(3, 62_000) && !board.may_withdraw(3, 62_001));
    }

    #[test]
    fn the_end_can_move_and_the_item_can_close() {
        let mut board = board();
        let end_date = Some("1970-01-01T00:00:05Z".to_owned());
        item(&mut board, &ItemAnswer { end_date, ..item_answer(ItemStatus::Closed, 0) });
        assert_eq!((board.status, board.ends_at), (ItemStatus::Closed, Some(5_000)));
    }

    #[test]
    fn the_winner_may_become_visible_at_the_end() {
        let mut board = board();
        bid(&mut board, &BidAnswer { bidder: None, ..bid_answer(1, "") });
        let bidder =
            Some(Person { id: Some("neville".to_owned()), name: "NEVILLE".to_owned(), number: None });
        let highest_bid =
            Some(HighestAnswer { normalized_amount: "1".to_owned(), currency_profile_id: None, bidder });
        item(&mut board, &ItemAnswer { highest_bid, ..item_answer(ItemStatus::Closed, 1) });
        assert_eq!(board.bids.first().and_then(|bid| bid.bidder.as_deref()), Some("NEVILLE"));
    }
}
