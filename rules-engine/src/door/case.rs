//! One case, as section 7 gives it: what decides a bid, and the bid.

use alloc::{string::String, vec::Vec};

use super::reader::{Read, Reader};
use crate::{
    money::{FractionPolicy, Normalized},
    rules::ItemTerms,
    text::{BidText, DenominationText, EntryText, ParamsText, ProfileText, RuleText, TierText},
};

/// A case, well formed. Whether it keeps the bounds is another question.
pub(super) struct Case<'a> {
    pub(super) profile: ProfileText<'a>,
    pub(super) rules: Vec<RuleText<'a>>,
    pub(super) item: ItemTerms,
    pub(super) highest: Option<Normalized>,
    pub(super) bid: Option<BidText<'a>>,
}

// The members of sections 4 and 5 that don't bear on a bid are allowed, and passed over. No others are.
const PROFILE: &[&str] = &[
    "id",
    "inputMode",
    "rateToBase",
    "precision",
    "fractionPolicy",
    "denominations",
    "auctionId",
    "code",
    "name",
    "symbol",
    "isDefault",
    "createdAt",
    "updatedAt",
];
const DENOMINATION: &[&str] = &["code", "factor", "name", "symbol"];
const RULE: &[&str] = &[
    "id",
    "currencyProfileId",
    "type",
    "params",
    "enabled",
    "position",
    "auctionId",
    "createdAt",
    "updatedAt",
];

impl<'a> Case<'a> {
    pub(super) fn read(json: &'a str) -> Result<Self, String> {
        let mut reader = Reader::new(json);
        let case = case(&mut reader)?;
        reader.end()?;
        Ok(case)
    }
}

/// One bid on its own.
pub(super) fn read_bid(json: &str) -> Read<BidText<'_>> {
    let mut reader = Reader::new(json);
    let bid = bid(&mut reader)?;
    reader.end()?;
    Ok(bid)
}

fn case<'a>(reader: &mut Reader<'a>) -> Read<Case<'a>> {
    let (mut of_profile, mut rules, mut of_item, mut highest, mut of_bid) = (None, None, None, None, None);
    reader.object(&["profile", "rules", "item", "highest", "bid"], &mut |reader, name| {
        match name {
            "profile" => of_profile = Some(profile(reader)?),
            "rules" => rules = Some(reader.list(rule)?),
            "item" => of_item = Some(item(reader)?),
            "highest" => highest = reader.optional(normalized)?,
            _ => of_bid = Some(bid(reader)?),
        }
        Ok(())
    })?;
    Ok(Case {
        profile: reader.given(of_profile, "profile")?,
        rules: reader.given(rules, "rules")?,
        item: reader.given(of_item, "item")?,
        highest,
        bid: of_bid,
    })
}

fn profile<'a>(reader: &mut Reader<'a>) -> Read<ProfileText<'a>> {
    let (mut id, mut input_mode, mut rate_to_base) = (None, None, None);
    let mut precision = 0;
    let mut fraction_policy = FractionPolicy::Reject;
    let mut denominations = Vec::new();
    reader.object(PROFILE, &mut |reader, name| {
        match name {
            "id" => id = Some(reader.text()?),
            "inputMode" => input_mode = Some(reader.constant("unknown input mode")?),
            "rateToBase" => rate_to_base = Some(reader.literal()?),
            "precision" => precision = reader.integer()?,
            "fractionPolicy" => fraction_policy = reader.constant("unknown fraction policy")?,
            "denominations" => {
                denominations = reader.optional(|reader| reader.list(denomination))?.unwrap_or_default();
            }
            _ => reader.pass()?,
        }
        Ok(())
    })?;
    Ok(ProfileText {
        id: reader.given(id, "id")?,
        input_mode: reader.given(input_mode, "inputMode")?,
        rate_to_base: reader.given(rate_to_base, "rateToBase")?,
        // What does not fit is out of bounds either way.
        precision: u8::try_from(precision).unwrap_or(u8::MAX),
        fraction_policy,
        denominations,
    })
}

