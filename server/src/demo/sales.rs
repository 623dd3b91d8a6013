//! What happened in the demo's halls and books: lots that were hammered, and runs.

use accounts::Person;
use auction_house::access::NamedMember;
use auction_house::bids::hammer::{HammerBody, HammerItem, hammer};
use auction_house::books::entries::grant::grant;
use auction_house::books::runs::create::create_run;
use auction_house::engine::BidForm;
use auction_house::ids::{AuctionId, BookId, UserId};
use auction_house::items::block::put_on_block;
use auction_house::path::ItemPath;
use platform::body::Body;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::idempotency::{IdempotencyKey, KeyedRequest};

use super::DemoError;
use super::builder::{DemoBuilder, FilledAuction, counts, named};
use super::fixtures::refused;
use super::story::{DemoRun, DemoSale};

/// A body with an idempotency key of its own.
struct OwnKey {
    key: IdempotencyKey,
    body: Object,
}

impl OwnKey {
    /// `what` tells it from others of its user.
    fn new(what: &str, body: Object) -> Result<Self, DemoError> {
        let key = what.parse().map_err(|_| DemoError::UnknownName(what.to_owned()))?;
        Ok(Self { key, body })
    }

    fn request(&self) -> KeyedRequest {
        KeyedRequest::new(self.key.clone(), &[])
    }
}

impl Body for OwnKey {
    fn read(self) -> Result<Object, Problem> {
        Ok(self.body)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        Ok(Some(self.request()))
    }
}

impl DemoBuilder {
    pub(super) async fn add_sale(&self, target: &FilledAuction, demo: DemoSale) -> Result<(), DemoError> {
        self.set_hours_ago(demo.hours_ago);
        let item = ItemPath { auction_id: target.auction_id, item_id: *named(&target.items, &demo.lot)? };
        let body = match &demo.to {
            Some(buyer) => {
                let currency = demo.currency.map(|code| named(&target.currencies, &code)).transpose()?;
                let price =
                    BidForm { amount: demo.amount, entered_representation: demo.counts.as_ref().map(counts) };
                let buyer = NamedMember::user(self.person(buyer)?);
                HammerBody::sold(buyer, currency.map(String::as_str), price, false)
            }
            None => HammerBody::passed(),
        };
        let clerk = Person { id: self.person(&demo.by)?, name: demo.by };
        let keyed = OwnKey::new(&item.item_id.to_string(), Object::default())?.request();
        let request = body.read().map(|call| (call, keyed));
        hammer(self.fixtures.context(), &self.bids, HammerItem { item, clerk, request })
            .await
            .map_err(refused("sale"))?;
        Ok(())
    }

    pub(super) async fn put_on_block(
        &self,
        target: &FilledAuction,
        owner: UserId,
        lot: &str,
    ) -> Result<(), DemoError> {
        self.clock.set(self.now);
        let mut block = Object::default();
        block.set("itemId", named(&target.items, lot)?);
        put_on_block(self.fixtures.context(), target.auction_id, owner, block)
            .await
            .map_err(refused("block"))?;
        Ok(())
    }

    pub(super) async fn add_run(
        &self,
        (auction_id, book_id): (AuctionId, BookId),
        owner: UserId,
        demo: DemoRun,
    ) -> Result<(), DemoError> {
        self.set_hours_ago(demo.hours_ago);
        let key = format!("run-{}", demo.hours_ago);
        let mut body = Object::default();
        body.set("reason", &demo.reason);
        if let Some(amount) = demo.grant {
            body.set("holders", &"ALL");
            body.set("amount", &amount);
            let body = OwnKey::new(&key, body)?;
            grant(self.fixtures.context(), book_id, owner, body).await.map_err(refused("grant"))?;
            return Ok(());
        }
        let mut to = Vec::new();
        for name in demo.share.iter().flatten() {
            let mut receiver = Object::default();
            receiver.set("holder", &self.person(name)?);
            to.push(receiver);
        }
        let (kind, params) = match demo.decay {
            Some(params) => ("DECAY", params),
            None => {
                let mut params = Object::default();
                params.set("auctionId", &auction_id);
                params.set("to", &to);
                ("SHARE", params)
            }
        };
        body.set("kind", &kind);
        body.set("params", &params);
        let body = OwnKey::new(&key, body)?;
        create_run(self.fixtures.context(), book_id, owner, body).await.map_err(refused("run"))?;
        Ok(())
    }
}
