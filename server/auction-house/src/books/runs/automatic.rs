//! Shares that outcomes cause: what an item was sold for is shared among the members who are present, in the
//! transaction that charges for it (SPEC, section 12). A further outcome takes the share of the one before
//! back, and shares anew among the same holders.

use std::collections::{BTreeSet, HashMap};

use rules_engine::money::Normalized;
use rules_engine::pot::{self, Holding, Receiver, Rest, RunParams, RunResult, Share, ShareSource};
use serde::{Deserialize, Serialize};

use super::params::Params;
use super::{BookRun, WithoutEntry};
use crate::access;
use crate::books::caps::CapLimits;
use crate::books::entries::notify::BalanceWords;
use crate::books::share::{BookShare, BuyerPart};
use crate::books::state::{BookState, Commitment, RunEntry};
use crate::books::store::batch::{self, Automatic, PostedEntry, Sale};
use crate::books::{Entry, EntryKind, store};
use crate::ids::{AuctionId, BookId, ItemId, OutcomeId, UserId};
use crate::notifications::NewNotification;
use crate::usage;
use platform::db::{Connection, DbError, Json};
use platform::time::Moment;

/// What the shares of a transaction depend on.
#[derive(Debug)]
pub struct Sharing {
    /// None if the book does not share any more: then shares are only taken back.
    terms: Option<Terms>,
    /// The number of the newest run.
    last_run: i64,
    present: HashMap<AuctionId, Present>,
    /// The names of items in auctions that do not hide their bidders.
    titles: HashMap<ItemId, String>,
    words: BalanceWords,
}

/// How the book shares.
#[derive(Debug)]
struct Terms {
    share: BookShare,
    limits: CapLimits,
}

/// Holders who are present in an auction, or were at an earlier outcome.
#[derive(Debug)]
struct Present {
    all: Vec<UserId>,
    /// The users, among them, who are holders now, in the order in which equal remainders are told apart.
    holders: Vec<UserId>,
}

/// A share that an outcome has caused.
#[derive(Debug)]
pub struct SharedSale {
    pub run: NewSaleRun,
    /// The holders who get something, and what.
    pub entries: Vec<(UserId, Normalized, RunEntry)>,
}

/// A run that an outcome causes.
#[derive(Debug)]
pub struct NewSaleRun {
    pub number: i64,
    pub params: SaleShareParams,
    pub reason: String,
    pub kept: Normalized,
    pub auction_id: AuctionId,
    pub outcome_id: OutcomeId,
    pub without: Vec<WithoutEntry>,
}

/// The parameters of a run that an outcome causes, as they are kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SaleShareParams {
    digits: u32,
    pub item_id: ItemId,
    cuts: [(); 0],
    to: Vec<ShareReceiver>,
    rest: Rest,
    /// The holders who were present at the first outcome.
    present: Vec<UserId>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct ShareReceiver {
    holder: UserId,
    weight: u32,
}

/// The runs that outcomes cause or reverse in a transaction.
#[derive(Debug, Default)]
pub struct SharesToWrite {
    pub runs: Vec<NewSaleRun>,
    /// The numbers of the runs that are reversed, and why.
    pub taken_back: Vec<(i64, String)>,
}

/// A share that is taken back.
#[derive(Debug)]
pub struct TakenBack {
    pub run: i64,
    pub reason: String,
    pub entries: Vec<Entry>,
}

/// The newest charge for an item, reversed or not, as far as its share goes.
#[derive(Debug)]
pub struct EarlierSale {
    /// None if it was not shared.
    pub run: Option<EarlierRun>,
}

/// The share of an earlier outcome.
#[derive(Debug)]
pub struct EarlierRun {
    pub number: i64,
    pub params: SaleShareParams,
    pub state: EarlierState,
}

/// What became of the share of an earlier outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlierState {
    InForce,
    /// A further outcome has reversed it.
    TakenBack,
    /// A teller has reversed it.
    ReversedByHand,
}

/// Reads what shares of items of an auction need, in a transaction that may charge for them for the first
/// time. Nothing is read of a book that does not share at once.
pub async fn prepare(
    conn: &mut Connection,
    book_id: BookId,
    book: &mut BookState,
    (auction_id, items): (AuctionId, &[ItemId]),
    now: Moment,
) -> Result<(), DbError> {
    if book.automatic().is_none() {
        return Ok(());
    }
    let members = access::store::present(conn, auction_id).await?;
    let holders = usage::holders_in_order(conn, book_id, auction_id, &members).await?;
    if holders.is_empty() {
        return Ok(());
    }
    learn(conn, book_id, book, &holders).await?;
    let sharing = begin(conn, book_id, book, now).await?;
    sharing.words.learn(conn, &holders, now).await?;
    sharing.titles.extend(usage::names_beside_bidders(conn, items).await?);
    sharing.present.insert(auction_id, Present { all: holders.clone(), holders });
    Ok(())
}

