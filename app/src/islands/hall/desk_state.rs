//! The state of a clerk's desk, and what its keys do.

mod requests;

use std::rc::Rc;

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rules_engine::shape::read_json;

use crate::islands::hall::new_call::{NewCall, OtherEnd};
use crate::islands::hall::typed::{DeskEvaluation, DeskField, DeskVerdict, Line, Typed, next_lot};
use crate::live::browser;
use crate::live::follow::{follow_outbox, follow_page};
use crate::model::{CallState, ClerkOutbox, Desk, PendingCall};

/// Ids of the fields.
const LOT: &str = "field-lot";
const BUYER: &str = "field-number";
const PRICE: &str = "field-price";
const CURRENCY: &str = "field-currencyProfileId";
const OVERRIDE: &str = "field-override";

/// The tone of the question about an odd price.
const WARNING: &str = "warning";

/// The state of the desk. Copies share it.
#[derive(Clone, Copy)]
pub struct DeskState {
    pub desk: RwSignal<Desk>,
    pub outbox: RwSignal<ClerkOutbox>,
    typed: RwSignal<Typed>,
    /// Id of the item whose outcome is corrected.
    correcting: RwSignal<Option<String>>,
    /// The answer to the last key.
    pub said: RwSignal<Line>,
    /// This browser keeps nothing: the form is sent as without JavaScript.
    is_plain_form: RwSignal<bool>,
    /// When what the page has no room for was requested last.
    requested_at: StoredValue<Option<i64>>,
}

impl DeskState {
    /// On a hydrated page the desk follows the page and what this browser keeps.
    pub fn follow(desk: Desk) -> Self {
        let place = format!("{} {}", desk.auction_id, desk.clerk_id);
        let state = Self {
            desk: RwSignal::new(desk),
            outbox: RwSignal::default(),
            typed: RwSignal::default(),
            correcting: RwSignal::default(),
            said: RwSignal::default(),
            is_plain_form: RwSignal::new(false),
            requested_at: StoredValue::new(None),
        };
        follow_page(Rc::new(move |json| {
            if let Ok(desk) = read_json(json) {
                state.show(desk);
            }
        }));
        follow_outbox(
            place,
            Rc::new(move |json| {
                if let Ok(outbox) = read_json(json) {
                    state.change(|| state.outbox.set(outbox));
                }
            }),
        );
        state
    }

    /// Shows a newer page.
    fn show(self, newer: Desk) {
        self.change(|| {
            self.desk.update(|desk| {
                let listed = desk.listed.take().filter(|_| newer.document.is_some());
                *desk = Desk { listed, ..newer };
            });
        });
        self.complete();
    }

    /// Takes news of lots. If the offered lot was called meanwhile, and nothing is typed for it, the next one
    /// is offered.
    fn change(self, change: impl FnOnce()) {
        let can_be_called = || {
            let verdict = self.judge(|it| it.verdict());
            !matches!(verdict, DeskVerdict::Incomplete(DeskField::Lot) | DeskVerdict::Refused(DeskField::Lot))
        };
        let could_be_called = can_be_called();
        change();
        let is_empty = self.typed.with_untracked(|it| it.buyer.is_empty() && it.price.is_empty());
        if could_be_called
            && !can_be_called()
            && is_empty
            && [LOT, BUYER].map(browser::has_focus).contains(&true)
        {
            let called = self.judge(|it| it.lot.map(|lot| lot.item_id.clone()));
            self.offer(called.as_deref());
        }
    }

