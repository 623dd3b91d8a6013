//! The body of a request for a run.

use rules_engine::pot::{Decay, RunParams};
use serde_json::value::RawValue;

use super::BookRunKind;
use crate::engine::field_errors;
use crate::engine_schema::RunParamsSchema;
use platform::fields::{FieldError, Fields, Object};
use platform::shape::{self, Members, Shape};
use platform::text::{composed, is_hidden};

const KIND: &str = "kind";
const PARAMS: &str = "params";
const REASON: &str = "reason";
const EXPECT: &str = "expect";

/// What a run or its preview is to do, as a request describes it.
#[derive(Debug, Clone, Default)]
struct PreviewBody {
    kind: Option<BookRunKind>,
    params: Option<Box<RawValue>>,
    expect: Option<String>,
}

impl Shape for PreviewBody {
    const NAME: &'static str = "NewBookRunPreview";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .required(KIND, &mut self.kind)
            .of::<BookRunKind>()
            .about("SHARE or DECAY: grants to several holders and imports become runs by themselves.");
        members.required(PARAMS, &mut self.params).of::<RunParamsSchema>();
        members
            .optional_line(EXPECT, 1..=64, &mut self.expect)
            .about("The `hash` of the preview: 409 `CHANGED` if the run would do something else.");
    }
}

/// A run as a request describes it.
#[derive(Debug, Clone, Default)]
pub struct RunBody {
    asked: PreviewBody,
    reason: String,
}

impl Shape for RunBody {
    const NAME: &'static str = "NewBookRun";

    fn members(&mut self, members: &mut Members<'_>) {
        self.asked.members(members);
        members.text(REASON, 1..=500, &mut self.reason);
    }
}

/// A run that is asked for.
#[derive(Debug)]
pub struct AskedRun {
    pub params: RunParams,
    pub reason: String,
    pub expect: Option<String>,
}

impl AskedRun {
    pub fn parse(object: Object) -> Result<Self, Vec<FieldError>> {
        let mut fields = Fields::of(object);
        let mut body = RunBody::default();
        shape::read(&mut body, &mut fields);
        let RunBody { asked: PreviewBody { kind, params, expect }, reason } = body;
        Ok(Self { params: read_params(kind, params, fields)?, reason, expect })
    }
}

/// Reads what a preview is asked for, which needs no reason.
pub fn parse_preview(object: Object) -> Result<RunParams, Vec<FieldError>> {
    let mut object = object;
    if object.gives(REASON) {
        return Ok(AskedRun::parse(object)?.params);
    }
    object.remove(REASON);
    let mut fields = Fields::of(object);
    let mut body = PreviewBody::default();
    shape::read(&mut body, &mut fields);
    read_params(body.kind, body.params, fields)
}

/// Reads the parameters of a body whose members were read from `fields`, or reports all of its errors.
fn read_params(
    kind: Option<BookRunKind>,
    params: Option<Box<RawValue>>,
    mut fields: Fields,
) -> Result<RunParams, Vec<FieldError>> {
    let kind = match kind {
        Some(BookRunKind::Share) => Some(rules_engine::pot::RunKind::Share),
        Some(BookRunKind::Decay) => Some(rules_engine::pot::RunKind::Decay),
        Some(BookRunKind::Grant | BookRunKind::Import) => {
            fields.error(KIND, "must be SHARE or DECAY");
            None
        }
        None => None,
    };
    let mut read = None;
    if let Some((kind, params)) = kind.zip(params) {
        match RunParams::parse(kind, params.get()) {
            Ok(mut params) => {
                if let RunParams::Decay(Decay { period: Some(period), .. }) = &mut params {
                    match same_period(period) {
                        Some(same) => *period = same,
                        None => fields.error("params.period", "must have visible characters only"),
                    }
                }
                read = Some(params);
            }
            Err(errors) => fields.add(field_errors(errors).into_iter().map(within)),
        }
    }
    fields.finish()?;
    // INVARIANT: a body without an error has parameters.
    read.ok_or_else(Vec::new)
}

/// A period in the form in which it is compared: in normal form, without blanks around it. None for one with
/// invisible characters.
fn same_period(typed: &str) -> Option<String> {
    let period = composed(typed.trim());
    (!period.is_empty() && !period.chars().any(is_hidden)).then_some(period)
}

/// An error of the parameters, or of one of them.
pub fn within(error: FieldError) -> FieldError {
    if error.path.is_empty() { FieldError { path: PARAMS.to_owned(), ..error } } else { error.within(PARAMS) }
}
