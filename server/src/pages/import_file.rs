//! Forms that import a text file, with a preview that writes nothing: of a book's entries, and of currencies.

use app::components::description_field::PREVIEW;
use axum::handler::Handler;
use axum::http::Uri;
use axum::response::Response;
use platform::body::Body;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::http::upload::{Received, Upload, UploadLimits};
use platform::idempotency::KeyedRequest;
use platform::table::decode;
use tokio::io::AsyncReadExt;

use super::form::{Form, beside, see_other};
use super::form_route::up;
use super::redraw::{preview, redraw};
use crate::codes;
use crate::state::AppState;

/// The text of an import.
pub struct ReceivedText {
    /// None without a file and without a text in the field for it.
    pub text: Option<String>,
    pub is_preview: bool,
    pub keyed: Option<KeyedRequest>,
}

impl ReceivedText {
    /// Receives the file of the field `file`, or the text of the field `pasted`. `fields` gets what the page
    /// shows again: the key and the fields of `kept`.
    pub async fn receive(
        upload: Upload,
        (file, pasted): (&'static str, &str),
        bytes_max: usize,
        kept: &[&str],
        fields: &mut Vec<(String, String)>,
    ) -> Result<Self, Problem> {
        let limits = UploadLimits { field: file, files: 1, file_bytes: bytes_max as u64 };
        let mut received: Received = upload.receive(limits, tempfile::tempfile).await?;
        let is_preview = received.get(PREVIEW).is_some();
        for name in ["idempotencyKey"].iter().chain(kept) {
            fields.extend(received.get(name).map(|value| ((*name).to_owned(), value.to_owned())));
        }
        let mut text = received.get(pasted).map(str::to_owned);
        let keyed = received.keyed.take();
        if let Some(content) = received.all_files()?.into_iter().next() {
            let mut read = Vec::new();
            tokio::fs::File::from_std(content)
                .read_to_end(&mut read)
                .await
                .map_err(|error| Problem::internal(&error))?;
            text = Some(decode(read).map_err(|error| Problem::explained(file, error.to_string()))?);
        }
        Ok(Self { text: text.filter(|text| !text.trim().is_empty()), is_preview, keyed })
    }
}

/// The text of a file as a body. `read` makes the object of it.
pub struct TextBody {
    pub text: String,
    pub keyed: Option<KeyedRequest>,
    pub read: fn(&str) -> Result<Object, Problem>,
}

impl Body for TextBody {
    fn read(self) -> Result<Object, Problem> {
        (self.read)(&self.text)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        Ok(self.keyed.clone())
    }
}

/// The answer to such a form: the page at the path of an import, or its own page again, for a preview and for
/// what is refused. `file` is the field of the file.
pub async fn answer<T, Page>(
    state: &AppState,
    form: &Form,
    page: Page,
    uri: &Uri,
    file: &str,
    imported: Result<Option<String>, Problem>,
) -> Response
where
    T: 'static,
    Page: Handler<T, AppState>,
{
    match imported {
        Ok(Some(next)) => see_other(&next),
        Ok(None) => preview(state, form, page, up(uri, 1)).await,
        Err(problem) => {
            let beside = |problem, code| beside(file, code, problem);
            let problem = [codes::UNSUPPORTED_MEDIA_TYPE, codes::TOO_LARGE].into_iter().fold(problem, beside);
            redraw(state, form, page, up(uri, 1), problem).await
        }
    }
}
