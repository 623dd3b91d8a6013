//! Forms that pages post. Their handlers call the verbs of the JSON API.

use std::collections::BTreeSet;
use std::sync::Arc;

use app::components::moment_field::{shown_field, zone_field};
use app::components::money::typed_number;
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::codes;
use platform::body::Body;
use platform::fields::Object;
use platform::http::body::{media_type, receive};
use platform::http::problem::{Code, FieldError, Problem};
use platform::http::upload::Received;
use platform::idempotency::{IdempotencyKey, KeyedRequest, NotAnIdempotencyKey};
use platform::precondition::Precondition;
use platform::shape::SubmittedForm;
use platform::time::Moment;
use platform::zone::{LocalTimeError, Zone};

/// The body that a form describes, with the form's idempotency key.
pub struct FormBody {
    pub object: Object,
    pub form: Arc<Form>,
}

impl Body for FormBody {
    fn read(self) -> Result<Object, Problem> {
        Ok(self.object)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.form.keyed()
    }
}

/// Media type of a submitted form.
const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";
/// Maximum of rows of one list in a form.
const ROWS_MAX: usize = 64;

/// The submitted fields, or the problem if the body can't be read.
#[derive(Debug)]
pub struct Form {
    fields: Result<Vec<(String, String)>, Problem>,
    /// The request without its body, from which the page of a refused form is requested.
    pub(super) parts: Parts,
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Self::Rejection> {
        let (parts, body) = request.into_parts();
        let fields = match receive(body).await {
            Ok(_) if !media_type(&parts.headers).eq_ignore_ascii_case(MEDIA_TYPE) => Err(Problem::new(
                codes::UNSUPPORTED_MEDIA_TYPE,
                "Send the form as `Content-Type: application/x-www-form-urlencoded`.",
            )),
            Ok(bytes) => serde_urlencoded::from_bytes(&bytes)
                .map_err(|_| Problem::field("", "The form can't be read.")),
            Err(problem) => Err(problem),
        };
        Ok(Self { fields, parts })
    }
}

impl Form {
    /// A form of files, whose fields are not shown again.
    pub fn without_fields(parts: Parts) -> Self {
        Self::with_fields(parts, Vec::new())
    }

    /// A form of files, with the fields that are shown again.
    pub fn with_fields(parts: Parts, fields: Vec<(String, String)>) -> Self {
        Self { fields: Ok(fields), parts }
    }

    /// A form that came with files. It shows that there were files by their names.
    pub fn with_files(received: &Received, field: &str, parts: Parts) -> Self {
        let files = received.files.iter().map(|file| (field.to_owned(), file.name.clone()));
        Self::with_fields(parts, received.texts.iter().cloned().chain(files).collect())
    }

    /// Whether the form could be read. If not, its fields are empty.
    pub fn check(&self) -> Result<(), Problem> {
        self.fields.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// A typed number as the API takes it.
    pub fn typed(&self, text: &str) -> String {
        typed_number(text, false)
    }

    /// The number in the first field of this name, as the API takes it: a decimal comma becomes a point.
    pub fn number(&self, name: &str) -> Option<String> {
        self.get(name).map(|text| self.typed(text))
    }

    /// All fields in the order in which they were submitted.
    pub fn fields(&self) -> &[(String, String)] {
        self.fields.as_deref().unwrap_or_default()
    }

    /// The first field of this name. An empty field counts as absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.fields().iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Indices of the submitted rows of a list, each once: 3 for `denominations.3.code`.
    pub fn rows(&self, list: &str) -> impl Iterator<Item = usize> {
        let row = |name: &str| name.strip_prefix(list)?.strip_prefix('.')?.split('.').next()?.parse().ok();
        let rows: BTreeSet<usize> = self.fields().iter().filter_map(|(name, _)| row(name)).collect();
        rows.into_iter().take(ROWS_MAX)
    }

    /// The form's idempotency key, with all fields as the body that it identifies.
    pub fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        let Some(key) = self.get("idempotencyKey") else { return Ok(None) };
        let invalid = |message: String| Problem::field("idempotencyKey", message);
        let key: IdempotencyKey =
            key.parse().map_err(|error: NotAnIdempotencyKey| invalid(error.to_string()))?;
        let sent = serde_urlencoded::to_string(self.fields()).map_err(|error| invalid(error.to_string()))?;
        Ok(Some(KeyedRequest::new(key, sent.as_bytes())))
    }

