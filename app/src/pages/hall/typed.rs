//! What a clerk has typed, judged by the engine with what the desk knows. The server judges each call itself.

use rules_engine::{BidContext, BidForm, ItemTerms, Normalized, RuleSet, Violation, ViolationCode};

use crate::components::money::{amount_in, in_words, said, says_the_same, written_price};
use crate::components::name::isolated;
use crate::model::{BidCurrency, Call, CallState, Desk, DeskLot, DeskMember};
use crate::pages::items::advice;

/// The fields of the desk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typed {
    pub lot: String,
    pub buyer: String,
    pub price: String,
    /// Id of the chosen currency. Empty if there is no choice.
    pub currency: String,
}

/// What the fields mean.
pub struct Judged<'a> {
    pub desk: &'a Desk,
    typed: &'a Typed,
    pub lot: Option<&'a DeskLot>,
    /// The lot is closed, and its outcome is corrected.
    pub is_correction: bool,
    /// A call of the lot is not answered yet.
    pub is_called: bool,
    pub member: Option<&'a DeskMember>,
    pub price: Option<Price<'a>>,
}

/// A price with the verdict of the engine.
pub struct Price<'a> {
    pub currency: &'a BidCurrency,
    pub form: BidForm,
    pub normalized: Option<Normalized>,
    violations: Vec<Violation>,
}

/// Whether Enter sells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A field is empty, or names nothing.
    Incomplete(Part),
    Accepted,
    /// Rules are against it, over which a clerk may sell.
    Overridable,
    Refused(Part),
}

/// A field of the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Lot,
    Buyer,
    Price,
}

/// One line below the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    pub words: String,
    /// The class of its colour.
    pub tone: &'static str,
}

impl Line {
    fn plain(words: String) -> Self {
        Self { words, tone: "" }
    }

    fn good(words: String) -> Self {
        Self { words, tone: "good" }
    }

    fn bad(words: String) -> Self {
        Self { words, tone: "bad" }
    }
}

impl<'a> Judged<'a> {
    /// `correcting` is the id of the lot whose outcome is corrected; `calls` are those that the desk may not
    /// know yet.
    pub fn new(desk: &'a Desk, calls: &[Call], correcting: Option<&str>, typed: &'a Typed) -> Self {
        let lot = desk.lot(&typed.lot);
        let member = desk.member(&typed.buyer);
        let is_correction = lot.is_some_and(|lot| correcting == Some(&lot.item_id));
        let is_called = lot.is_some_and(|lot| awaits_answer(calls, &lot.item_id));
        let available = member.zip(lot).and_then(|(member, lot)| available(desk, calls, member, lot));
        let price = lot.and_then(|lot| price(desk, lot, typed, is_correction, available));
        Self { desk, typed, lot, is_correction, is_called, member, price }
    }

    /// Whether the server has to find what is typed, since the page has no room for all.
    pub fn is_for_the_server(&self) -> bool {
        let is_unknown = |is_found: bool, typed: &str| !is_found && !typed.trim().is_empty();
        (self.desk.has_more_lots && is_unknown(self.lot.is_some(), &self.typed.lot))
            || (self.desk.has_more_members && is_unknown(self.member.is_some(), &self.typed.buyer))
    }

    pub fn verdict(&self) -> Verdict {
        let Some(lot) = self.lot else { return Verdict::Incomplete(Part::Lot) };
        if lot.sale.is_some() != self.is_correction || (self.is_called && !self.is_correction) {
            return Verdict::Refused(Part::Lot);
        }
        let Some(member) = self.member else { return Verdict::Incomplete(Part::Buyer) };
        if member.id == lot.seller_id {
            return Verdict::Refused(Part::Buyer);
        }
        let Some(price) = &self.price else { return Verdict::Incomplete(Part::Price) };
        if price.violations.is_empty() || self.is_standing_price() {
            return Verdict::Accepted;
        }
        let overridable = price.violations.iter().all(|violation| violation.code.may_be_overridden());
        if overridable { Verdict::Overridable } else { Verdict::Refused(Part::Price) }
    }

