//! The rows of a text with the numbers that a spreadsheet shows.

use std::io::Read;

/// Separators of cells.
pub(super) const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];
/// The separator of a table whose header has none: no cell contains it.
pub(super) const NO_SEPARATOR: u8 = 0x1f;

/// The separator that a first line such as `sep=;` names, and the text after that line.
pub(super) fn named_separator(text: &str) -> (Option<u8>, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_matches('"');
    let named = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep=")).and_then(|_| line.get(4..));
    match named.map(str::as_bytes) {
        Some([separator]) if SEPARATORS.contains(separator) => (Some(*separator), rest),
        _ => (None, text),
    }
}

/// The records of a text with the numbers of their rows. Blank lines are left out, and counted.
pub(super) struct Records<'t> {
    reader: csv::Reader<std::io::Chain<&'t [u8], &'static [u8]>>,
    /// The line after the last record.
    line: u64,
    number: usize,
}

impl<'t> Records<'t> {
    /// The quotation marks of the text are right.
    pub fn of(text: &'t str, separator: u8) -> Self {
        // The last line ends as the others do.
        let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
        let mut reader = csv::ReaderBuilder::new();
        reader.delimiter(separator).has_headers(false).flexible(true);
        Self { reader: reader.from_reader(text.as_bytes().chain(end)), line: 1, number: 0 }
    }
}

impl Iterator for Records<'_> {
    type Item = (usize, csv::StringRecord);

    fn next(&mut self) -> Option<Self::Item> {
        let mut record = csv::StringRecord::new();
        // INVARIANT: reading a text from memory fails neither by input nor by encoding.
        if !self.reader.read_record(&mut record).unwrap_or(false) {
            return None;
        }
        // The reader skips blank lines, which are rows of a spreadsheet. The lines of a cell are not.
        let line = self.reader.position().line();
        let within = record.iter().map(|cell| cell.matches('\n').count()).sum();
        let lines = usize::try_from(line - self.line).unwrap_or(usize::MAX).saturating_sub(within);
        self.line = line;
        self.number += lines.max(1);
        Some((self.number, record))
    }
}

/// Whether a record has nothing but blanks.
pub(super) fn is_blank(record: &csv::StringRecord) -> bool {
    record.iter().all(|cell| cell.trim().is_empty())
}
