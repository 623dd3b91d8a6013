//! Lists the items of an auction: sorted, filtered, one page at a time.

use std::fmt;
use std::str::FromStr;

use super::access::ItemView;
use super::store::{self, Listed, watches};
use super::{Item, ItemStatus};
use crate::access::Action;
use crate::auctions::access::AuctionView;
use crate::ids::ItemId;
use platform::db::{Connection, DbError};
use platform::fields::FieldError;
use platform::paging::{Page, Paged};
use platform::search_text::{NoSearchText, SearchText};
use platform::text_enum;
use platform::text_enum::UnknownText;
use platform::time::Moment;

text_enum! {
    /// The order of a list.
    #[derive(Default)]
    pub enum ItemSort {
        #[default]
        Lot = "lot",
        /// Items without an end last.
        End = "end",
        /// By the highest bid or else the least one, the cheapest first.
        Price = "price",
        Name = "name",
        Newest = "newest",
        Bids = "bids",
    }
}

impl ItemSort {
    /// Whether the greatest comes first.
    pub fn descends(self) -> bool {
        matches!(self, Self::Newest | Self::Bids)
    }

    pub fn is_by_text(self) -> bool {
        matches!(self, Self::Lot | Self::Price | Self::Name)
    }
}

/// Which items a list has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// In the [text](super::store) of the item.
    pub text: Option<SearchText>,
    pub status: Option<ItemStatus>,
    /// Only those that the viewer watches.
    pub watched: bool,
}

/// What a request asks of the list: filter, order and page.
#[derive(Debug, Clone)]
pub struct ItemQuery {
    pub filter: Filter,
    pub sort: ItemSort,
    pub page: Page<ItemPlace>,
}

impl ItemQuery {
    /// The first page of all items, by lot number.
    pub fn first() -> Self {
        Self { filter: Filter::default(), sort: ItemSort::default(), page: Page::after(None) }
    }

    fn listed(&self, auction: &AuctionView, now: Moment) -> Listed<'_> {
        Listed {
            all_drafts: auction.may(Action::ManageItems),
            viewer: auction.viewer,
            filter: &self.filter,
            sort: self.sort,
            after: self.page.after.clone(),
            limit: self.page.rows(),
            is_legacy: auction.auction.is_legacy,
            now,
        }
    }

    /// Reads the parameters `q`, `status`, `watched` and `sort`.
    ///
    /// # Errors
    /// Every parameter with another value than SPEC, section 3, lists, and a cursor of a list in another
    /// order.
    pub fn read(given: &[(String, String)], page: Page<ItemPlace>) -> Result<Self, Vec<FieldError>> {
        let mut query = Self { page, ..Self::first() };
        let mut errors = Vec::new();
        let find = |name: &str| given.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        if let Some(name) = find("sort") {
            match name.parse() {
                Ok(sort) => query.sort = sort,
                Err(error) => errors.push(FieldError::new("sort", UnknownText::to_string(&error))),
            }
        }
        if let Some(text) = find("q") {
            match text.parse() {
                Ok(text) => query.filter.text = Some(text),
                Err(error) => errors.push(FieldError::new("q", NoSearchText::to_string(&error))),
            }
        }
        if let Some(name) = find("status") {
            match name.parse() {
                Ok(status) => query.filter.status = Some(status),
                Err(error) => errors.push(FieldError::new("status", UnknownText::to_string(&error))),
            }
        }
        if let Some(value) = find("watched") {
            query.filter.watched = value == "true";
            if !query.filter.watched {
                errors.push(FieldError::new("watched", "must be true or absent"));
            }
        }
        if query.page.after.as_ref().is_some_and(|after| after.sort != query.sort) {
            errors.push(FieldError::new("cursor", "must be the `nextCursor` of a page in this order"));
        }
        if errors.is_empty() { Ok(query) } else { Err(errors) }
    }
}

/// What a list is ordered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortKey {
    Number(i64),
    Text(String),
}