    /// The leader buys at exactly the standing price: the item is sold at that bid.
    fn is_standing_price(&self) -> bool {
        let (Some(lot), Some(member)) = (self.lot, self.member) else { return false };
        let normalized = self.price.as_ref().and_then(|price| price.normalized).map(|it| it.to_string());
        !self.is_correction
            && lot.leader_id.as_deref() == Some(&member.id)
            && normalized.is_some()
            && normalized == lot.highest
    }

    /// About the lot. A call needs an open one.
    pub fn lot_line(&self) -> Line {
        let Some(lot) = self.lot else {
            let typed = self.typed.lot.trim();
            return match (typed.is_empty(), self.desk.has_more_lots) {
                (true, _) => Line::default(),
                (false, true) => Line::plain(format!("Lot {typed} is not on this page: the server answers.")),
                (false, false) => Line::bad(format!("No lot {typed} is open for bids.")),
            };
        };
        let name = isolated(&lot.name);
        match &lot.sale {
            Some(sale) if self.is_correction => {
                Line::plain(format!("Correct {name}: {}. Escape cancels.", sale.words))
            }
            Some(sale) => Line::bad(format!("{name}: {}. F9 corrects it.", sale.words)),
            None if self.is_called => Line::bad(format!("{name}: entered already.")),
            None => {
                let estimate = lot.estimate.as_ref().map(|estimate| format!(", {estimate}"));
                let held = if lot.is_held { ". Held: F8 has it come back" } else { "" };
                Line::plain(format!("{name}{}{held}", estimate.unwrap_or_default()))
            }
        }
    }

    pub fn buyer_line(&self) -> Line {
        let typed = self.typed.buyer.trim();
        let Some(member) = self.member else {
            return match (typed.is_empty(), self.desk.has_more_members) {
                (true, _) => Line::default(),
                (false, true) => {
                    Line::plain(format!("Number {typed} is not on this page: the server answers."))
                }
                (false, false) => Line::bad(format!("Nobody has the number {typed}.")),
            };
        };
        let name = isolated(&member.in_words());
        if self.lot.is_some_and(|lot| lot.seller_id == member.id) {
            return Line::bad(format!("{name} sells this lot."));
        }
        match (&member.available, self.lot) {
            (Some(available), lot) => {
                let unit = lot.map_or(&self.desk.unit, |lot| self.desk.unit_of(lot));
                Line::plain(format!("{name}, {} available", amount_in(available, unit)))
            }
            (None, _) => Line::plain(name),
        }
    }

    pub fn price_line(&self) -> Line {
        let Some(lot) = self.lot else { return Line::default() };
        let unit = self.desk.unit_of(lot);
        let Some(price) = &self.price else {
            return match &lot.highest {
                Some(highest) if lot.sale.is_none() => {
                    let leader = lot.leader.as_deref().unwrap_or("a bidder");
                    let at = amount_in(highest, unit);
                    Line::plain(format!("At {at} by {}. F2 sells to the leader.", isolated(leader)))
                }
                _ => Line::default(),
            };
        };
        let enter = if self.is_correction { "Enter corrects." } else { "Enter sells." };
        match self.verdict() {
            Verdict::Accepted => Line::good(format!("{}. {enter}", self.price_in_words())),
            Verdict::Overridable => Line {
                words: format!("{} Shift+Enter sells all the same.", self.sentences(price)),
                tone: "warning",
            },
            _ if price.violations.is_empty() => Line::plain(format!("{}.", self.price_in_words())),
            _ => Line::bad(self.sentences(price)),
        }
    }

    fn sentences(&self, price: &Price<'_>) -> String {
        let unit = self.lot.map_or(&self.desk.unit, |lot| self.desk.unit_of(lot));
        let sentence = |violation: &Violation| match (violation.code, self.member) {
            (ViolationCode::InsufficientBalance, Some(member)) => {
                let has = amount_in(violation.actual.as_deref().unwrap_or("0"), unit);
                let missing = advice::missing(violation).unwrap_or_default();
                let name = isolated(&member.in_words());
                format!("{name} has {has} available: {} too much.", amount_in(&missing, unit))
            }
            _ => advice::sentence(violation, price.currency, unit),
        };
        price.violations.iter().map(sentence).collect::<Vec<_>>().join(" ")
    }

