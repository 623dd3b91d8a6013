//! Pages of a list.

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
        let next_cursor = if more { entries.last().map(cursor) } else { None };
        Paged { entries, next_cursor }
    }
}
