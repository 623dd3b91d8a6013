//! What a clerk has typed, judged by the engine with what the desk knows. The server judges each call itself.

use rules_engine::{BidContext, BidForm, ItemTerms, Literal, Normalized, RuleSet, Violation, ViolationCode};

use crate::components::money::{amount_in, counted, in_words, said, says_the_same, typed_price};
use crate::components::name::isolated;
use crate::islands::items::advice;
use crate::model::{BidCurrency, CallState, Desk, DeskLot, DeskMember, Noun, PendingCall};

const TICKET: Noun<'static> = Noun { one: "ticket", several: Some("tickets") };

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
pub struct DeskEvaluation<'a> {
    pub desk: &'a Desk,
    typed: &'a Typed,
    pub lot: Option<&'a DeskLot>,
    /// The lot is closed, and its outcome is corrected.
    pub is_correction: bool,
    /// A call of the lot is not answered yet.
    pub is_called: bool,
    pub member: Option<&'a DeskMember>,
    pub price: Option<TypedPrice<'a>>,
}

/// A price with the verdict of the engine.
pub struct TypedPrice<'a> {
    pub currency: &'a BidCurrency,
    pub form: BidForm,
    pub normalized: Option<Normalized>,
    violations: Vec<Violation>,
}

/// Whether Enter sells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeskVerdict {
    /// A field is empty, or names nothing.
    Incomplete(DeskField),
    Accepted,
    /// Rules are against it, over which a clerk may sell.
    Overridable,
    Refused(DeskField),
}

/// A field of the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeskField {
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

    fn bad(words: String) -> Self {
        Self { words, tone: "bad" }
    }
}

impl<'a> DeskEvaluation<'a> {
    /// `correcting` is the id of the lot whose outcome is corrected; `calls` are those that the desk may not
    /// know yet.
    pub fn new(desk: &'a Desk, calls: &[PendingCall], correcting: Option<&str>, typed: &'a Typed) -> Self {
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
        (self.desk.has_more_lots() && is_unknown(self.lot.is_some(), &self.typed.lot))
            || (self.desk.has_more_members() && is_unknown(self.member.is_some(), &self.typed.buyer))
    }

    pub fn verdict(&self) -> DeskVerdict {
        let Some(lot) = self.lot else { return DeskVerdict::Incomplete(DeskField::Lot) };
        if lot.sale.is_some() != self.is_correction || (self.is_called && !self.is_correction) {
            return DeskVerdict::Refused(DeskField::Lot);
        }
        let Some(member) = self.member else { return DeskVerdict::Incomplete(DeskField::Buyer) };
        if member.id == lot.seller_id {
            return DeskVerdict::Refused(DeskField::Buyer);
        }
        let Some(price) = &self.price else { return DeskVerdict::Incomplete(DeskField::Price) };
        if price.violations.is_empty() || self.is_standing_price() {
            return DeskVerdict::Accepted;
        }
        let overridable = price.violations.iter().all(|violation| violation.code.may_be_overridden());
        if overridable && self.takes_bids().is_none() {
            DeskVerdict::Overridable
        } else {
            DeskVerdict::Refused(DeskField::Price)
        }
    }

