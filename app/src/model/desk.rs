//! The state of the clerk's page in the browser, which answers each field with or without a network.

use super::BaseUnit;
use super::BidCurrency;
use super::wire::wire_enum;
use super::wire::wire_struct;
use rules_engine::ItemTerms;
use rules_engine::RuleDefinition;

wire_struct! {
    /// An auction as its clerk's desk knows it.
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct Desk {
        pub auction_id: String,
        pub clerk_id: String,
        /// Lots and members, as many as the page has room for.
        pub shown: DeskLists,
        /// Address of a document with further ones, if the page has no room for all.
        pub document: Option<String>,
        /// The lists of that document, which may be older than the page. The browser requests them.
        pub listed: Option<DeskLists>,
        /// Members are named by their numbers in the group of the auction, else by their ids.
        pub has_numbers: bool,
        /// The default first. Empty in a legacy auction.
        pub currencies: Vec<BidCurrency>,
        pub unit: BaseUnit,
        pub rules: Vec<RuleDefinition>,
        /// Id of the item on the block.
        pub block: Option<String>,
        /// Id of the item that this clerk called last.
        pub last: Option<String>,
        /// The time that the page is of, as the clerk reads it.
        pub as_of: String,
    }
}

wire_struct! {
    /// Lots and members of an auction.
    #[derive(Debug, Clone, Default, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct DeskLists {
        /// The open lots in the order in which they are called, then the held and the closed ones.
        pub lots: Vec<DeskLot>,
        /// The auction has more lots than these.
        pub has_more_lots: bool,
        pub members: Vec<DeskMember>,
        pub has_more_members: bool,
    }
}

wire_struct! {
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct DeskLot {
        pub item_id: String,
        pub lot_number: String,
        pub name: String,
        /// Address of the thumbnail of its first picture.
        pub picture: Option<String>,
        pub estimate: Option<String>,
        /// The prices from which and up to which the desk asks once, in base units, and the sentence about
        /// them. Empty for a lot on which it places bids.
        pub high: String,
        pub low: String,
        pub expected: String,
        pub terms: ItemTerms,
        /// The currency of the item itself, in a legacy auction.
        pub own_money: Option<OwnMoney>,
        pub seller_id: String,
        /// The standing price in base units, and who leads.
        pub highest: Option<String>,
        pub leader_id: Option<String>,
        pub leader: Option<String>,
        /// End of a call that lets bids or a draw decide, such as `sealed bids decide`. The clerk places bids
        /// on such a lot instead of selling it.
        pub decides: Option<String>,
        /// Sentence for a clerk who has typed such a lot.
        pub slips: String,
        /// A bid is a number of tickets.
        pub takes_tickets: bool,
        /// Left out until it comes back.
        pub is_held: bool,
        pub sale: Option<DeskSale>,
    }
}

wire_struct! {
    /// The currency of an item in a legacy auction.
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct OwnMoney {
        pub currency: BidCurrency,
        pub unit: BaseUnit,
    }
}

wire_struct! {
    /// What became of a closed lot.
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct DeskSale {
        pub words: String,
        /// Buyer, price and currency as a clerk types them. Absent if nobody bought it.
        pub buyer: Option<String>,
        pub price: Option<String>,
        pub currency_id: Option<String>,
        /// The price in base units.
        pub amount: Option<String>,
    }
}

wire_struct! {
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct DeskMember {
        pub id: String,
        pub number: Option<u64>,
        pub name: String,
        /// The available amount in base units. Absent in an auction without a book.
        pub available: Option<String>,
    }
}

impl Desk {
    /// The lists of the page, which are newer, and then those of the document.
    pub fn lists(&self) -> impl Iterator<Item = &DeskLists> {
        [&self.shown].into_iter().chain(&self.listed)
    }

    fn find_lot(&self, is_sought: impl Fn(&DeskLot) -> bool) -> Option<&DeskLot> {
        self.lists().flat_map(|lists| &lists.lots).find(|lot| is_sought(lot))
    }

