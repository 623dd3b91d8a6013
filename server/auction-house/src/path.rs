//! Ids in paths.

use accounts::groups::PersonKey;
use serde::Deserialize;

use crate::ids::{
    AuctionId, BookId, CurrencyId, GroupId, ImageId, ImportId, InviteId, ItemId, RuleId, UserId,
    WaitingGrantId,
};

/// `/api/auctions/{auction_id}…`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct AuctionPath {
    pub auction_id: AuctionId,
}

/// `/api/auctions/{auction_id}/currencies/{currency_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct CurrencyPath {
    pub auction_id: AuctionId,
    pub currency_id: CurrencyId,
}

/// `/api/auctions/{auction_id}/currency-rules/{rule_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct RulePath {
    pub auction_id: AuctionId,
    pub rule_id: RuleId,
}

/// `/api/auctions/{auction_id}/members/{user_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct MemberPath {
    pub auction_id: AuctionId,
    pub user_id: UserId,
}

/// `/api/auctions/{auction_id}/invites/{invite_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct InvitePath {
    pub auction_id: AuctionId,
    pub invite_id: InviteId,
}

/// `/api/invites/{token}`
#[derive(Debug, Clone, Deserialize)]
pub struct TokenPath {
    pub token: String,
}

/// `/join/{token}/pictures/{image_id}`
#[derive(Debug, Clone, Deserialize)]
pub struct TokenPicturePath {
    pub token: String,
    pub image_id: ImageId,
}

/// `/api/auctions/{auction_id}/items/{item_id}…`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct ItemPath {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
}

/// `/api/auctions/{auction_id}/items/{item_id}/bids/{sequence}…`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct BidPath {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    pub sequence: i64,
}

impl BidPath {
    pub fn item(self) -> ItemPath {
        ItemPath { auction_id: self.auction_id, item_id: self.item_id }
    }
}

/// `/api/auctions/{auction_id}/items/{item_id}/images/{image_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ImagePath {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    pub image_id: ImageId,
}

/// `/api/auctions/{auction_id}/items/{item_id}/images/{image_id}/{size}`
#[derive(Debug, Clone, Deserialize)]
pub struct ImageFilePath {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    pub image_id: ImageId,
    pub size: String,
}

/// `/api/books/{book_id}…`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct BookPath {
    pub book_id: BookId,
}

/// `/api/books/{book_id}/holders/{user_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct HolderPath {
    pub book_id: BookId,
    pub user_id: UserId,
}

/// `/api/books/{book_id}/runs/{number}…`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct RunPath {
    pub book_id: BookId,
    pub number: i64,
}

/// `/api/books/{book_id}/entries/{sequence}/reverse`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct EntryPath {
    pub book_id: BookId,
    pub sequence: i64,
}

/// `/api/groups/{group_id}…`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct GroupPath {
    pub group_id: GroupId,
}

/// `/api/groups/{group_id}/removed/{user_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct RemovedPersonPath {
    pub group_id: GroupId,
    pub user_id: UserId,
}

/// `/api/groups/{group_id}/people/{person}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct PersonPath {
    pub group_id: GroupId,
    pub person: PersonKey,
}

/// `/api/books/{book_id}/waiting/{grant_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct WaitingGrantPath {
    pub book_id: BookId,
    pub grant_id: WaitingGrantId,
}

/// `/api/auctions/{auction_id}/items/imports/{import_id}/undo`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ItemImportPath {
    pub auction_id: AuctionId,
    pub import_id: ImportId,
}

/// `/api/groups/{group_id}/imports/{import_id}/undo`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct GroupImportPath {
    pub group_id: GroupId,
    pub import_id: ImportId,
}

/// `/api/books/{book_id}/imports/{import_id}/undo`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct BookImportPath {
    pub book_id: BookId,
    pub import_id: ImportId,
}
