//! The simple model of an item.

pub const THRESHOLD_SECONDS: i64 = 45;
pub const EXTENSION_SECONDS: i64 = 60;
/// How long a bidder may take a bid back, and how often.
const WITHDRAWAL_SECONDS: i64 = 60;
const WITHDRAWALS_MAX: usize = 3;
/// How long a clerk may correct an outcome.
const CORRECTION_SECONDS: i64 = 600;

/// Status and code of an answer.
pub type Expected = (u16, &'static str);

const DONE: Expected = (200, "");
const FORBIDDEN: Expected = (403, "FORBIDDEN");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Bidder,
    Clerk,
    Admin,
    Removed,
}

impl Role {
    fn runs_hall(self) -> bool {
        matches!(self, Self::Clerk | Self::Admin)
    }
}

#[derive(Debug)]
pub struct Bid {
    pub bidder: usize,
    pub amount: u64,
    placed_at: i64,
    pub withdrawn_by: Option<&'static str>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub result: &'static str,
    /// The sequence of the bid that the item was sold to.
    pub sequence: Option<usize>,
    pub winner: Option<usize>,
}

/// What a clerk calls.
#[derive(Debug, Clone, Copy)]
pub enum Call {
    Passed,
    ToLeader,
    Sold { member: usize, of_member: Role, amount: u64 },
}

#[derive(Debug)]
pub struct Item {
    pub bids: Vec<Bid>,
    /// Seconds after the start.
    pub ends_at: i64,
    pub outcomes: Vec<Outcome>,
    /// Seconds after the start.
    closed_at: i64,
    /// One of the bidders; at first a member who never bids.
    pub seller: Option<usize>,
}

impl Item {
    pub fn open(ends_at: i64) -> Self {
        Self { bids: Vec::new(), ends_at, outcomes: Vec::new(), closed_at: 0, seller: None }
    }

    pub fn is_open(&self, now: i64) -> bool {
        self.outcomes.is_empty() && now < self.ends_at
    }

    /// The sequence of the highest standing bid.
    pub fn leading(&self) -> Option<usize> {
        self.bids.iter().rposition(|bid| bid.withdrawn_by.is_none()).map(|at| at + 1)
    }

    pub fn leader(&self) -> Option<usize> {
        self.leading().map(|sequence| self.bids[sequence - 1].bidder)
    }

    pub fn highest(&self) -> u64 {
        self.leading().map_or(0, |sequence| self.bids[sequence - 1].amount)
    }

    fn is_late(&self, now: i64) -> bool {
        now >= self.ends_at - THRESHOLD_SECONDS
    }

    fn extend(&mut self, now: i64) {
        if self.is_late(now) {
            self.ends_at = self.ends_at.max(now + EXTENSION_SECONDS);
        }
    }

    pub fn close(&mut self, result: Option<&'static str>, now: i64) {
        let leading = self.leading().filter(|_| result.is_none());
        let winner = leading.and_then(|_| self.leader());
        let sold = if leading.is_some() { "SOLD" } else { "UNSOLD" };
        self.outcomes.push(Outcome { result: result.unwrap_or(sold), sequence: leading, winner });
        self.closed_at = now;
    }

    /// A clerk bids for a member.
    pub fn bid_for(&mut self, role: Role, member: usize, of_member: Role, amount: u64, now: i64) -> Expected {
        if !role.runs_hall() {
            return FORBIDDEN;
        }
        if of_member == Role::Removed {
            return (422, "INVALID_BODY");
        }
        self.bid(member, of_member, amount, now)
    }

    pub fn hammer(&mut self, role: Role, call: Call, now: i64) -> Expected {
        if !role.runs_hall() {
            return FORBIDDEN;
        }
        if matches!(call, Call::Sold { of_member: Role::Removed, .. }) {
            return (422, "INVALID_BODY");
        }
        if !self.is_open(now) {
            return (409, "CLOSED");
        }
        match call {
            Call::Passed => {
                self.close(Some("UNSOLD"), now);
                return DONE;
            }
            Call::ToLeader if self.leading().is_none() => return (409, "NO_STANDING_BID"),
            Call::ToLeader => {}
            Call::Sold { member, .. } if self.seller == Some(member) => return (403, "OWN_ITEM"),
            Call::Sold { member, amount, .. }
                if self.leader() == Some(member) && self.highest() == amount => {}
            Call::Sold { amount, .. } if amount <= self.highest() => return (422, "BID_REJECTED"),
            Call::Sold { member, amount, .. } => {
                self.bids.push(Bid { bidder: member, amount, placed_at: now, withdrawn_by: None });
            }
        }
        self.close(None, now);
        DONE
    }

