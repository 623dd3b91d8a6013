//! Bodies that are tables, as texts or spreadsheets, with the idempotency key of their header.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::{FromRequest, RawQuery, Request};

use super::body::{media_type, receive_up_to};
use super::keyed::GivenKey;
use super::paging::parameters;
use super::problem::Problem;
use crate::body::Body;
use crate::fields::Object;
use crate::http::codes;
use crate::idempotency::KeyedRequest;
use crate::lists::{self, ListError};
use crate::sheet::{self, Kind, SheetError};
use crate::table::{self, CSV_BYTES_MAX, Expected, NotATable};

/// The media type of an `.xlsx` file.
pub const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/// The media type of an `.ods` file.
pub const ODS: &str = "application/vnd.oasis.opendocument.spreadsheet";
const CSV: &str = "text/csv";
/// The media types of texts with lists.
const JSON: &str = "application/json";
const XML: [&str; 2] = ["application/xml", "text/xml"];
/// Name of the parameter with the name of a sheet.
pub(super) const SHEET: &str = "sheet";
/// The media type of a file of any kind.
const ANY: &str = "application/octet-stream";

/// Whether a body of this media type may be a table. JSON is that of other requests, too.
pub fn is_table(media_type: &str) -> bool {
    [CSV, XLSX, ODS, ANY].iter().chain(&XML).any(|table| media_type.eq_ignore_ascii_case(table))
}

/// A table that is not read yet. It is read as the member `csv` of an object.
#[derive(Debug)]
pub struct CsvBody {
    key: GivenKey,
    received: Result<Bytes, Problem>,
    /// Name of the sheet that the query asks for.
    sheet: Option<String>,
    expected: Expected,
}

impl<S: Send + Sync> FromRequest<S> for CsvBody {
    type Rejection = Infallible;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Infallible> {
        let (parts, body) = request.into_parts();
        let key = GivenKey::of(&parts.headers);
        let query = parameters(&RawQuery(parts.uri.query().map(str::to_owned)));
        let sheet = query.into_iter().find(|(name, _)| name == SHEET).map(|(_, name)| name);
        let received = receive_up_to(body, sheet::FILE_BYTES_MAX).await;
        let received = received.and_then(|bytes| accepted(bytes, media_type(&parts.headers)));
        Ok(Self { key, received, sheet, expected: Expected::default() })
    }
}

/// The bytes, if they are what the media type says, or what bytes of this beginning are.
fn accepted(bytes: Bytes, media_type: &str) -> Result<Bytes, Problem> {
    let is = |table: &str| media_type.eq_ignore_ascii_case(table);
    let may_be_list = is(JSON) || XML.iter().any(|xml| is(xml)) || (is(CSV) && lists::may_be_in(&bytes));
    match Kind::of(&bytes) {
        Kind::Archive if is_table(media_type) => Ok(bytes),
        Kind::Unsupported(words) => Err(Problem::new(codes::UNSUPPORTED_MEDIA_TYPE, words)),
        Kind::Text if may_be_list => Ok(bytes),
        Kind::Text if is(CSV) && bytes.len() > CSV_BYTES_MAX => {
            Err(Problem::new(codes::TOO_LARGE, format!("The body may have at most {CSV_BYTES_MAX} bytes.")))
        }
        Kind::Text if is(CSV) => Ok(bytes),
        Kind::Text if is(XLSX) || is(ODS) => {
            Err(Problem::new(codes::UNSUPPORTED_MEDIA_TYPE, "The body is no spreadsheet."))
        }
        Kind::Archive | Kind::Text => Err(Problem::new(
            codes::UNSUPPORTED_MEDIA_TYPE,
            format!("Send the table as `Content-Type: {CSV}`, `{JSON}`, `{XLSX}` or `{ODS}`."),
        )),
    }
}

impl CsvBody {
    /// The body with the table that it is expected to have, by which the sheet of a spreadsheet is found.
    #[must_use]
    pub fn expecting(self, expected: Expected) -> Self {
        Self { expected, ..self }
    }

    /// # Errors
    /// The body is too large, of another media type, or no table.
    pub fn text(self) -> Result<String, Problem> {
        let text = table::text_of(self.received?.into(), &self.expected, self.sheet.as_deref());
        text.map_err(|error| problem("", &error))
    }
}

/// The problem of a file in a field that is not read as a table.
pub fn problem(field: &str, error: &NotATable) -> Problem {
    let words = error.to_string();
    match error {
        NotATable::Sheet(SheetError::Unsupported(_)) | NotATable::List(ListError::Html | ListError::None) => {
            Problem::new(codes::UNSUPPORTED_MEDIA_TYPE, words)
        }
        NotATable::Sheet(SheetError::TooLarge(_))
        | NotATable::List(ListError::TooLarge(_))
        | NotATable::TooLong => Problem::new(codes::TOO_LARGE, words),
        NotATable::Sheet(SheetError::NoSuchSheet(_))
        | NotATable::List(ListError::NoSuchList(_) | ListError::Several(_)) => Problem::field(SHEET, words),
        NotATable::NotText(_)
        | NotATable::Sheet(SheetError::Damaged | SheetError::Empty)
        | NotATable::List(ListError::Json(..) | ListError::Xml(_) | ListError::Lua(_)) => {
            Problem::explained(field, words)
        }
    }
}

impl Body for CsvBody {
    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        let GivenKey(key) = self.key.clone();
        let bytes = self.received.as_deref().unwrap_or_default();
        Ok(key?.map(|key| KeyedRequest::new(key, bytes)))
    }

    fn read(self) -> Result<Object, Problem> {
        let mut object = Object::default();
        object.set("csv", &self.text()?);
        Ok(object)
    }
}