    /// The open lot, if its sealed bids or a draw decide who gets it: the clerk places bids for members.
    pub fn takes_bids(&self) -> Option<&'a DeskLot> {
        self.lot.filter(|lot| lot.decides.is_some() && lot.sale.is_none())
    }

    /// The sentence about what the lot is expected to make, if the price is far from it: the desk asks once.
    pub fn odd(&self) -> Option<&'a str> {
        let lot = self.lot?;
        let price = self.price.as_ref()?.normalized?;
        let high: Normalized = lot.high.parse().ok()?;
        let is_low = || lot.low.parse::<Normalized>().is_ok_and(|low| price <= low);
        (price >= high || is_low()).then_some(lot.expected.as_str())
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
            return match (typed.is_empty(), self.desk.has_more_lots()) {
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
            return match (typed.is_empty(), self.desk.has_more_members()) {
                (true, _) => {
                    self.takes_bids().map_or_else(Line::default, |lot| Line::plain(lot.slips.clone()))
                }
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
        let (words, tone) = match self.verdict() {
            DeskVerdict::Accepted => {
                let (odd, tone) = self.odd().map_or(("", "good"), |odd| (odd, "warning"));
                let enter = match self.takes_bids() {
                    Some(_) => "places the bid",
                    None if self.is_correction => "corrects",
                    None => "sells",
                };
                (format!("{}. {odd}Enter {enter}.", self.price_in_words()), tone)
            }
            DeskVerdict::Overridable => {
                (format!("{} Shift+Enter sells all the same.", self.sentences(price)), "warning")
            }
            _ if price.violations.is_empty() => (format!("{}.", self.price_in_words()), ""),
            _ => (self.sentences(price), "bad"),
        };
        Line { words, tone }
    }

    fn sentences(&self, price: &TypedPrice<'_>) -> String {
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
        if self.takes_bids().is_some_and(|lot| lot.takes_tickets) {
            return counted(amount.unwrap_or_default(), TICKET);
        }
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
fn awaits_answer(calls: &[PendingCall], item_id: &str) -> bool {
    let ends = |call: &PendingCall| call.item_id == item_id && !call.places_bid();
    calls.iter().any(|call| ends(call) && call.state != CallState::Refused)
}

/// What a member can spend on a lot, in base units: less what waits to be sent, and with the own bid, which a
/// higher one replaces, or the own price, which a correction takes back.
fn available(desk: &Desk, calls: &[PendingCall], member: &DeskMember, lot: &DeskLot) -> Option<Normalized> {
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
) -> Option<TypedPrice<'a>> {
    if typed.price.trim().is_empty() {
        return None;
    }
    let currency = desk.currency_of(lot, &typed.currency)?;
    if lot.takes_tickets && !is_correction {
        let tickets: u16 = typed.price.trim().parse().ok()?;
        let amount = Some(Literal::from(tickets.to_string()));
        let form = BidForm { amount, ..BidForm::default() };
        return Some(TypedPrice { currency, form, normalized: None, violations: Vec::new() });
    }
    let form = match typed_price(currency, &typed.price) {
        Ok(form) => form,
        Err(unclear) => {
            return Some(TypedPrice {
                currency,
                form: BidForm::default(),
                normalized: None,
                violations: vec![*unclear],
            });
        }
    };
    // The input phase and the balance apply to a correction, the rules do not.
    let none = ItemTerms::default();
    let (rules, terms) = if is_correction { (&[][..], &none) } else { (&desk.rules[..], &lot.terms) };
    let highest = lot.highest.as_deref().filter(|_| !is_correction).and_then(|highest| highest.parse().ok());
    let rules = RuleSet::compile(&currency.definition(), rules, terms).ok()?;
    let verdict = rules.evaluate(BidContext { highest, available }, &form);
    Some(TypedPrice { currency, form, normalized: verdict.normalized, violations: verdict.violations })
}

/// The lot that is offered after the one with this id: the next open one, or the first.
pub fn next_lot(desk: &Desk, calls: &[PendingCall], after: Option<&str>) -> Option<String> {
    let is_free = |lot: &&DeskLot| {
        // The page may know better than the document.
        let lot = desk.lot_with_id(&lot.item_id).unwrap_or(lot);
        lot.sale.is_none() && !lot.is_held && !awaits_answer(calls, &lot.item_id)
    };
    let later = desk.lists().find_map(|lists| {
        let at = lists.lots.iter().position(|lot| after == Some(&lot.item_id))?;
        lists.lots.iter().skip(at + 1).find(is_free)
    });
    let first = || desk.lists().flat_map(|lists| &lists.lots).find(is_free);
    later.or_else(first).map(|lot| lot.lot_number.clone())
}

#[cfg(test)]
mod tests;