impl SortKey {
    /// `None` if the text is not a key of this order.
    pub fn read(sort: ItemSort, text: &str) -> Option<Self> {
        if sort.is_by_text() {
            Some(Self::Text(text.to_owned()))
        } else {
            text.parse().ok().map(Self::Number)
        }
    }
}

/// The place of an item in a list. As text it is the cursor of the page after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemPlace {
    pub sort: ItemSort,
    pub key: SortKey,
    pub id: ItemId,
}

/// The text is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoPlace;

impl fmt::Display for ItemPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = match &self.key {
            SortKey::Number(number) => number.to_string(),
            SortKey::Text(text) => text.clone(),
        };
        let text = format!("{} {} {key}", self.sort.as_str(), self.id);
        f.write_str(&const_hex::encode(text))
    }
}

impl FromStr for ItemPlace {
    type Err = NoPlace;

    fn from_str(cursor: &str) -> Result<Self, NoPlace> {
        let text = String::from_utf8(const_hex::decode(cursor).map_err(|_| NoPlace)?).map_err(|_| NoPlace)?;
        let mut parts = text.splitn(3, ' ');
        let sort = parts.next().and_then(|sort| sort.parse().ok()).ok_or(NoPlace)?;
        let id = parts.next().and_then(|id| id.parse().ok()).ok_or(NoPlace)?;
        let key = parts.next().filter(|key| !key.contains('\0')).ok_or(NoPlace)?;
        Ok(Self { sort, key: SortKey::read(sort, key).ok_or(NoPlace)?, id })
    }
}

/// The items of an auction that its viewer sees. Their descriptions go no further than lists show.
pub async fn list_items(
    conn: &mut Connection,
    auction: &AuctionView,
    query: ItemQuery,
    now: Moment,
) -> Result<Paged<ItemView>, DbError> {
    let found = store::list(conn, auction.auction.id, query.listed(auction, now)).await?;
    let page = query.page.paged(found, |(place, _)| place.to_string());
    seen(conn, auction, page.map(|(_, item)| item)).await
}

/// The ids and versions of the items that [`list_items`] lists.
pub async fn list_versions(
    conn: &mut Connection,
    auction: &AuctionView,
    query: &ItemQuery,
    now: Moment,
) -> Result<Paged<(ItemId, i64)>, DbError> {
    let found = store::list_versions(conn, auction.auction.id, query.listed(auction, now)).await?;
    let page = query.page.paged(found, |(place, _)| place.to_string());
    Ok(page.map(|(place, version)| (place.id, version)))
}

/// Items of a list as the auction's viewer sees them.
pub async fn seen(
    conn: &mut Connection,
    auction: &AuctionView,
    items: Paged<Item>,
) -> Result<Paged<ItemView>, DbError> {
    let ids = Vec::from_iter(items.entries.iter().map(|item| item.id));
    let watched = watches::among(conn, auction.auction.id, auction.viewer, &ids).await?;
    Ok(items.map(|item| {
        let watched = watched.contains(&item.id);
        ItemView::of(item, auction, watched)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_as_written() {
        let id = ItemId::new(Moment::from_millis(0).unwrap());
        for (sort, key) in [
            (ItemSort::Lot, SortKey::Text("212a".to_owned())),
            (ItemSort::End, SortKey::Number(i64::MAX)),
            (ItemSort::Newest, SortKey::Number(7)),
            (ItemSort::Name, SortKey::Text("a vase, blue – 花瓶".to_owned())),
            (ItemSort::Price, SortKey::Text(String::new())),
        ] {
            let place = ItemPlace { sort, key, id };
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        let invalid = [
            "",
            "x",
            "00",
            &const_hex::encode("lot"),
            &const_hex::encode(format!("newest {id} x")),
            &const_hex::encode(format!("shape {id} 1")),
            &const_hex::encode(format!("name {id} a\0")),
        ];
        for cursor in invalid {
            assert_eq!(cursor.parse::<ItemPlace>(), Err(NoPlace), "{cursor}");
        }
    }
}