/// Reads what a further outcome of an item shares, and takes back what the one before has shared. To be
/// called with the book locked, once the charge of the outcome before is reversed.
pub async fn take_back(
    conn: &mut Connection,
    book_id: BookId,
    book: &mut BookState,
    auction_id: AuctionId,
    (item_id, copy): (ItemId, i64),
    now: Moment,
) -> Result<(), DbError> {
    let Some(earlier) = store::automatic::newest_sale(conn, book_id, (item_id, copy)).await? else {
        return prepare(conn, book_id, book, (auction_id, &[item_id]), now).await;
    };
    // Neither what was not shared nor what a teller has taken back is shared by a further outcome.
    let Some(run) = earlier.run.filter(|run| run.state != EarlierState::ReversedByHand) else {
        return Ok(());
    };
    let in_force = run.state == EarlierState::InForce;
    let entries =
        if in_force { store::entries::of_run(conn, book_id, run.number).await? } else { Vec::new() };
    let all = run.params.present;
    let holders = usage::holders_in_order(conn, book_id, auction_id, &all).await?;
    let concerned: BTreeSet<UserId> =
        entries.iter().map(|entry| entry.holder.id).chain(holders.iter().copied()).collect();
    let concerned = Vec::from_iter(concerned);
    learn(conn, book_id, book, &concerned).await?;
    let sharing = begin(conn, book_id, book, now).await?;
    sharing.words.learn(conn, &concerned, now).await?;
    sharing.titles.extend(usage::names_beside_bidders(conn, &[item_id]).await?);
    sharing.present.insert(auction_id, Present { all, holders });
    if let Some(Terms { limits, .. }) = &mut sharing.terms {
        entries.iter().for_each(|entry| limits.take_back(entry.holder.id, entry.amount, entry.created_at));
    }
    if in_force {
        let reason = format!("{} has another outcome", sharing.title(item_id));
        book.take_back_share(TakenBack { run: run.number, reason, entries });
    }
    Ok(())
}

/// What the share of the outcome in force of a copy has given a holder, which a further outcome takes back.
pub async fn given_by_sale(
    conn: &mut Connection,
    book_id: BookId,
    sold: (ItemId, i64),
    holder: UserId,
) -> Result<Normalized, DbError> {
    let earlier = store::automatic::newest_sale(conn, book_id, sold).await?;
    let run = earlier.and_then(|sale| sale.run).filter(|run| run.state == EarlierState::InForce);
    let Some(run) = run else { return Ok(Normalized::ZERO) };
    let entries = store::entries::of_run(conn, book_id, run.number).await?;
    let own = entries.into_iter().find(|entry| entry.holder.id == holder);
    Ok(own.map(|entry| entry.amount).unwrap_or_default())
}

/// Reads the balances of these users that are not known.
async fn learn(
    conn: &mut Connection,
    book_id: BookId,
    book: &mut BookState,
    users: &[UserId],
) -> Result<(), DbError> {
    let unknown: Vec<_> =
        users.iter().filter(|user| !book.knows(**user)).map(|user| (book_id, *user)).collect();
    let found = batch::balances(conn, &unknown).await?;
    for key in unknown {
        book.learn(key.1, found.get(&key).copied());
    }
    Ok(())
}

/// What the shares of the transaction depend on, which is read once.
async fn begin<'b>(
    conn: &mut Connection,
    book_id: BookId,
    book: &'b mut BookState,
    now: Moment,
) -> Result<&'b mut Sharing, DbError> {
    let read = match book.sharing().take() {
        Some(sharing) => sharing,
        None => Box::new(Sharing::read(conn, book_id, book.automatic(), now).await?),
    };
    Ok(book.sharing().insert(read))
}

impl Sharing {
    async fn read(
        conn: &mut Connection,
        book_id: BookId,
        automatic: Option<&Automatic>,
        now: Moment,
    ) -> Result<Self, DbError> {
        let terms = match automatic {
            Some(Automatic { share, caps }) => {
                let limits = CapLimits::within(conn, book_id, caps.as_ref(), now).await?;
                Some(Terms { share: *share, limits })
            }
            None => None,
        };
        let named = store::named(conn, book_id).await?;
        Ok(Self {
            terms,
            last_run: store::runs::last_number(conn, book_id).await?,
            present: HashMap::new(),
            titles: HashMap::new(),
            words: BalanceWords::read(conn, book_id, named).await?,
        })
    }

    /// The name of an item for a reason, which stands beside the entry of its buyer.
    fn title(&self, item_id: ItemId) -> String {
        self.titles.get(&item_id).map_or_else(|| "An item".to_owned(), |title| format!("“{title}”"))
    }

