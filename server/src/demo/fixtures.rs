//! Builds auctions with users, members and items, through the verbs that requests use. The demo and the
//! benchmark fill their databases with it.

use accounts::User;
use accounts::credentials::Credentials;
use accounts::groups::store as groups;
use accounts::groups::{GroupRole, GroupView, PersonNumber};
use accounts::locks::write_in_group;
use accounts::preferences::Preferences;
use auction_house::access::{self, Role};
use auction_house::auctions::create::create_auction;
use auction_house::books::create::create_book;
use auction_house::books::posting;
use auction_house::context::Context;
use auction_house::currencies::Currency;
use auction_house::currencies::create::create_currency;
use auction_house::groups::create::create_group;
use auction_house::ids::{AuctionId, BookId, GroupId, ImageId, ItemId, ListId, UserId};
use auction_house::images::Images;
use auction_house::items::create::create_item;
use auction_house::items::images::add::add_received;
use auction_house::locks::LockingWrites;
use auction_house::rules::create::create_rule;
use platform::db::{DbError, Transaction};
use platform::fields::Object;
use platform::http::upload::{Received, ReceivedFile};
use platform::time::Moment;
use std::fs::File;

#[derive(Debug, thiserror::Error)]
pub enum FixtureError {
    #[error("`{0}` is not an e-mail address")]
    Email(String),
    #[error(transparent)]
    Db(#[from] DbError),
    /// A verb refused the fixture.
    #[error("can't create the {kind}: {cause}")]
    Verb { kind: &'static str, cause: Box<dyn std::error::Error + Send + Sync> },
}

/// Creates records at the time of the context's clock. Bodies are those of the API.
pub struct Fixtures {
    context: Context,
}

impl Fixtures {
    pub fn new(context: Context) -> Self {
        Self { context }
    }

    pub fn context(&self) -> &Context {
        &self.context
    }

    pub async fn database_is_empty(&self) -> Result<bool, FixtureError> {
        Ok(!accounts::user::store::any_user(&mut self.context.db.read().await?).await?)
    }

    /// Adds an account for each name and e-mail address. All have the same password.
    pub async fn add_users<'a>(
        &self,
        people: impl IntoIterator<Item = (&'a str, &'a str)>,
        password_hash: &str,
    ) -> Result<Vec<UserId>, FixtureError> {
        let now = self.context.clock.now();
        let mut ids = Vec::new();
        let mut db = self.context.db.write().await?;
        for (name, email) in people {
            let user = User {
                id: UserId::new(now),
                email: Some(email.to_owned()),
                email_verified_at: None,
                email_failed_at: None,
                name: name.to_owned(),
                locale: None,
                preferences: Preferences::default(),
                has_second_factor: false,
                created_at: now,
            };
            let credentials = Credentials::new(password_hash.to_owned()).map_err(DbError::from)?;
            let email = email.parse().map_err(|_| FixtureError::Email(email.to_owned()))?;
            accounts::user::store::insert_user(&mut db, &user, &email, &credentials).await?;
            ids.push(user.id);
        }
        db.commit().await?;
        Ok(ids)
    }

    pub async fn add_auction(&self, owner: UserId, body: Object) -> Result<AuctionId, FixtureError> {
        let created = create_auction(&self.context, owner, body).await;
        Ok(created.map_err(refused("auction"))?.resource.auction.id)
    }

    pub async fn add_book(&self, owner: UserId, body: Object) -> Result<BookId, FixtureError> {
        let created = create_book(&self.context, owner, body).await;
        Ok(created.map_err(refused("book"))?.resource.book.id)
    }

    pub async fn add_holders(
        &self,
        book_id: BookId,
        users: impl IntoIterator<Item = UserId>,
    ) -> Result<(), FixtureError> {
        let mut db = self.context.db.write_in_book(book_id).await?;
        let joined = posting::join(&mut db, book_id, users, self.context.clock.now()).await;
        joined.map_err(refused("holders"))?;
        Ok(db.commit().await?)
    }

    pub async fn add_currency(
        &self,
        auction_id: AuctionId,
        owner: UserId,
        body: Object,
    ) -> Result<Currency, FixtureError> {
        let created = create_currency(&self.context, auction_id, owner, body).await;
        Ok(created.map_err(refused("currency"))?.resource)
    }

    pub async fn add_group(&self, keeper: UserId, body: Object) -> Result<GroupView, FixtureError> {
        let created = create_group(&self.context, keeper, body).await;
        Ok(created.map_err(refused("group"))?.resource)
    }

    /// Adds managed users to a group, with the next free numbers. All have the same PIN.
    pub async fn add_people(
        &self,
        group: GroupId,
        names: impl IntoIterator<Item = String>,
        pin_hash: &str,
    ) -> Result<Vec<UserId>, FixtureError> {
        let now = self.context.clock.now();
        let credentials = Credentials::new(pin_hash.to_owned()).map_err(DbError::from)?;
        let user = |name: String| (UserId::new(now), name, credentials.clone());
        let users: Vec<_> = names.into_iter().map(user).collect();
        let mut db = write_in_group(&self.context.db, group).await?;
        accounts::user::store::insert_managed_users(&mut db, &users, now).await?;
        let ids: Vec<UserId> = users.into_iter().map(|(id, ..)| id).collect();
        insert_people(db, group, &ids, GroupRole::Person, now).await?;
        Ok(ids)
    }

    /// Makes users keepers of a group, with the next free numbers.
    pub async fn add_keepers(&self, group: GroupId, users: &[UserId]) -> Result<(), FixtureError> {
        let db = write_in_group(&self.context.db, group).await?;
        insert_people(db, group, users, GroupRole::Keeper, self.context.clock.now()).await
    }

    pub async fn add_rule(
        &self,
        auction_id: AuctionId,
        owner: UserId,
        body: Object,
    ) -> Result<(), FixtureError> {
        create_rule(&self.context, auction_id, owner, body).await.map_err(refused("rule"))?;
        Ok(())
    }

    pub async fn add_members(
        &self,
        auction_id: AuctionId,
        members: impl IntoIterator<Item = (UserId, Role)>,
    ) -> Result<(), FixtureError> {
        let now = self.context.clock.now();
        let mut db = self.context.db.write_in(&[auction_id]).await?;
        for (user, role) in members {
            access::store::insert(&mut db, auction_id, user, role, now).await?;
            // A member by the group of the auction is a bidder so far.
            access::store::set_role(&mut db, auction_id, user, role).await?;
        }
        db.commit().await?;
        Ok(())
    }

    pub async fn add_item(
        &self,
        auction_id: AuctionId,
        seller: UserId,
        body: Object,
    ) -> Result<ItemId, FixtureError> {
        let created = create_item(&self.context, auction_id, seller, body).await;
        Ok(created.map_err(refused("item"))?.resource.item.id)
    }
}

impl Fixtures {
    /// Adds a picture to an item, and returns its id. `file` is a picture of any format that is taken.
    pub async fn add_picture(
        &self,
        images: &Images,
        item: (AuctionId, ItemId),
        seller: UserId,
        file: File,
        alt: String,
    ) -> Result<ImageId, FixtureError> {
        let file = ReceivedFile { name: String::new(), content: Ok(file) };
        let texts = vec![("alt".to_owned(), alt)];
        let received = Received { texts, files: vec![file], ..Received::default() };
        let added = add_received(&self.context, images, item, seller, received).await;
        let added = added.map_err(refused("picture"))?.resource.into_iter().next();
        let missing = || DbError::Corrupt("no picture was added".to_owned());
        Ok(added.ok_or_else(missing)?.id)
    }
}

async fn insert_people(
    mut db: Transaction,
    group: GroupId,
    users: &[UserId],
    role: GroupRole,
    now: Moment,
) -> Result<(), FixtureError> {
    let taken = groups::places(&mut db, group).await?;
    let taken: Vec<_> = taken.into_iter().filter_map(|place| place.number).collect();
    let people: Vec<_> = PersonNumber::lowest_free(&taken).map(Some).zip(users.iter().copied()).collect();
    groups::insert_people(&mut db, group, &people, (role, ListId::new(now)), now).await?;
    Ok(db.commit().await?)
}

/// The error of a verb that refused to create a record of this kind.
pub fn refused<E: std::error::Error + Send + Sync + 'static>(
    kind: &'static str,
) -> impl FnOnce(E) -> FixtureError {
    move |cause| FixtureError::Verb { kind, cause: Box::new(cause) }
}
