//! The ends of an auction and of its published items, for a calendar (SPEC, section 3).

pub mod routes;

use crate::auctions::Auction;
use crate::items::store::calendar::{ItemEnd, ends};
use platform::calendar_text::{self, CalendarEvent};
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// The calendar of an auction. Its links lead to `site`.
pub async fn calendar(
    conn: &mut Connection,
    auction: &Auction,
    site: &str,
    now: Moment,
) -> Result<String, DbError> {
    let (name, page) = (&auction.terms.name, format!("{site}/auctions/{}", auction.id));
    let end = [auction.terms.end_date, auction.closed_at].into_iter().flatten().min();
    let end = end.map(|at| CalendarEvent {
        id: auction.id.to_string(),
        at,
        summary: format!("End of the auction: {name}"),
        description: page.clone(),
        url: page.clone(),
    });
    let items = ends(conn, auction.id).await?.into_iter();
    let items = items.filter_map(|item| {
        let at = item.at()?;
        let ItemEnd { id, lot_number, name: item, .. } = item;
        let url = format!("{page}/items/{id}");
        Some(CalendarEvent {
            id: id.to_string(),
            at,
            summary: format!("Bidding ends: lot {lot_number}, {item}"),
            description: format!("{name}\n{url}"),
            url,
        })
    });
    Ok(calendar_text::calendar(name, end.into_iter().chain(items), now))
}