    /// The price as it was typed, and its value if that says more.
    pub fn price_in_words(&self) -> String {
        let (Some(lot), Some(price)) = (self.lot, &self.price) else { return String::new() };
        let unit = self.desk.unit_of(lot);
        let amount = price.form.amount.as_ref().map(|amount| amount.as_str());
        let counts = price.form.entered_representation.iter().flatten();
        let counts = counts.map(|entry| (entry.denomination.as_str(), entry.count.as_str()));
        let counts = counts.filter(|(_, count)| *count != "0");
        let words = in_words(&price.currency.names(), unit, amount, counts);
        let Some(normalized) = price.normalized else { return words };
        let value = said(&normalized.to_string(), unit);
        if says_the_same(&words, &value) { words } else { format!("{words} = {value}") }
    }
}

/// Whether the server has not answered a call of the item, or the desk does not show the answer yet.
fn awaits_answer(calls: &[Call], item_id: &str) -> bool {
    calls.iter().any(|call| call.item_id == item_id && call.state != CallState::Refused)
}

/// What a member can spend on a lot, in base units: less what waits to be sent, and with the own bid, which a
/// higher one replaces, or the own price, which a correction takes back.
fn available(desk: &Desk, calls: &[Call], member: &DeskMember, lot: &DeskLot) -> Option<Normalized> {
    let mut available: Normalized = member.available.as_deref()?.parse().ok()?;
    let own = match &lot.sale {
        None if lot.leader_id.as_deref() == Some(&member.id) => lot.highest.as_deref(),
        Some(sale) if sale.buyer.as_deref().and_then(|buyer| desk.member(buyer)) == Some(member) => {
            sale.amount.as_deref()
        }
        _ => None,
    };
    if let Some(own) = own {
        available = available.checked_add(own.parse().ok()?)?;
    }
    let waiting = calls.iter().filter(|call| {
        call.member_id.as_deref() == Some(&member.id)
            && call.state != CallState::Refused
            && call.item_id != lot.item_id
    });
    for call in waiting {
        let amount: Normalized = call.amount.as_deref()?.parse().ok()?;
        available = available.checked_sub(amount)?;
    }
    Some(available)
}

fn price<'a>(
    desk: &'a Desk,
    lot: &'a DeskLot,
    typed: &Typed,
    is_correction: bool,
    available: Option<Normalized>,
) -> Option<Price<'a>> {
    if typed.price.trim().is_empty() {
        return None;
    }
    let currency = desk.currency_of(lot, &typed.currency)?;
    let form = written_price(currency, &typed.price, desk.has_comma);
    // The input phase and the balance apply to a correction, the rules do not.
    let none = ItemTerms::default();
    let (rules, terms) = if is_correction { (&[][..], &none) } else { (&desk.rules[..], &lot.terms) };
    let highest = lot.highest.as_deref().filter(|_| !is_correction).and_then(|highest| highest.parse().ok());
    let rules = RuleSet::compile(&currency.definition(), rules, terms).ok()?;
    let verdict = rules.evaluate(BidContext { highest, available }, &form);
    Some(Price { currency, form, normalized: verdict.normalized, violations: verdict.violations })
}

/// The lot that is offered after the one with this id: the next open one, or the first.
pub fn next_lot(desk: &Desk, calls: &[Call], after: Option<&str>) -> Option<String> {
    let is_free = |lot: &&DeskLot| lot.sale.is_none() && !lot.is_held && !awaits_answer(calls, &lot.item_id);
    let at = after.and_then(|id| desk.lots.iter().position(|lot| lot.item_id == id));
    let later = desk.lots.iter().skip(at.map_or(0, |at| at + 1)).find(is_free);
    later.or_else(|| desk.lots.iter().find(is_free)).map(|lot| lot.lot_number.clone())
}

#[cfg(test)]
mod tests {
    use rules_engine::{FractionPolicy, InputMode, Literal};

    use super::*;
    use crate::model::{BaseUnit, DeskSale, Outbox};
    use crate::pages::hall::new_call::OtherEnd;

    fn points() -> BidCurrency {
        BidCurrency {
            profile_id: Some("p".to_owned()),
            name: "Point".to_owned(),
            plural: Some("Points".to_owned()),
            symbol: String::new(),
            input_mode: InputMode::Scalar,
            rate_to_base: Literal::from("1"),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: Vec::new(),
        }
    }

