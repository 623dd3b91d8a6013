//! An auction as data of the pages of several nouns.

use accounts::groups::store as groups;
use app::model::{AuctionAccess, AuctionPreview};
use auction_house::access::Action;
use auction_house::auctions::Auction;
use auction_house::auctions::access::AuctionView;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// Which pages of the auction are for the viewer.
pub fn access(seen: &AuctionView) -> AuctionAccess {
    AuctionAccess {
        is_member: seen.role.is_some(),
        can_change: seen.may(Action::ChangeAuction),
        runs_hall: seen.may(Action::RunHall),
    }
}

/// The group whose people are members of an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionGroup {
    pub name: String,
    /// Absent if the viewer is not one of its people.
    pub own: Option<OwnGroup>,
}

/// A group in which the viewer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnGroup {
    /// The address of its page.
    pub address: String,
    pub people: i64,
}

/// The group of an auction, for its members.
pub async fn group_of(db: &mut Connection, seen: &AuctionView) -> Result<Option<AuctionGroup>, DbError> {
    let Some(group_id) = seen.auction.terms.group_id.filter(|_| seen.role.is_some()) else { return Ok(None) };
    let own = groups::find(db, group_id, seen.viewer).await?;
    let own =
        own.map(|group| OwnGroup { address: format!("/groups/{group_id}"), people: group.people_count });
    Ok(groups::name(db, group_id).await?.map(|name| AuctionGroup { name, own }))
}

/// An auction as a user sees it before they join or sign in.
pub fn preview(auction: &Auction, now: Moment) -> AuctionPreview {
    AuctionPreview {
        name: auction.terms.name.clone(),
        item_count: u64::try_from(auction.published_items).unwrap_or(0),
        ends_at: auction.terms.end_date.filter(|_| !auction.is_closed(now)).map(Moment::millis),
    }
}

/// The first words of a description, without Markdown characters.
pub fn excerpt(description: &str) -> String {
    const CHARS_MAX: usize = 160;
    let line = description.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = line.trim_start_matches(['#', '>', '*', '-', ' ']).replace(['*', '`'], "");
    if line.chars().count() <= CHARS_MAX {
        return line;
    }
    let short: String = line.chars().take(CHARS_MAX).collect();
    let end = short.rfind(' ').unwrap_or(short.len());
    format!("{}…", short.get(..end).unwrap_or(&short))
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn an_excerpt_is_the_first_line_with_words() {
        assert_eq!(excerpt("\n\n## A **fine** sale\nmore"), "A fine sale");
        assert_eq!(excerpt(""), "");
    }

    #[test]
    fn an_excerpt_ends_at_a_word() {
        let long = "Fünf Wörter ".repeat(40);
        let short = excerpt(&long);
        assert!(short.chars().count() <= 161 && short.ends_with("r…") || short.ends_with("f…"), "{short}");
    }
}