    /// Computes the share of a sale. None if nobody is present.
    pub fn share(
        &mut self,
        auction_id: AuctionId,
        sale: Sale,
        winner: Commitment,
        balance: impl Fn(UserId) -> Normalized,
    ) -> Option<SharedSale> {
        let reason = format!("{} was sold", self.title(sale.item_id));
        let terms = self.terms.as_mut()?;
        let present = self.present.get(&auction_id).filter(|present| !present.all.is_empty())?;
        if winner.amount <= Normalized::ZERO {
            return None;
        }
        self.last_run += 1;
        let run = NewSaleRun {
            number: self.last_run,
            params: SaleShareParams::of(terms.share, present, sale.item_id, winner),
            reason,
            kept: winner.amount,
            auction_id,
            outcome_id: sale.outcome_id,
            without: Vec::new(),
        };
        Some(terms.compute(run, winner.amount, balance))
    }

    /// Notifications of holders of what these shares, among other entries, give and take.
    pub fn notices(&self, entries: &[PostedEntry]) -> Vec<NewNotification> {
        self.words.notices(entries.iter().filter(|entry| entry.cause.run().is_some()), None)
    }
}

impl SaleShareParams {
    fn of(share: BookShare, present: &Present, item_id: ItemId, winner: Commitment) -> Self {
        let is_left_out = |user: &UserId| share.buyer == BuyerPart::Out && *user == winner.holder_id;
        let to = present.holders.iter().filter(|user| !is_left_out(user));
        Self {
            digits: share.digits,
            item_id,
            cuts: [],
            to: to.map(|user| ShareReceiver { holder: *user, weight: 1 }).collect(),
            rest: share.rest,
            present: present.all.clone(),
        }
    }
}

impl Terms {
    /// Computes what a run gives. All of the price is kept if a balance would be beyond 10^15.
    fn compute(
        &mut self,
        mut run: NewSaleRun,
        price: Normalized,
        balance: impl Fn(UserId) -> Normalized,
    ) -> SharedSale {
        let SaleShareParams { digits, item_id, rest, to, .. } = &run.params;
        let receiver = |to: &ShareReceiver| Receiver { holder: to.holder.to_string(), weight: to.weight };
        let params = RunParams::Share(Share {
            digits: *digits,
            source: ShareSource::Item(item_id.to_string()),
            cuts: Vec::new(),
            to: Some(to.iter().map(receiver).collect()),
            rest: *rest,
        });
        let holding = |to: &ShareReceiver| Holding {
            id: to.holder.to_string(),
            balance: balance(to.holder),
            given: self.limits.given(to.holder),
        };
        let holdings: Vec<Holding> = to.iter().map(holding).collect();
        let result = pot::compute(&params, self.limits.caps.as_ref(), &holdings, Some(price))
            .unwrap_or(RunResult { rows: Vec::new(), kept: price });
        let mut entries = Vec::new();
        let asked = result.rows.iter().filter(|row| row.asked != Normalized::ZERO);
        for (position, row) in (0_i64..).zip(asked) {
            let Some(holder_id) = to.get(row.holder).map(|to| to.holder) else { continue };
            if row.amount == Normalized::ZERO {
                run.without.push(WithoutEntry { position, holder_id, asked: row.asked, balance: row.after });
                continue;
            }
            self.limits.give(holder_id, row.amount);
            let (asked, reason) = ((row.asked != row.amount).then_some(row.asked), run.reason.clone());
            let entry = RunEntry { kind: EntryKind::Share, run: run.number, asked, reason, by: None };
            entries.push((holder_id, row.amount, entry));
        }
        run.kept = result.kept;
        SharedSale { run, entries }
    }
}

/// Removes from the runs of outcomes what would tell a keeper the buyers in a hidden auction.
pub async fn hide_items(conn: &mut Connection, viewer: UserId, runs: &mut [BookRun]) -> Result<(), DbError> {
    let mut automatic = Vec::new();
    for run in runs.iter_mut().filter(|run| run.is_automatic) {
        let params = Params::read(run.params.0.get()).map_err(DbError::Json)?;
        if let Some(item) = params.item().map_err(DbError::Json)? {
            automatic.push((run, item, params));
        }
    }
    let items: BTreeSet<ItemId> = automatic.iter().map(|(_, item, _)| *item).collect();
    let hidden = usage::with_hidden_bidders(conn, viewer, &Vec::from_iter(items)).await?;
    for (run, _, mut params) in automatic.into_iter().filter(|(_, item, _)| hidden.contains(item)) {
        params.hide_buyers();
        run.params = Json(params.json().map_err(DbError::Json)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