    /// Sells to a member without a bid.
    pub fn correct(&mut self, role: Role, member: usize, of_member: Role, now: i64) -> Expected {
        if !role.runs_hall() {
            return FORBIDDEN;
        }
        if of_member == Role::Removed {
            return (422, "INVALID_BODY");
        }
        match self.outcomes.last() {
            None => return (409, "NOT_CLOSED"),
            Some(outcome) if outcome.result == "CANCELLED" => return (409, "CLOSED"),
            Some(_) if role == Role::Clerk && now > self.closed_at + CORRECTION_SECONDS => {
                return (409, "TOO_LATE");
            }
            Some(_) => {}
        }
        if self.seller == Some(member) {
            return (403, "OWN_ITEM");
        }
        self.outcomes.push(Outcome { result: "SOLD", sequence: None, winner: Some(member) });
        DONE
    }

    pub fn bid(&mut self, bidder: usize, role: Role, amount: u64, now: i64) -> Expected {
        if role == Role::Removed {
            return FORBIDDEN;
        }
        if self.seller == Some(bidder) {
            return (403, "OWN_ITEM");
        }
        if !self.is_open(now) {
            return (409, "ITEM_NOT_OPEN");
        }
        if amount <= self.highest() {
            return (422, "BID_REJECTED");
        }
        self.extend(now);
        self.bids.push(Bid { bidder, amount, placed_at: now, withdrawn_by: None });
        (201, "")
    }

    /// `earlier` counts the bids that the user has taken back.
    pub fn withdraw(
        &mut self,
        sequence: usize,
        user: usize,
        role: Role,
        is_mistake: bool,
        earlier: &mut usize,
        now: i64,
    ) -> Expected {
        let (leading, newest) = (self.leading(), self.bids.len());
        let (is_open, is_late, sells) = (self.is_open(now), self.is_late(now), self.seller == Some(user));
        let Some(bid) = self.bids.get_mut(sequence - 1) else { return (404, "NOT_FOUND") };
        let is_own = bid.bidder == user;
        if role == Role::Removed || (!is_own && role != Role::Admin) {
            return FORBIDDEN;
        }
        // The owner of the auction is another manager.
        if !is_own && sells {
            return (403, "ASK_ANOTHER_MANAGER");
        }
        if bid.withdrawn_by.is_some() {
            return DONE;
        }
        if is_own {
            let is_newest = leading == Some(sequence) && newest == sequence;
            let is_in_time = is_open && !is_late && now <= bid.placed_at + WITHDRAWAL_SECONDS;
            if !is_mistake {
                return FORBIDDEN;
            }
            if !is_newest || !is_in_time {
                return (409, "TOO_LATE");
            }
            if *earlier >= WITHDRAWALS_MAX {
                return (409, "LIMIT_REACHED");
            }
            *earlier += 1;
        } else if !is_open {
            return (409, "CLOSED");
        }
        bid.withdrawn_by = Some(if is_own { "BIDDER" } else { "MANAGER" });
        self.extend(now);
        DONE
    }

    /// Ends the item, or cancels it with this `result`.
    pub fn end(&mut self, user: usize, role: Role, result: Option<&'static str>, now: i64) -> Expected {
        let sells = self.seller == Some(user) && result.is_none() && self.leading().is_none();
        if role != Role::Admin && (role == Role::Removed || !sells) {
            return FORBIDDEN;
        }
        if !self.is_open(now) {
            return (409, "CLOSED");
        }
        self.close(result, now);
        DONE
    }

    /// Sells to another bid or to nobody.
    pub fn decide(&mut self, role: Role, sequence: Option<usize>) -> Expected {
        if role != Role::Admin {
            return FORBIDDEN;
        }
        if sequence.is_some_and(|sequence| self.bids[sequence - 1].withdrawn_by.is_some()) {
            return (422, "INVALID_BODY");
        }
        match self.outcomes.last() {
            None => return (409, "NOT_CLOSED"),
            Some(outcome) if outcome.result == "CANCELLED" => return (409, "CLOSED"),
            Some(_) => {}
        }
        let result = if sequence.is_some() { "SOLD" } else { "UNSOLD" };
        let winner = sequence.map(|sequence| self.bids[sequence - 1].bidder);
        self.outcomes.push(Outcome { result, sequence, winner });
        DONE
    }

    /// Makes one of the bidders the seller.
    pub fn assign(&mut self, role: Role, seller: usize, role_of_seller: Role, now: i64) -> Expected {
        let stays = self.seller == Some(seller);
        if role != Role::Admin {
            return FORBIDDEN;
        }
        if role_of_seller == Role::Removed && !stays {
            return (422, "INVALID_BODY");
        }
        if self.leader() == Some(seller) && !stays {
            return (409, "LEADS_ITEM");
        }
        let stands = |bid: &Bid| bid.bidder == seller && bid.withdrawn_by.is_none();
        if self.bids.iter().any(stands) && !stays {
            return (409, "HAS_BIDS");
        }
        if !self.is_open(now) {
            return (409, "CLOSED");
        }
        self.seller = Some(seller);
        DONE
    }
}