    fn lot(number: &str) -> DeskLot {
        DeskLot {
            item_id: format!("i{number}"),
            lot_number: number.to_owned(),
            name: "A vase".to_owned(),
            picture: None,
            estimate: None,
            terms: ItemTerms { min_bid_normalized: "5".parse().ok(), ..ItemTerms::default() },
            own_money: None,
            seller_id: "seller".to_owned(),
            highest: None,
            leader_id: None,
            leader: None,
            is_held: false,
            sale: None,
        }
    }

    fn member(number: u64, available: Option<&str>) -> DeskMember {
        DeskMember {
            id: format!("u{number}"),
            number: Some(number),
            name: "Luna".to_owned(),
            available: available.map(str::to_owned),
        }
    }

    fn desk(lots: Vec<DeskLot>) -> Desk {
        Desk {
            auction_id: "a".to_owned(),
            clerk_id: "c".to_owned(),
            lots,
            has_more_lots: false,
            has_more_members: false,
            members: vec![member(17, Some("50")), DeskMember { id: "seller".to_owned(), ..member(3, None) }],
            has_numbers: true,
            currencies: vec![points()],
            unit: BaseUnit {
                name: "Point".to_owned(),
                plural: Some("Points".to_owned()),
                ..BaseUnit::default()
            },
            rules: Vec::new(),
            has_comma: false,
            block: None,
            last: None,
            as_of: "27 Nov 2026, 14:05".to_owned(),
        }
    }

    fn typed(lot: &str, buyer: &str, price: &str) -> Typed {
        let text = str::to_owned;
        Typed { lot: text(lot), buyer: text(buyer), price: text(price), currency: String::new() }
    }

    fn call(lot: &str, state: CallState, amount: &str) -> Call {
        Call {
            order: 1,
            state,
            reason: None,
            item_id: format!("i{lot}"),
            lot: lot.to_owned(),
            buyer: "17".to_owned(),
            price: amount.to_owned(),
            currency: String::new(),
            member_id: Some("u17".to_owned()),
            amount: Some(amount.to_owned()),
            is_correction: false,
            words: String::new(),
        }
    }

    /// The verdict on a lot with the number 1, and the three lines.
    fn answers(desk: &Desk, calls: &[Call], typed: &Typed) -> (Verdict, [String; 3]) {
        let judged = Judged::new(desk, calls, None, typed);
        let lines = [judged.lot_line(), judged.buyer_line(), judged.price_line()];
        (
            judged.verdict(),
            lines.map(|line| line.words.replace('\u{a0}', " ").replace(['\u{2068}', '\u{2069}'], "")),
        )
    }

    #[test]
    fn each_field_is_answered() {
        let desk = desk(vec![lot("1")]);
        let (verdict, lines) = answers(&desk, &[], &typed("1", "17", "7"));
        assert_eq!(verdict, Verdict::Accepted);
        assert_eq!(lines, ["A vase", "Luna (17), 50 Points available", "7 Points. Enter sells."]);
        let (verdict, lines) = answers(&desk, &[], &typed("9", "18", "7"));
        assert_eq!(verdict, Verdict::Incomplete(Part::Lot));
        assert_eq!(lines, ["No lot 9 is open for bids.", "Nobody has the number 18.", ""]);
    }

    #[test]
    fn a_rule_can_be_overridden_and_the_balance_and_the_highest_bid_can_not() {
        let open = desk(vec![lot("1")]);
        let (verdict, [_, _, price]) = answers(&open, &[], &typed("1", "17", "4"));
        assert_eq!(verdict, Verdict::Overridable);
        assert_eq!(price, "Add 1 Point: bids begin at 5 Points. Shift+Enter sells all the same.");
        let (verdict, [_, _, price]) = answers(&open, &[], &typed("1", "17", "60"));
        assert_eq!(verdict, Verdict::Refused(Part::Price));
        assert_eq!(price, "Luna (17) has 50 Points available: 10 Points too much.");
        let led = DeskLot { highest: Some("9".to_owned()), leader_id: Some("u4".to_owned()), ..lot("1") };
        let (verdict, _) = answers(&desk(vec![led]), &[], &typed("1", "17", "9"));
        assert_eq!(verdict, Verdict::Refused(Part::Price));
    }