fn denomination<'a>(reader: &mut Reader<'a>) -> Read<DenominationText<'a>> {
    let (mut code, mut factor) = (None, None);
    reader.object(DENOMINATION, &mut |reader, name| {
        match name {
            "code" => code = Some(reader.text()?),
            "factor" => factor = Some(reader.literal()?),
            _ => reader.pass()?,
        }
        Ok(())
    })?;
    Ok(DenominationText { code: reader.given(code, "code")?, factor: reader.given(factor, "factor")? })
}

fn rule<'a>(reader: &mut Reader<'a>) -> Read<RuleText<'a>> {
    let (mut id, mut currency_profile_id, mut rule_type) = (None, None, None);
    let (mut of_params, mut enabled, mut position) = (None, true, None);
    reader.object(RULE, &mut |reader, name| {
        match name {
            "id" => id = Some(reader.text()?),
            "currencyProfileId" => currency_profile_id = reader.optional(Reader::text)?,
            "type" => rule_type = Some(reader.constant("unknown rule type")?),
            "params" => of_params = Some(params(reader)?),
            "enabled" => enabled = reader.boolean()?,
            "position" => position = Some(reader.integer()?),
            _ => reader.pass()?,
        }
        Ok(())
    })?;
    Ok(RuleText {
        id: reader.given(id, "id")?,
        currency_profile_id,
        rule_type: reader.given(rule_type, "type")?,
        params: reader.given(of_params, "params")?,
        enabled,
        position: reader.given(position, "position")?,
    })
}

fn params<'a>(reader: &mut Reader<'a>) -> Read<ParamsText<'a>> {
    let mut params = ParamsText::default();
    let names = &["amount", "percent", "tiers", "denomination", "minRatio", "minCount"];
    reader.object(names, &mut |reader, name| {
        match name {
            "amount" => params.amount = reader.optional(Reader::literal)?,
            "percent" => params.percent = reader.optional(Reader::literal)?,
            "tiers" => params.tiers = reader.optional(|reader| reader.list(tier))?,
            "denomination" => params.denomination = reader.optional(Reader::text)?,
            "minRatio" => params.min_ratio = reader.optional(Reader::literal)?,
            _ => params.min_count = reader.optional(Reader::literal)?,
        }
        Ok(())
    })?;
    Ok(params)
}

fn tier<'a>(reader: &mut Reader<'a>) -> Read<TierText<'a>> {
    let (mut from, mut amount) = (None, None);
    reader.object(&["from", "amount"], &mut |reader, name| {
        *(if name == "from" { &mut from } else { &mut amount }) = Some(reader.literal()?);
        Ok(())
    })?;
    Ok(TierText { from: reader.given(from, "from")?, amount: reader.given(amount, "amount")? })
}

fn item(reader: &mut Reader) -> Read<ItemTerms> {
    let mut item = ItemTerms::default();
    reader.object(&["minBidNormalized", "minIncrementNormalized"], &mut |reader, name| {
        let value = reader.optional(normalized)?;
        *(if name == "minBidNormalized" {
            &mut item.min_bid_normalized
        } else {
            &mut item.min_increment_normalized
        }) = value;
        Ok(())
    })?;
    Ok(item)
}

fn bid<'a>(reader: &mut Reader<'a>) -> Read<BidText<'a>> {
    let mut bid = BidText::default();
    reader.object(&["amount", "enteredRepresentation"], &mut |reader, name| {
        match name {
            "amount" => bid.amount = reader.optional(Reader::literal)?,
            _ => bid.entries = reader.optional(|reader| reader.list(entry))?,
        }
        Ok(())
    })?;
    Ok(bid)
}

fn entry<'a>(reader: &mut Reader<'a>) -> Read<EntryText<'a>> {
    let (mut denomination, mut count) = (None, None);
    reader.object(&["denomination", "count"], &mut |reader, name| {
        match name {
            "denomination" => denomination = Some(reader.text()?),
            _ => count = Some(reader.literal()?),
        }
        Ok(())
    })?;
    Ok(EntryText {
        denomination: reader.given(denomination, "denomination")?,
        count: reader.given(count, "count")?,
    })
}

fn normalized(reader: &mut Reader) -> Read<Normalized> {
    let start = reader.clone();
    Normalized::parse(&reader.literal()?)
        .or_else(|_| start.fail("expected a decimal with at most 13 fraction digits"))
}
