//! What forms say of the terms of an auction.

use std::sync::Arc;

use app::components::subjects::SUBJECT;

use crate::pages::form::Form;
use crate::pages::unit_form::base_unit;
use auction_house::auctions::AuctionTerms;
use platform::body::Body;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;
use platform::shape::{self, SubmittedForm};

/// The members of each subject of the settings.
const SUBJECTS: [(&str, &[&str]); 4] = [
    ("about", &["name", "description", "collection"]),
    ("people", &["joinMode", "bidderVisibility", "readableBy", "memberCanInvite", "groupId"]),
    (
        "end",
        &[
            "itemEndMode",
            "defaultAntiSnipe",
            "defaultAntiSnipeThreshold",
            "defaultAntiSnipeExtension",
            "endDate",
        ],
    ),
    ("money", &["baseUnit", "bookId", "currencyCode", GOAL]),
];
const GOAL: &str = "goal";

/// The terms that a form gives a new auction.
pub struct TermsForm(pub Arc<Form>);

/// The terms of one subject of the settings, or of all.
pub struct PartForm {
    pub form: Arc<Form>,
    /// The goal as the API takes it.
    pub goal: Option<String>,
}

/// A form of a subject, or of all. A field that it does not send is empty.
struct SubjectForm<'f> {
    form: &'f Form,
    members: Option<&'static [&'static str]>,
}

impl SubmittedForm for SubjectForm<'_> {
    fn given(&self, name: &str) -> Option<&str> {
        self.form.get(name)
    }

    fn has(&self, name: &str) -> bool {
        self.members.is_none_or(|members| members.contains(&name))
    }

    fn moment(&self, name: &str) -> Result<Option<String>, FieldError> {
        self.form.moment(name)
    }
}

impl Body for PartForm {
    fn read(self) -> Result<Object, Problem> {
        let subject = self.form.get(SUBJECT);
        let members = SUBJECTS.iter().find(|(name, _)| Some(*name) == subject).map(|(_, members)| *members);
        let form = SubjectForm { form: &self.form, members };
        let mut object = terms(&form)?;
        if form.has(GOAL) {
            object.set(GOAL, &self.goal);
        }
        Ok(object)
    }
}

impl Body for TermsForm {
    fn read(self) -> Result<Object, Problem> {
        terms(&SubjectForm { form: &self.0, members: None })
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.0.keyed()
    }
}

/// An empty field is null: it removes the member.
fn terms(form: &SubjectForm<'_>) -> Result<Object, Problem> {
    let (mut object, errors) = shape::from_form::<AuctionTerms>(form, &[], "whole seconds");
    if form.has("baseUnit") {
        object.set("baseUnit", &base_unit(form.form));
    }
    if errors.is_empty() { Ok(object) } else { Err(Problem::fields(errors)) }
}