    /// Applies `read` to what is typed.
    pub fn judge<T>(self, read: impl FnOnce(&DeskEvaluation<'_>) -> T) -> T {
        let (desk, outbox) = (self.desk.read(), self.outbox.read());
        let (correcting, typed) = (self.correcting.read(), self.typed.read());
        read(&DeskEvaluation::new(&desk, &outbox.unanswered(&desk), correcting.as_deref(), &typed))
    }

    /// Reads the fields.
    pub fn read(self) {
        let typed = Typed {
            lot: browser::typed(LOT),
            buyer: browser::typed(BUYER),
            price: browser::typed(PRICE),
            currency: browser::typed(CURRENCY),
        };
        if self.typed.with_untracked(|before| *before != typed) {
            self.typed.set(typed);
            self.said.set(Line::default());
        }
    }

    /// Writes the fields.
    fn write(self, typed: Typed) {
        browser::write(LOT, &typed.lot);
        browser::write(BUYER, &typed.buyer);
        browser::write(PRICE, &typed.price);
        if !typed.currency.is_empty() {
            browser::write(CURRENCY, &typed.currency);
        }
        browser::untick(OVERRIDE);
        self.typed.set(typed);
    }

    fn say(self, words: &str, tone: &'static str) {
        self.said.set(Line { words: words.to_owned(), tone });
    }

    /// The form is sent as without JavaScript.
    fn is_for_the_server(self) -> bool {
        self.is_plain_form.get() || self.judge(|it| it.is_for_the_server())
    }

    pub fn press(self, event: &KeyboardEvent) {
        let key = event.key();
        let field = event.target().map(|target| browser::id_of(&target)).unwrap_or_default();
        let part = match field.as_str() {
            LOT => Some(DeskField::Lot),
            BUYER => Some(DeskField::Buyer),
            PRICE => Some(DeskField::Price),
            _ => None,
        };
        match (key.as_str(), part) {
            // A key that is held down answers no question.
            ("Enter", Some(DeskField::Price)) if event.repeat() => {}
            ("Enter", Some(DeskField::Price)) if self.is_for_the_server() => return,
            ("Enter", Some(part)) => self.enter(part, event.shift_key()),
            ("F2", _) => self.end(OtherEnd::SoldToLeader),
            ("F4", _) => self.end(OtherEnd::Passed),
            ("F8", _) => self.hold(),
            ("F9", _) => self.undo(),
            ("Escape", _) if self.correcting.with(Option::is_some) => self.offer(None),
            _ => return,
        }
        event.prevent_default();
    }

    /// Enter moves on; in the last field it sells.
    fn enter(self, part: DeskField, overrides: bool) {
        match part {
            DeskField::Lot => match self.judge(|it| it.verdict()) {
                DeskVerdict::Incomplete(DeskField::Lot) | DeskVerdict::Refused(DeskField::Lot)
                    if !self.is_for_the_server() =>
                {
                    self.refuse(DeskField::Lot);
                }
                _ => {
                    self.put_on_block();
                    browser::select(BUYER);
                }
            },
            DeskField::Buyer => match self.judge(|it| it.verdict()) {
                DeskVerdict::Incomplete(DeskField::Buyer) | DeskVerdict::Refused(DeskField::Buyer) => {
                    self.refuse(DeskField::Buyer)
                }
                _ => browser::select(PRICE),
            },
            DeskField::Price => self.sell(overrides || browser::is_ticked(OVERRIDE)),
        }
    }

    pub fn submit(self, event: &SubmitEvent) {
        let call = event.submitter().and_then(|button| button.get_attribute("value"));
        let call = call.as_deref().unwrap_or("SOLD");
        if self.is_for_the_server() {
            return;
        }
        event.prevent_default();
        match call {
            "LEADER" => self.end(OtherEnd::SoldToLeader),
            "PASSED" => self.end(OtherEnd::Passed),
            "BLOCK" => self.put_on_block(),
            "HOLD" => self.hold(),
            _ => self.sell(browser::is_ticked(OVERRIDE)),
        }
    }

    fn sell(self, overrides: bool) {
        let (verdict, call, is_odd) = self.judge(|it| {
            let verdict = it.verdict();
            (verdict, it.sale(verdict == DeskVerdict::Overridable), it.odd().is_some())
        });
        let may_sell = verdict == DeskVerdict::Accepted || (verdict == DeskVerdict::Overridable && overrides);
        match (call.filter(|_| may_sell), verdict) {
            // The question is the only warning, and goes with the next key.
            (Some(_), _) if is_odd && self.said.with_untracked(|said| said.tone != WARNING) => {
                self.say("Is the price right? Once more sells.", WARNING);
            }
            (Some(call), _) => self.keep(call),
            (None, DeskVerdict::Incomplete(part) | DeskVerdict::Refused(part)) => self.refuse(part),
            (None, DeskVerdict::Accepted | DeskVerdict::Overridable) => self.refuse(DeskField::Price),
        }
    }

    fn end(self, end: OtherEnd) {
        match (self.judge(|it| it.other(end)), end) {
            (Some(call), _) => self.keep(call),
            (None, OtherEnd::SoldToLeader) if self.judge(|it| it.lot_line().tone != "bad") => {
                self.say("Nobody has bid on this lot: enter number and price.", "bad");
            }
            (None, _) => self.refuse(DeskField::Lot),
        }
    }

    /// Says what is wrong with a field, and focuses it.
    fn refuse(self, part: DeskField) {
        let (id, line, missing) = match part {
            DeskField::Lot => (LOT, self.judge(|it| it.lot_line()), "Enter the number of a lot."),
            DeskField::Buyer => (BUYER, self.judge(|it| it.buyer_line()), "Enter the number of the buyer."),
            DeskField::Price => (PRICE, self.judge(|it| it.price_line()), "Enter the price."),
        };
        browser::select(id);
        // The line of the field says the rest.
        if line.tone.is_empty() {
            self.say(missing, "bad");
        }
    }

    /// Keeps a call, which is sent in its turn, and offers the next lot.
    fn keep(self, new: NewCall) {
        let typed = self.typed.get_untracked();
        let call = new.to_json(&typed, &browser::random_key());
        if new.is_bid {
            // The next slip may be for the same lot.
            self.said.set(Line::default());
            self.write(Typed {
                lot: typed.lot.clone(),
                currency: typed.currency.clone(),
                ..Typed::default()
            });
            browser::select(BUYER);
        } else {
            self.offer(Some(&new.item_id));
        }
        spawn_local(async move {
            if browser::keep_call(&call).await.is_err() {
                self.write(typed);
                self.is_plain_form.set(true);
                self.say("This browser keeps nothing: press Enter again to send it at once.", "bad");
            }
        });
    }

    /// Empties the fields, and offers the lot after the one with this id.
    fn offer(self, after: Option<&str>) {
        self.correcting.set(None);
        self.said.set(Line::default());
        let next = self.desk.with_untracked(|desk| {
            next_lot(desk, &self.outbox.with_untracked(|outbox| outbox.unanswered(desk)), after)
        });
        let currency = self.typed.with_untracked(|typed| typed.currency.clone());
        self.write(Typed { lot: next.unwrap_or_default(), currency, ..Typed::default() });
        browser::select(LOT);
    }

    /// Takes back the last call that is not sent, or begins to correct the last one, or the typed one.
    pub fn undo(self) {
        let closed = self.judge(|it| it.lot.filter(|lot| lot.sale.is_some()).map(|lot| lot.item_id.clone()));
        let last = self.outbox.with_untracked(|outbox| {
            let open = outbox.calls.iter().filter(|call| call.state != CallState::Refused);
            open.max_by_key(|call| call.order).cloned()
        });
        match (closed, last) {
            (Some(item_id), _) => self.correct(&item_id),
            (None, Some(call)) if call.state == CallState::Waiting => self.take_back(call),
            (None, Some(call)) if call.state == CallState::Sending => {
                self.say("The last call may have arrived: undo it once it is answered.", "bad");
            }
            (None, Some(call)) if call.places_bid() => {
                self.say("The bid is placed: it is taken back on the page of the item.", "bad");
            }
            (None, Some(PendingCall { item_id, .. })) => self.correct(&item_id),
            (None, None) => match self.desk.with_untracked(|desk| desk.last.clone()) {
                Some(item_id) => self.correct(&item_id),
                None => self.say("There is nothing to undo.", "bad"),
            },
        }
    }

    /// Begins to correct the outcome of a lot.
    fn correct(self, item_id: &str) {
        let found = self.desk.with_untracked(|desk| {
            let lot = desk.lot_with_id(item_id)?;
            let sale = lot.sale.as_ref()?;
            Some(Typed {
                lot: lot.lot_number.clone(),
                buyer: sale.buyer.clone().unwrap_or_default(),
                price: sale.price.clone().unwrap_or_default(),
                currency: sale.currency_id.clone().unwrap_or_default(),
            })
        });
        let Some(typed) = found else {
            return self.say("The last call is not shown yet: try again.", "bad");
        };
        self.write(typed);
        self.correcting.set(Some(item_id.to_owned()));
        browser::select(BUYER);
    }

    /// Takes back a call that is not sent, or that the server refused, and writes it into the fields again.
    pub fn take_back(self, call: PendingCall) {
        spawn_local(async move {
            if !browser::take_back_call(call.order).await {
                return self.say("It is sent already: correct it once it is answered.", "bad");
            }
            let PendingCall { item_id, lot, buyer, price, currency, is_correction, .. } = call;
            self.write(Typed { lot, buyer, price, currency });
            self.correcting.set(is_correction.then_some(item_id));
            self.say("Taken back. Change it, or leave it out.", "");
            browser::select(BUYER);
        });
    }

    /// Forgets a call that the server refused.
    pub fn dismiss(order: u64) {
        spawn_local(async move {
            browser::take_back_call(order).await;
        });
    }
}
