//! What forms say of the terms of an auction.

use std::sync::Arc;

use crate::pages::form::Form;
use crate::pages::unit_form::base_unit;
use auction_house::auctions::AuctionTerms;
use platform::body::Body;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;
use platform::shape::{self, SubmittedForm};

/// Boxes of the form, each with a field that is sent beside it.
const BOXES: &[(&str, &str)] =
    &[("memberCanInvite", "readableBy"), ("defaultAntiSnipe", "defaultAntiSnipeThreshold")];

/// The terms that a form gives a new auction.
pub struct TermsForm(pub Arc<Form>);

/// The terms that a form of the settings changes: those that it has fields for.
pub struct PartForm {
    pub form: Arc<Form>,
    /// The goal as the API takes it.
    pub goal: Option<String>,
}

impl Body for PartForm {
    fn read(self) -> Result<Object, Problem> {
        let mut object = terms(&self.form)?;
        if self.form.has("goal") {
            object.set("goal", &self.goal);
            // An auction with currencies of its own has no field for it.
            object.set("currencyCode", &self.form.get("currencyCode"));
        }
        Ok(object)
    }
}

impl Body for TermsForm {
    fn read(self) -> Result<Object, Problem> {
        terms(&self.0)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.0.keyed()
    }
}

/// An empty field is null: it removes the member.
fn terms(form: &Form) -> Result<Object, Problem> {
    let (mut object, errors) = shape::from_form::<AuctionTerms>(form, BOXES, "whole seconds");
    if form.has("baseUnitName") {
        object.set("baseUnit", &base_unit(form));
    }
    if errors.is_empty() { Ok(object) } else { Err(Problem::fields(errors)) }
}
