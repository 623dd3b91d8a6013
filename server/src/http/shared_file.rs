//! Files that are the same for everyone. All answers share the bytes of a form of the file, so that an answer
//! costs neither compression nor memory.

use std::io::Write;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use platform::http::encoding::accepts;
use platform::http::etag;
use platform::http::problem::Problem;
use platform::net::ClientAddress;
use tokio::sync::OnceCell;

use super::file_pace::FilePace;
use crate::codes;

/// Above it, compression takes seconds instead of a fraction of one, for a few percent.
const BROTLI_QUALITY: i32 = 9;

/// A file and its forms. A form that is not there yet is made once, when the first client asks for it.
pub struct SharedFile {
    content_type: HeaderValue,
    tag: HeaderValue,
    is_compressible: bool,
    plain: OnceCell<Bytes>,
    brotli: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

/// Marks an answer whose body is shared: it takes no memory of its own.
#[derive(Debug, Clone, Copy)]
pub struct SharedBody;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Identity,
    Brotli,
    Gzip,
}

impl Encoding {
    fn header(self) -> Option<HeaderValue> {
        match self {
            Self::Identity => None,
            Self::Brotli => Some(HeaderValue::from_static("br")),
            Self::Gzip => Some(HeaderValue::from_static("gzip")),
        }
    }
}

impl SharedFile {
    /// A file that compression does not make smaller.
    pub fn plain(content_type: HeaderValue, bytes: Bytes) -> Self {
        let mut file = Self::new(content_type, &bytes, false);
        file.plain = OnceCell::new_with(Some(bytes));
        file
    }

    pub fn compressible(content_type: HeaderValue, bytes: Bytes) -> Self {
        let mut file = Self::new(content_type, &bytes, true);
        file.plain = OnceCell::new_with(Some(bytes));
        file
    }

    /// A file that brotli has compressed already.
    pub fn brotli(content_type: HeaderValue, compressed: Bytes) -> Self {
        let mut file = Self::new(content_type, &compressed, true);
        file.brotli = OnceCell::new_with(Some(compressed));
        file
    }

    fn new(content_type: HeaderValue, bytes: &[u8], is_compressible: bool) -> Self {
        // The text of a tag is always a valid header.
        let tag = HeaderValue::try_from(etag::of_content(bytes)).unwrap_or(HeaderValue::from_static("\"\""));
        let (plain, brotli, gzip) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { content_type, tag, is_compressible, plain, brotli, gzip }
    }

    /// The entity tag of all forms.
    pub fn tag(&self) -> &HeaderValue {
        &self.tag
    }

    /// The form that the client accepts, once the client's address may get it.
    pub async fn answer(
        &self,
        request: &HeaderMap,
        address: ClientAddress,
        pace: &FilePace,
    ) -> Result<Response, Problem> {
        let accepted =
            request.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
        let encoding = match self.is_compressible {
            true if accepts(accepted, "br") => Encoding::Brotli,
            true if accepts(accepted, "gzip") => Encoding::Gzip,
            _ => Encoding::Identity,
        };
        let bytes = self.form(encoding).await?;
        pace.wait(address, bytes.len()).await?;
        let mut response = bytes.into_response();
        response.extensions_mut().insert(SharedBody);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.extend(encoding.header().map(|encoding| (header::CONTENT_ENCODING, encoding)));
        Ok(response)
    }

    async fn form(&self, encoding: Encoding) -> Result<Bytes, Problem> {
        let (form, make): (_, Make) = match encoding {
            Encoding::Identity => return self.content().await,
            Encoding::Brotli => (&self.brotli, brotli),
            Encoding::Gzip => (&self.gzip, gzip),
        };
        form.get_or_try_init(async || made(make, self.content().await?).await).await.cloned()
    }

    async fn content(&self) -> Result<Bytes, Problem> {
        let content = async || match self.brotli.get() {
            Some(compressed) => made(decompressed, compressed.clone()).await,
            None => Err(Problem::plain(codes::INTERNAL)),
        };
        self.plain.get_or_try_init(content).await.cloned()
    }
}

/// Compresses or decompresses a file.
type Make = fn(&[u8]) -> std::io::Result<Vec<u8>>;

/// Makes a form on a thread that may take its time.
async fn made(make: Make, from: Bytes) -> Result<Bytes, Problem> {
    let made =
        tokio::task::spawn_blocking(move || make(&from)).await.map_err(std::io::Error::other).flatten();
    made.map(Bytes::from).map_err(|error| {
        tracing::error!(%error, "a file can't be compressed or decompressed");
        Problem::plain(codes::INTERNAL)
    })
}

fn brotli(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let params =
        BrotliEncoderParams { quality: BROTLI_QUALITY, size_hint: bytes.len(), ..Default::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &params)?;
    Ok(compressed)
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn decompressed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    brotli::BrotliDecompress(&mut &*bytes, &mut plain)?;
    Ok(plain)
}
