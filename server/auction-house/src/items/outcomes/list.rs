//! Lists the outcomes of an auction.

use super::{SoldBid, StoredOutcome};
use crate::access::Action;
use crate::auctions::access::AuctionView;
use crate::auctions::visibility::{ItemViewer, shows_bidder};
use crate::ids::{OutcomeId, UserId};
use crate::items::store::outcomes as store;
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};

/// An outcome as one viewer may see it.
#[derive(Debug, Clone)]
pub struct ListedOutcome {
    pub stored: StoredOutcome,
    pub shows_winner: bool,
}

/// Outcomes in the order in which they were created.
pub type OutcomePage = Paged<ListedOutcome>;

/// Every outcome of an auction that its viewer may see, replaced ones included. Those of drafts are for the
/// viewers of the drafts.
pub async fn list_outcomes(
    conn: &mut Connection,
    auction: &AuctionView,
    page: Page<OutcomeId>,
) -> Result<OutcomePage, DbError> {
    let drafts_of = Some(auction.viewer).filter(|_| !auction.may(Action::ManageItems));
    let found = store::list(conn, auction.auction.id, drafts_of, page.after, page.rows()).await?;
    let listed = found.into_iter().map(|stored| ListedOutcome {
        shows_winner: shows_winner(auction, stored.seller_id, stored.in_force, stored.outcome.sold()),
        stored,
    });
    Ok(page.paged(listed.collect(), |listed| listed.stored.id.to_string()))
}

/// Whether the viewer of the auction may know the people of an outcome: sold for this bid, or not sold.
pub fn shows_winner(
    auction: &AuctionView,
    seller_id: UserId,
    in_force: bool,
    sold: Option<&SoldBid>,
) -> bool {
    let viewer = ItemViewer {
        user: auction.viewer,
        role: auction.role,
        is_seller: seller_id == auction.viewer,
        is_outsider: auction.is_outsider(),
    };
    shows_bidder(auction.auction.terms.bidder_visibility, viewer, SoldBid::facts(sold, in_force))
}