    #[test]
    fn the_leader_buys_at_the_standing_price() {
        let led = DeskLot { highest: Some("9".to_owned()), leader_id: Some("u17".to_owned()), ..lot("1") };
        let desk = desk(vec![led]);
        assert_eq!(answers(&desk, &[], &typed("1", "17", "9")).0, Verdict::Accepted);
        let fields = typed("1", "", "");
        let judged = Judged::new(&desk, &[], None, &fields);
        let leader = judged.other(OtherEnd::SoldToLeader).expect("a call");
        assert_eq!(
            (leader.path.as_str(), leader.body.as_str()),
            ("/api/auctions/a/items/i1/hammer", r#"{"result":"SOLD"}"#)
        );
    }

    #[test]
    fn nobody_buys_their_own_lot_or_one_that_is_called() {
        let desk = desk(vec![lot("1")]);
        assert_eq!(answers(&desk, &[], &typed("1", "3", "7")).0, Verdict::Refused(Part::Buyer));
        for state in [CallState::Waiting, CallState::Sending, CallState::Sent] {
            let calls = [call("1", state, "7")];
            assert_eq!(answers(&desk, &calls, &typed("1", "17", "7")).0, Verdict::Refused(Part::Lot));
        }
        let refused = [call("1", CallState::Refused, "7")];
        assert_eq!(answers(&desk, &refused, &typed("1", "17", "7")).0, Verdict::Accepted);
    }

    #[test]
    fn what_waits_to_be_sent_is_not_available() {
        let desk = desk(vec![lot("1"), lot("2")]);
        let calls = [call("1", CallState::Waiting, "45")];
        assert_eq!(answers(&desk, &calls, &typed("2", "17", "5")).0, Verdict::Accepted);
        assert_eq!(answers(&desk, &calls, &typed("2", "17", "6")).0, Verdict::Refused(Part::Price));
    }

    #[test]
    fn a_sale_that_the_desk_shows_is_not_counted_twice() {
        let shown =
            DeskSale { words: String::new(), buyer: None, price: None, currency_id: None, amount: None };
        let outbox = Outbox { calls: vec![call("1", CallState::Sent, "45")], trouble: None };
        let open = desk(vec![lot("1"), lot("2")]);
        let closed = desk(vec![DeskLot { sale: Some(shown), ..lot("1") }, lot("2")]);
        let verdict = |desk: &Desk| answers(desk, &outbox.unanswered(desk), &typed("2", "17", "6")).0;
        assert_eq!(verdict(&open), Verdict::Refused(Part::Price));
        assert_eq!(verdict(&closed), Verdict::Accepted);
    }

    #[test]
    fn a_correction_counts_the_balance_and_gives_back_the_price_before() {
        let sale = DeskSale {
            words: "sold to Luna (17) for 40 Points".to_owned(),
            buyer: Some("17".to_owned()),
            price: Some("40".to_owned()),
            currency_id: None,
            amount: Some("40".to_owned()),
        };
        let desk = desk(vec![DeskLot { sale: Some(sale), ..lot("1") }]);
        let verdict = |price: &str| {
            let fields = typed("1", "17", price);
            let judged = Judged::new(&desk, &[], Some("i1"), &fields);
            (judged.verdict(), judged.sale(false).map(|call| call.path))
        };
        let path = Some("/api/auctions/a/items/i1/outcome".to_owned());
        assert_eq!(verdict("90"), (Verdict::Accepted, path.clone()));
        assert_eq!(verdict("91"), (Verdict::Refused(Part::Price), path.clone()));
        assert_eq!(verdict("1"), (Verdict::Accepted, path), "no rule counts");
        assert_eq!(answers(&desk, &[], &typed("1", "17", "7")).0, Verdict::Refused(Part::Lot));
    }

    #[test]
    fn the_next_lot_is_the_open_one_after_the_last() {
        let held = DeskLot { is_held: true, ..lot("4") };
        let desk = desk(vec![lot("1"), lot("2"), lot("3"), held]);
        let calls = [call("2", CallState::Waiting, "5")];
        assert_eq!(next_lot(&desk, &calls, Some("i1")).as_deref(), Some("3"));
        assert_eq!(next_lot(&desk, &calls, Some("i3")).as_deref(), Some("1"));
    }
}