    /// The moment that a field for a date and a time holds, as the API takes it. The field comes with its
    /// time zone and with the moment that it showed at first: unchanged, it still means that moment, to the
    /// millisecond.
    pub fn moment(&self, name: &str) -> Result<Option<String>, FieldError> {
        let Some(local) = self.get(name) else { return Ok(None) };
        let zone = self.get(&zone_field(name)).and_then(Zone::named).unwrap_or_default();
        let shown = self.get(&shown_field(name)).and_then(|shown| shown.parse::<Moment>().ok());
        let moment = match shown.filter(|shown| zone.local(*shown) == local) {
            Some(shown) => shown,
            None => zone.moment(local).map_err(|error| match error {
                LocalTimeError::Invalid => FieldError::new(name, error.to_string()),
                LocalTimeError::Skipped => FieldError::explained(
                    name,
                    "This time does not exist: the clocks go forward past it. Choose another.",
                ),
            })?,
        };
        Ok(Some(moment.to_string()))
    }

    /// The first field of this name. An absent field counts as empty text, for members that must not be
    /// empty.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or("")
    }
}

impl SubmittedForm for Form {
    fn given(&self, name: &str) -> Option<&str> {
        self.get(name)
    }

    fn has(&self, name: &str) -> bool {
        self.fields().iter().any(|(field, _)| field == name)
    }

    fn moment(&self, name: &str) -> Result<Option<String>, FieldError> {
        self.moment(name)
    }
}

/// A body whose members are the fields of these names. Empty fields are absent.
pub fn texts(form: &Form, names: &[&str]) -> Object {
    let mut object = Object::default();
    set_texts(&mut object, form, names);
    object
}

/// Adds the fields of these names to a body. Empty fields are absent.
pub fn set_texts(object: &mut Object, form: &Form, names: &[&str]) {
    for name in names {
        if let Some(text) = form.get(name) {
            object.set(name, &text);
        }
    }
}

/// The problem with paths in the form's names, given as pairs of member and field.
pub fn renamed(mut problem: Problem, names: &[(&str, &str)]) -> Problem {
    for field in &mut problem.fields {
        if let Some((_, name)) = names.iter().find(|(member, _)| *member == field.path) {
            field.path = (*name).to_owned();
        }
    }
    problem
}

/// The problem, beside a field if it has this code.
pub fn beside(field: &str, code: Code, mut problem: Problem) -> Problem {
    if problem.code == code {
        let said = match code {
            codes::EMAIL_TAKEN => "There is already an account with this e-mail.",
            _ => &problem.detail,
        };
        problem.fields = vec![FieldError::explained(field, said)];
    }
    problem
}

/// The problem of a form whose proof is the PIN in the field `pin`.
pub fn beside_pin(mut problem: Problem) -> Problem {
    if problem.code == codes::WRONG_PASSWORD {
        problem.fields = vec![FieldError::explained("pin", "The PIN is wrong.")];
    }
    problem
}

/// The problem with the rows of the form instead of the indices of a list. `rows` are the rows of its
/// entries, because empty rows are not sent.
pub fn renamed_rows(mut problem: Problem, list: &str, rows: &[usize]) -> Problem {
    for field in &mut problem.fields {
        let Some(rest) = field.path.strip_prefix(list).and_then(|rest| rest.strip_prefix('.')) else {
            continue;
        };
        let (entry, part) = rest.split_once('.').unwrap_or((rest, ""));
        if let Some(row) = entry.parse::<usize>().ok().and_then(|entry| rows.get(entry)) {
            field.path = format!("{list}.{row}.{part}");
        }
    }
    problem
}

/// The version that the form shows and changes.
pub fn meant_for(form: &Form) -> Precondition {
    let version = form.get("version").and_then(|version| version.parse().ok());
    version.map_or(Precondition::None, |version| Precondition::OneOf(vec![version]))
}

/// Redirects to `path` after a form was accepted.
pub fn see_other(path: &str) -> Response {
    let location = HeaderValue::from_str(path).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

/// `path` if it is the path of a page of this site, and not of another one.
pub fn local(path: Option<&str>) -> Option<&str> {
    path.filter(|path| {
        let mut bytes = path.bytes();
        // A browser reads `//` and `/\` as the start of a host name, after it has removed tabs and line ends.
        bytes.next() == Some(b'/')
            && !matches!(bytes.next(), Some(b'/' | b'\\'))
            && path.bytes().all(|byte| byte.is_ascii_graphic())
    })
}