    fn find_member(&self, is_sought: impl Fn(&DeskMember) -> bool) -> Option<&DeskMember> {
        self.lists().flat_map(|lists| &lists.members).find(|member| is_sought(member))
    }

    /// The lot with the typed number.
    pub fn lot(&self, typed: &str) -> Option<&DeskLot> {
        let typed = typed.trim();
        self.find_lot(|lot| lot.lot_number.eq_ignore_ascii_case(typed))
    }

    pub fn lot_with_id(&self, item_id: &str) -> Option<&DeskLot> {
        self.find_lot(|lot| lot.item_id == item_id)
    }

    /// Whether only the server knows all lots.
    pub fn has_more_lots(&self) -> bool {
        self.lists().all(|lists| lists.has_more_lots)
    }

    /// The member whom the text names.
    pub fn member(&self, typed: &str) -> Option<&DeskMember> {
        let typed = typed.trim();
        if !self.has_numbers {
            return self.find_member(|member| member.id == typed);
        }
        let number: u64 = typed.parse().ok()?;
        self.find_member(|member| member.number == Some(number))
    }

    /// Whether only the server knows all members.
    pub fn has_more_members(&self) -> bool {
        self.lists().all(|lists| lists.has_more_members)
    }

    pub fn unit_of<'a>(&'a self, lot: &'a DeskLot) -> &'a BaseUnit {
        lot.own_money.as_ref().map_or(&self.unit, |money| &money.unit)
    }

    /// The currency that was chosen for a lot, by its id.
    pub fn currency_of<'a>(&'a self, lot: &'a DeskLot, chosen: &str) -> Option<&'a BidCurrency> {
        let named = self.currencies.iter().find(|currency| currency.profile_id.as_deref() == Some(chosen));
        let own = lot.own_money.as_ref().map(|money| &money.currency);
        named.or(self.currencies.first()).or(own)
    }
}

impl DeskMember {
    /// The name, with the number before it, in the way in which pages write a person.
    pub fn in_words(&self) -> String {
        match self.number {
            Some(number) => format!("{} ({number})", self.name),
            None => self.name.clone(),
        }
    }
}

wire_struct! {
    /// An entry of a clerk that the server has not answered yet, or has refused.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PendingCall {
        /// Its place in the order in which calls are sent.
        pub order: u64,
        pub state: CallState,
        /// Why the server refused it.
        pub reason: Option<String>,
        pub item_id: String,
        /// The fields as they were typed.
        pub lot: String,
        pub buyer: String,
        pub price: String,
        pub currency: String,
        /// The buyer's id, and the price in base units.
        pub member_id: Option<String>,
        pub amount: Option<String>,
        pub is_correction: bool,
        /// It places a bid, and the lot stays open. Absent in calls that an earlier release has kept.
        pub is_bid: Option<bool>,
        pub words: String,
    }
}

wire_enum! {
    CallState {
        Waiting = "WAITING",
        /// The server may have it.
        Sending = "SENDING",
        Refused = "REFUSED",
        Sent = "SENT",
    }
}

wire_enum! {
    /// Why calls are not sent.
    Trouble {
        Offline = "OFFLINE",
        SignedOut = "SIGNED_OUT",
        OtherUser = "OTHER_USER",
    }
}

wire_struct! {
    /// The calls of a clerk that this browser keeps.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct ClerkOutbox {
        pub calls: Vec<PendingCall>,
        pub trouble: Option<Trouble>,
    }
}

impl PendingCall {
    /// It places a bid, and the lot stays open.
    pub fn places_bid(&self) -> bool {
        self.is_bid == Some(true)
    }
}

impl ClerkOutbox {
    /// The calls whose answers a desk does not show yet.
    pub fn unanswered(&self, desk: &Desk) -> Vec<PendingCall> {
        let is_answered = |call: &&PendingCall| {
            let is_closed = || desk.lot_with_id(&call.item_id).is_none_or(|lot| lot.sale.is_some());
            call.state == CallState::Sent && (call.is_correction || call.places_bid() || is_closed())
        };
        self.calls.iter().filter(|call| !is_answered(call)).cloned().collect()
    }
}
