//! A bid on its way to the server, and what came of it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use rules_engine::Violation;

use crate::live::board::{LiveBoard, path};
use crate::live::wire::{BidAnswer, BidRequest, Problem};
use crate::live::{apply, browser};
use crate::pages::items::advice;
use crate::pages::items::entry::Entry;

/// What came of the last bid that was sent.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Outcome {
    #[default]
    None,
    /// The server has it: its number, and what was entered in words.
    Placed(u64, String),
    /// The session ran out. What was typed is kept.
    SignIn,
    /// The server refused it, in these words.
    Refused(String),
    /// No answer came.
    Unreachable,
}

/// Sends what is typed. Copies send for the same form.
#[derive(Clone)]
pub struct Sender {
    entry: Entry,
    live: LiveBoard,
    /// A bid is on its way.
    pub busy: RwSignal<bool>,
    pub outcome: RwSignal<Outcome>,
    /// The bid that may or may not have arrived, with its key: sent again as it is, it counts once.
    unanswered: RwSignal<Option<(String, String)>>,
}

impl Sender {
    pub fn new(entry: Entry, live: LiveBoard) -> Self {
        let (busy, outcome, unanswered) = Default::default();
        Self { entry, live, busy, outcome, unanswered }
    }

    /// Sends the bid, unless the engine already knows that it would be refused. One that may have arrived is
    /// sent again in any case: what it seems to break may be itself.
    pub fn send(&self, anonymous: Option<bool>) {
        if self.busy.get_untracked() {
            return;
        }
        let Some(body) = self.body(anonymous) else {
            return;
        };
        let kept = self.unanswered.get_untracked().filter(|(sent, _)| *sent == body);
        let judgement = self.entry.judgement.get_untracked();
        if kept.is_none() && !judgement.accepted() {
            self.outcome.set(Outcome::None);
            self.entry.tried.set(true);
            browser::focus(&self.entry.first_problem());
            return;
        }
        let key = kept.map_or_else(browser::random_key, |(_, key)| key);
        self.unanswered.set(Some((body.clone(), key.clone())));
        self.busy.set(true);
        let sender = self.clone();
        spawn_local(async move {
            let url = format!("{}/bids", sender.live.board.with_untracked(path));
            let outcome = match browser::post(&url, &body, &key).await {
                Ok(answer) => {
                    sender.unanswered.set(None);
                    sender.read(answer.status, &answer.body)
                }
                Err(browser::Unreachable) => Outcome::Unreachable,
            };
            sender.outcome.set(outcome);
            sender.busy.set(false);
        });
    }

    fn body(&self, anonymous: Option<bool>) -> Option<String> {
        let texts = self.entry.texts();
        let request = |profile_id, bid| BidRequest::new(profile_id, bid, anonymous);
        let at = self.entry.selected.get_untracked();
        let request = self
            .entry
            .with_judge(at, |judge| request(judge.currency.profile_id.clone(), judge.bid(&texts)))?;
        serde_json::to_string(&request).ok()
    }

    fn read(&self, status: u16, body: &str) -> Outcome {
        if status == 201 {
            let Ok(bid) = serde_json::from_str::<BidAnswer>(body) else {
                return Outcome::None;
            };
            self.entry.clear();
            self.live.take_in(&bid);
            let words = self.live.board.with_untracked(|board| apply::row(board, &bid).entered);
            return Outcome::Placed(bid.sequence, words);
        }
        if status == 401 {
            return Outcome::SignIn;
        }
        let problem: Problem = serde_json::from_str(body).unwrap_or_default();
        let violations = problem.details.map(|details| details.violations).unwrap_or_default();
        if violations.is_empty() {
            let nothing = "The bid was not placed. Nothing is lost: try again in a moment.";
            let detail = if problem.detail.is_empty() { nothing.to_owned() } else { problem.detail };
            return Outcome::Refused(detail);
        }
        Outcome::Refused(self.sentences(&violations))
    }

    fn sentences(&self, violations: &[Violation]) -> String {
        let at = self.entry.selected.get_untracked();
        let sentences = self.entry.with_judge(at, |judge| {
            let sentence = |violation| advice::sentence(violation, &judge.currency, &self.entry.unit);
            violations.iter().map(sentence).collect::<Vec<_>>().join(" ")
        });
        sentences.unwrap_or_default()
    }
}

/// One line. That a bid leads is only said while it does.
#[component]
pub fn OutcomeLine(sender: Sender) -> impl IntoView {
    let Sender { outcome, live, .. } = sender;
    let leads =
        move |sequence| live.board.with(|board| board.bids.first().map(|bid| bid.sequence) == Some(sequence));
    let said = move || match outcome.get() {
        Outcome::None => ("", String::new()),
        Outcome::Placed(sequence, words) if leads(sequence) => {
            ("good", format!("Your bid of {words} leads."))
        }
        Outcome::Placed(_, words) => ("", format!("Your bid of {words} was placed, and has been outbid.")),
        Outcome::SignIn => ("bad", "You are signed out, and the bid was not placed. ".to_owned()),
        Outcome::Refused(words) => ("bad", words),
        Outcome::Unreachable => {
            let words =
                "No answer: the bid may or may not have arrived. Place it again, it counts only once.";
            ("bad", words.to_owned())
        }
    };
    let link = live.board.with_untracked(|board| {
        format!("/sign-in?next=/auctions/{}/items/{}", board.auction_id, board.item_id)
    });
    let sign_in = move || {
        let out = outcome.with(|outcome| *outcome == Outcome::SignIn);
        out.then(|| view! { <a href=link.clone()>"Sign in again"</a> })
    };
    view! {
        <p class=move || format!("bid-outcome {}", said().0) role="status">
            {move || said().1}
            {sign_in}
        </p>
    }
}
