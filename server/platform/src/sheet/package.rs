//! The archive of a spreadsheet: its parts are unpacked as they are read, within one budget.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use super::xml::Xml;
use super::{Limits, SheetError};

const TOO_LARGE: SheetError = SheetError::TooLarge("50 MB unpacked");
/// A small file may be unpacked to as many bytes, whatever the ratio is.
const UNPACKED_OF_ANY: u64 = 1_000_000;

/// A spreadsheet as an archive.
pub(super) struct Package<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    /// Indices of the parts by their names in lower case.
    parts: HashMap<String, usize>,
    /// Bytes that may still be unpacked.
    budget: u64,
    pub(super) limits: Limits,
}

impl<'b> Package<'b> {
    pub(super) fn open(bytes: &'b [u8], limits: &Limits) -> Result<Self, SheetError> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| SheetError::Damaged)?;
        if archive.len() > limits.parts {
            return Err(SheetError::TooLarge("1,000 parts"));
        }
        let mut budget = (bytes.len() as u64).saturating_mul(limits.ratio).max(UNPACKED_OF_ANY);
        budget = budget.min(limits.unpacked);
        let mut parts = HashMap::new();
        for index in 0..archive.len() {
            if let Some(Ok(name)) = archive.name_for_index(index) {
                parts.entry(key(&name)).or_insert(index);
            }
        }
        Ok(Self { archive, parts, budget, limits: *limits })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.parts.contains_key(&key(name))
    }

    /// A part as XML; none if the archive has no such part.
    pub(super) fn xml(&mut self, name: &str) -> Result<Option<Xml<Part<'_, 'b>>>, SheetError> {
        Ok(self.part(name)?.map(Xml::new))
    }

    /// The first bytes of a part, at most `max`.
    pub(super) fn start_of(&mut self, name: &str, max: u64) -> Result<Vec<u8>, SheetError> {
        let mut start = Vec::new();
        if let Some(part) = self.part(name)? {
            part.take(max).read_to_end(&mut start).map_err(|error| error_of(&error))?;
        }
        Ok(start)
    }

    fn part(&mut self, name: &str) -> Result<Option<Part<'_, 'b>>, SheetError> {
        let Some(index) = self.parts.get(&key(name)) else { return Ok(None) };
        let file = self.archive.by_index(*index).map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
                SheetError::Unsupported(super::kind::PROTECTED)
            }
            _ => SheetError::Damaged,
        })?;
        // What it states is too large is refused early; what it does not state is counted.
        if file.size() > self.budget {
            return Err(TOO_LARGE);
        }
        Ok(Some(Part {
            reader: BufReader::new(file),
            budget: &mut self.budget,
            token: 0,
            token_max: self.limits.token,
        }))
    }
}

/// Names are compared without case, as Office compares them.
fn key(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_ascii_lowercase()
}

pub(super) fn error_of(error: &io::Error) -> SheetError {
    match error.kind() {
        ErrorKind::FileTooLarge => TOO_LARGE,
        _ => SheetError::Damaged,
    }
}

/// A part that is unpacked as it is read. Reading fails where the budget ends, and in a tag or a text that is
/// too long to be kept.
pub(super) struct Part<'p, 'b> {
    reader: BufReader<ZipFile<'p, Cursor<&'b [u8]>>>,
    budget: &'p mut u64,
    /// Bytes since the last tag began.
    token: usize,
    token_max: usize,
}

impl BufRead for Part<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.token > self.token_max || *self.budget == 0 {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        let consumed = self.reader.buffer().get(..amount).unwrap_or_default();
        self.token = match consumed.iter().rposition(|byte| *byte == b'<') {
            Some(at) => amount - at,
            None => self.token.saturating_add(amount),
        };
        *self.budget = self.budget.saturating_sub(amount as u64);
        self.reader.consume(amount);
    }
}

impl Read for Part<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
