//! Pages of a list.

use std::io;

use serde::Serialize;

/// Bytes of the entries of a page as JSON (SPEC, section 1: a page of a list is at most 256 KiB).
pub const ENTRIES_BYTES_MAX: usize = 255 * 1024;

/// The requested page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page<C> {
    /// 1–100.
    pub limit: usize,
    /// The last entry of the page before; `None` for the first page.
    pub after: Option<C>,
}

/// A page's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paged<T> {
    pub entries: Vec<T>,
    /// `?cursor=` of the next page; `None` on the last page.
    pub next_cursor: Option<String>,
    /// The cursor of the page after each entry.
    cursors: Vec<String>,
}

impl<C> Page<C> {
    pub const LIMIT_MAX: usize = 100;
    pub const LIMIT_DEFAULT: usize = 50;

    pub fn after(after: Option<C>) -> Self {
        Self { limit: Self::LIMIT_DEFAULT, after }
    }

    /// Number of rows to query: one more than the page has, to find out whether there is a next page.
    pub fn rows(&self) -> i64 {
        i64::try_from(self.limit).unwrap_or(0).saturating_add(1)
    }

    /// Makes the page from the queried rows.
    pub fn paged<T>(&self, mut entries: Vec<T>, cursor: impl Fn(&T) -> String) -> Paged<T> {
        let more = entries.len() > self.limit;
        entries.truncate(self.limit);
        let cursors: Vec<String> = entries.iter().map(cursor).collect();
        let next_cursor = cursors.last().filter(|_| more).cloned();
        Paged { entries, next_cursor, cursors }
    }
}

impl<T> Paged<T> {
    pub fn map<U>(self, convert: impl FnMut(T) -> U) -> Paged<U> {
        let Self { entries, next_cursor, cursors } = self;
        Paged { entries: entries.into_iter().map(convert).collect(), next_cursor, cursors }
    }

    pub fn try_map<U, E>(self, convert: impl FnMut(T) -> Result<U, E>) -> Result<Paged<U>, E> {
        let Self { entries, next_cursor, cursors } = self;
        let entries = entries.into_iter().map(convert).collect::<Result<_, _>>()?;
        Ok(Paged { entries, next_cursor, cursors })
    }

    /// A page that ended before its limit: unless it is complete, the list goes on after `cursor`.
    pub fn continued_after(mut self, cursor: Option<String>) -> Self {
        self.next_cursor = self.next_cursor.or(cursor);
        self
    }

    /// The entries, each with the cursor of the page after it.
    pub fn with_cursors(self) -> impl Iterator<Item = (String, T)> {
        self.cursors.into_iter().zip(self.entries)
    }

    /// Converts entries, and leaves out those without a result.
    pub fn filter_map<U>(self, mut convert: impl FnMut(T) -> Option<U>) -> Paged<U> {
        let Self { entries, next_cursor, cursors } = self;
        let kept = entries.into_iter().zip(cursors);
        let kept = kept.filter_map(|(entry, cursor)| Some((convert(entry)?, cursor)));
        let (entries, cursors) = kept.unzip();
        Paged { entries, next_cursor, cursors }
    }

    /// Leaves entries out.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        let mut entries = self.entries.iter();
        self.cursors.retain(|_| entries.next().is_some_and(&keep));
        self.entries.retain(keep);
    }

    /// Ends the page early if its entries are too large as JSON.
    pub fn within_bytes(mut self) -> Self
    where
        T: Serialize,
    {
        let fitting = fitting(&self.entries);
        if fitting < self.entries.len() {
            self.entries.truncate(fitting);
            self.cursors.truncate(fitting);
            self.next_cursor = self.cursors.last().cloned();
        }
        self
    }
}

/// Number of entries that are together within [`ENTRIES_BYTES_MAX`] as JSON, but at least one.
pub fn fitting<T: Serialize>(entries: &[T]) -> usize {
    fitting_in(ENTRIES_BYTES_MAX, entries).max(1)
}

/// Number of entries that are together within so many bytes as JSON.
pub fn fitting_in<T: Serialize>(bytes_max: usize, entries: &[T]) -> usize {
    let mut bytes = 0;
    let fitting = entries.iter().take_while(|entry| {
        // With the comma between entries.
        bytes += json_bytes(entry) + 1;
        bytes <= bytes_max
    });
    fitting.count()
}

fn json_bytes(value: &impl Serialize) -> usize {
    struct Counter(usize);

    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut counter = Counter(0);
    // A value that can't be written fails again when it is sent.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(entries: Vec<String>, limit: usize) -> Paged<String> {
        let page = Page { limit, after: None::<usize> };
        page.paged(entries, |entry| entry.len().to_string())
    }

    #[test]
    fn a_page_ends_before_the_entry_that_does_not_fit() {
        // 50 kB, 49,999 bytes and so on as JSON.
        let entries: Vec<String> = (0..10).map(|n| "x".repeat(50_000 - n)).collect();
        let whole = page(entries.clone(), 4).within_bytes();
        assert_eq!((whole.entries.len(), whole.next_cursor.as_deref()), (4, Some("49997")));
        let cut = page(entries.clone(), 100).within_bytes();
        assert_eq!((cut.entries.len(), cut.next_cursor.as_deref()), (5, Some("49996")));
        let last = page(entries[5..].to_vec(), 100).within_bytes();
        assert_eq!((last.entries.len(), last.next_cursor), (5, None));
        let large = page(vec!["x".repeat(300_000), "y".to_owned()], 100).within_bytes();
        assert_eq!((large.entries.len(), large.next_cursor.as_deref()), (1, Some("300000")));
        assert_eq!(page(Vec::new(), 100).within_bytes().next_cursor, None);
    }
}
