//! Sends a bid to the server and shows the result.

use leptos::prelude::*;
use leptos::task::spawn_local;
use rules_engine::Violation;
use rules_engine::shape::read_json;

use crate::islands::items::advice;
use crate::islands::items::board::sign_in_link;
use crate::islands::items::form_state::BidFormState;
use crate::live::board::{LiveBoard, path};
use crate::live::wire::{BidAnswer, NewBidBody, Problem, SealedAnswer};
use crate::live::{apply, browser};
use crate::model::BidBoard;

/// The result of the last bid that was sent.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum SendStatus {
    #[default]
    None,
    /// The bid was placed: its sequence and the entered representation as text.
    Placed(u64, String),
    /// The sealed bid stands: the entered representation as text.
    Sealed(String),
    /// The session has expired. The typed bid is kept.
    SignIn,
    /// The server refused the bid, with this explanation.
    Refused(String),
    /// The server did not respond.
    Unreachable,
}

/// Sends the typed bid. Copies share the state.
#[derive(Clone)]
pub struct Sender {
    form: BidFormState,
    live: LiveBoard,
    /// A request is pending.
    pub busy: RwSignal<bool>,
    pub status: RwSignal<SendStatus>,
    /// Body and idempotency key of a request without a response. Repeating it places no second bid.
    unanswered: RwSignal<Option<(String, String)>>,
}

impl Sender {
    pub fn new(form: BidFormState, live: LiveBoard) -> Self {
        let (busy, status, unanswered) = Default::default();
        Self { form, live, busy, status, unanswered }
    }

    /// The viewer has the highest bid.
    pub fn leads(&self) -> bool {
        self.live.leads()
    }

    /// Sends the bid, unless the evaluation refuses it, or it is unusual and was not asked about: then it
    /// is. A bid without a response is always sent again: it may have been placed, and then breaks the
    /// rules only against itself.
    pub fn send(&self, anonymous: Option<bool>) {
        if self.busy.get_untracked() {
            return;
        }
        let Some(body) = self.body(anonymous) else {
            return;
        };
        let kept = self.unanswered.get_untracked().filter(|(sent, _)| *sent == body);
        let evaluation = self.form.evaluation.get_untracked();
        if kept.is_none() && !evaluation.accepted() {
            self.status.set(SendStatus::None);
            self.form.submitted.set(true);
            browser::focus(&self.form.first_problem());
            return;
        }
        let asked = self.form.asked.get_untracked();
        if let Some(unusual) = evaluation.unusual.filter(|it| kept.is_none() && it.amount != asked) {
            self.status.set(SendStatus::None);
            self.form.asked.set(unusual.amount);
            return;
        }
        let key = kept.map_or_else(browser::random_key, |(_, key)| key);
        self.unanswered.set(Some((body.clone(), key.clone())));
        self.busy.set(true);
        let sender = self.clone();
        spawn_local(async move {
            let url = format!("{}/bids", sender.live.board.with_untracked(path));
            let status = match browser::post(&url, &body, &key).await {
                Ok(answer) => {
                    sender.unanswered.set(None);
                    sender.result(answer.status, &answer.body)
                }
                Err(browser::Unreachable) => SendStatus::Unreachable,
            };
            sender.status.set(status);
            sender.busy.set(false);
        });
    }

    fn body(&self, anonymous: Option<bool>) -> Option<String> {
        let texts = self.form.texts();
        let at = self.form.selected.get_untracked();
        self.form.with_evaluator(at, |evaluator| {
            let currency_profile_id = evaluator.currency.profile_id.clone();
            NewBidBody { currency_profile_id, bid: evaluator.bid(&texts), is_anonymous: anonymous }.to_json()
        })
    }

    fn result(&self, code: u16, body: &str) -> SendStatus {
        if code == 201 && self.live.board.with_untracked(BidBoard::is_sealed) {
            let Ok(bid) = read_json::<SealedAnswer>(body) else {
                return SendStatus::None;
            };
            self.form.clear();
            return SendStatus::Sealed(self.live.add_sealed(&bid));
        }
        if code == 201 {
            let Ok(bid) = read_json::<BidAnswer>(body) else {
                return SendStatus::None;
            };
            self.form.clear();
            self.live.add_bid(&bid);
            let words = self.live.board.with_untracked(|board| apply::row(board, &bid).entered);
            return SendStatus::Placed(bid.sequence, words);
        }
        if code == 401 {
            return SendStatus::SignIn;
        }
        let problem: Problem = read_json(body).unwrap_or_default();
        let violations = problem.details.and_then(|details| details.violations).unwrap_or_default();
        if violations.is_empty() {
            let default = "The bid was not placed. Please try again.";
            return SendStatus::Refused(problem.detail.unwrap_or_else(|| default.to_owned()));
        }
        SendStatus::Refused(self.sentences(&violations))
    }

    fn sentences(&self, violations: &[Violation]) -> String {
        let at = self.form.selected.get_untracked();
        let sentences = self.form.with_evaluator(at, |evaluator| {
            let sentence = |violation| advice::sentence(violation, &evaluator.currency, &self.form.unit);
            violations.iter().map(sentence).collect::<Vec<_>>().join(" ")
        });
        sentences.unwrap_or_default()
    }
}

/// The result in one line. It says that the bid leads only while it does.
#[component]
pub fn SendStatusLine(sender: Sender) -> impl IntoView {
    let Sender { status, live, .. } = sender;
    let leads =
        move |sequence| live.board.with(|board| board.leading().map(|bid| bid.sequence) == Some(sequence));
    let line = move || match status.get() {
        SendStatus::None => ("", String::new()),
        SendStatus::Placed(sequence, words) if leads(sequence) => {
            ("good", format!("Your bid of {words} leads."))
        }
        SendStatus::Placed(_, words) => ("", format!("Your bid of {words} was placed and leads no longer.")),
        SendStatus::Sealed(words) => {
            ("good", format!("Your bid of {words} stands. Nobody else sees it before the end."))
        }
        SendStatus::SignIn => ("bad", "You are signed out. The bid was not placed. ".to_owned()),
        SendStatus::Refused(words) => ("bad", words),
        SendStatus::Unreachable => {
            ("bad", "No answer. Press Place bid again: it can’t count twice.".to_owned())
        }
    };
    let link = live.board.with_untracked(sign_in_link);
    let is_signed_in = Signal::derive(move || status.with(|status| *status != SendStatus::SignIn));
    let class = Signal::derive(move || format!("bid-status {}", line().0));
    let words = Signal::derive(move || line().1);
    view! {
        <p class=class role="status">
            {words}
            <a href=link hidden=is_signed_in>
                "Sign in again"
            </a>
        </p>
    }
}
