//! The parameters of a run, and the caps of a book, as JSON.

use alloc::{borrow::ToOwned, collections::BTreeMap, format, string::String, vec::Vec};
use core::ops::RangeInclusive;

use super::{
    Base, Caps, Debts, Decay, Everyone, Grant, MAX_CUTS, MAX_HOLDERS, MAX_RUN_DIGITS, MAX_WEIGHT, RUN_DIGITS,
    Rest, RunKind, RunParams, Share, ShareSource, WeekDay,
};
use crate::{
    bounds::{MAX_ID_CHARS, MAX_NORMALIZED, MAX_PERCENT, MIN_AVAILABLE},
    definition::{DefinitionError, DefinitionErrors, Unreadable},
    json::push_json_text,
    money::{Fixed, Normalized, Percent, grouped},
    shape::{JsonReader, Read},
};

/// A part of a pot that a holder gets before it is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The id of the holder.
    pub holder: String,
    /// Above 0, at most 100; all cuts of a share together, too.
    pub percent: Percent,
}

/// A holder among whom a pot is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// The id of the holder.
    pub holder: String,
    /// 1 to 10,000.
    pub weight: u32,
}

/// Characters of a period, at most.
const MAX_PERIOD_CHARS: usize = 64;
/// The receivers of a share who are present.
const PRESENT: &str = "PRESENT";
/// The holders of a decay or a grant who are all.
const ALL: &str = "ALL";

/// `to` as it is read.
enum To {
    Word(String),
    List(Vec<ToItem>),
}

struct ToItem {
    holder: String,
    weight: Option<u32>,
}

struct CutItem {
    holder: String,
    percent: String,
}

/// The members of all kinds as they are read.
#[derive(Default)]
struct Given {
    digits: Option<u32>,
    auction: Option<String>,
    item: Option<String>,
    amount: Option<String>,
    cuts: Option<Vec<CutItem>>,
    to: Option<To>,
    rest: Option<Rest>,
    percent: Option<String>,
    floor: Option<String>,
    base: Option<Base>,
    debts: Option<Debts>,
    period: Option<String>,
}

const DIGITS: &str = "digits";
const AUCTION: &str = "auctionId";
const ITEM: &str = "itemId";
const AMOUNT: &str = "amount";
const CUTS: &str = "cuts";
const TO: &str = "to";
const REST: &str = "rest";
const PERCENT: &str = "percent";
const FLOOR: &str = "floor";
const BASE: &str = "base";
const DEBTS: &str = "debts";
const PERIOD: &str = "period";

impl RunKind {
    /// The members that the parameters of a run of this kind may have.
    const fn members(self) -> &'static [&'static str] {
        match self {
            Self::Share => &[DIGITS, AUCTION, ITEM, AMOUNT, CUTS, TO, REST],
            Self::Decay => &[DIGITS, PERCENT, FLOOR, BASE, DEBTS, TO, PERIOD],
            Self::Grant => &[DIGITS, AMOUNT, TO],
        }
    }
}

fn decimal(reader: &mut JsonReader<'_>) -> Read<String> {
    reader.literal().map(alloc::borrow::Cow::into_owned)
}

fn text(reader: &mut JsonReader<'_>) -> Read<String> {
    reader.text().map(alloc::borrow::Cow::into_owned)
}

fn to_item(reader: &mut JsonReader<'_>) -> Read<ToItem> {
    if reader.is_at_text() {
        return Ok(ToItem { holder: text(reader)?, weight: None });
    }
    let (mut holder, mut weight) = (None, None);
    reader.object(&["holder", "weight"], &mut |reader, place| {
        match place {
            0 => holder = Some(text(reader)?),
            _ => weight = reader.optional(JsonReader::integer)?,
        }
        Ok(())
    })?;
    Ok(ToItem { holder: reader.required(holder, "holder")?, weight })
}

fn cut_item(reader: &mut JsonReader<'_>) -> Read<CutItem> {
    let (mut holder, mut percent) = (None, None);
    reader.object(&["holder", PERCENT], &mut |reader, place| {
        match place {
            0 => holder = Some(text(reader)?),
            _ => percent = Some(decimal(reader)?),
        }
        Ok(())
    })?;
    Ok(CutItem { holder: reader.required(holder, "holder")?, percent: reader.required(percent, PERCENT)? })
}

fn to(reader: &mut JsonReader<'_>) -> Read<To> {
    if reader.is_at_text() { text(reader).map(To::Word) } else { reader.list(to_item).map(To::List) }
}

impl Given {
    fn read(reader: &mut JsonReader<'_>, kind: RunKind) -> Read<Self> {
        let mut given = Self::default();
        let names = kind.members();
        reader.object(names, &mut |reader, place| {
            let name = names.get(place).copied().unwrap_or_default();
            match name {
                DIGITS => given.digits = reader.optional(JsonReader::integer)?,
                AUCTION => given.auction = reader.optional(text)?,
                ITEM => given.item = reader.optional(text)?,
                AMOUNT => given.amount = reader.optional(decimal)?,
                CUTS => given.cuts = reader.optional(|reader| reader.list(cut_item))?,
                TO => given.to = reader.optional(to)?,
                REST => given.rest = reader.optional(|reader| reader.constant("expected KEEP or SPREAD"))?,
                PERCENT => given.percent = reader.optional(decimal)?,
                FLOOR => given.floor = reader.optional(decimal)?,
                BASE => given.base = reader.optional(|reader| reader.constant("expected ABOVE or WHOLE"))?,
                DEBTS => {
                    given.debts = reader.optional(|reader| reader.constant("expected LEAVE or SHRINK"))?;
                }
                _ => given.period = reader.optional(text)?,
            }
            Ok(())
        })?;
        Ok(given)
    }
}

/// The parameters, or all of their errors.
pub(crate) enum ParamsError {
    /// The text is no such document.
    Json(crate::shape::JsonError),
    /// Members are out of bounds.
    Members(Vec<DefinitionError>),
}

impl RunParams {
    /// Reads parameters of a run.
    ///
    /// # Errors
    /// Each member that is wrong; with an empty path if the text is no such document.
    pub fn parse(kind: RunKind, json: &str) -> Result<Self, Vec<DefinitionError>> {
        let mut reader = JsonReader::new(json);
        let read = Self::read(&mut reader, kind).and_then(|params| match reader.end() {
            Ok(()) => Ok(params),
            Err(error) => Err(ParamsError::Json(error)),
        });
        read.map_err(|error| match error {
            ParamsError::Members(errors) => errors,
            ParamsError::Json(error) => {
                let mut errors = DefinitionErrors::default();
                errors.add("", String::from(error));
                errors.finish().err().unwrap_or_default()
            }
        })
    }

    /// Reads parameters of a run where a document has them.
    pub(crate) fn read(reader: &mut JsonReader<'_>, kind: RunKind) -> Result<Self, ParamsError> {
        let given = Given::read(reader, kind).map_err(ParamsError::Json)?;
        Self::check(kind, given).map_err(ParamsError::Members)
    }

    fn check(kind: RunKind, given: Given) -> Result<Self, Vec<DefinitionError>> {
        let mut errors = DefinitionErrors::default();
        let digits = given.digits;
        errors.check(digits.is_none_or(|digits| digits <= MAX_RUN_DIGITS), DIGITS, "must be from 0 to 6");
        let made = match kind {
            RunKind::Share => share(given, &mut errors).map(Self::Share),
            RunKind::Decay => decay(given, &mut errors).map(Self::Decay),
            RunKind::Grant => grant(given, &mut errors).map(Self::Grant),
        };
        errors.finish()?;
        // INVARIANT: parameters without an error are made.
        made.ok_or_else(Vec::new)
    }

    /// The kind of the run.
    #[must_use]
    pub const fn kind(&self) -> RunKind {
        match self {
            Self::Share(_) => RunKind::Share,
            Self::Decay(_) => RunKind::Decay,
            Self::Grant(_) => RunKind::Grant,
        }
    }

    /// The parameters with all defaults, as JSON that [`parse`](Self::parse) reads.
    #[must_use]
    pub fn json(&self) -> String {
        match self {
            Self::Share(share) => share.json(),
            Self::Decay(decay) => decay.json(),
            Self::Grant(grant) => grant.json(),
        }
    }
}

const ONE_SOURCE: &str = "must be given, or auctionId, or itemId, and one of them only";

fn share(given: Given, errors: &mut DefinitionErrors) -> Option<Share> {
    let source = match (given.auction, given.item, given.amount) {
        (Some(id), None, None) => checked_id(errors, AUCTION, id).map(ShareSource::Auction),
        (None, Some(id), None) => checked_id(errors, ITEM, id).map(ShareSource::Item),
        (None, None, Some(amount)) => {
            let least = of_unit();
            read(errors, AMOUNT, &amount, least..=MAX_NORMALIZED, "above 0 and at most ")
                .map(ShareSource::Amount)
        }
        _ => {
            errors.add(AMOUNT, ONE_SOURCE);
            None
        }
    };
    let mut cuts = Vec::new();
    let given_cuts = given.cuts.unwrap_or_default();
    errors.check(given_cuts.len() <= MAX_CUTS, CUTS, "must have at most 100 entries");
    for (at, CutItem { holder, percent }) in given_cuts.into_iter().take(MAX_CUTS).enumerate() {
        let holder = checked_id(errors, &format!("{CUTS}.{at}.holder"), holder);
        let percent = self::percent(errors, &format!("{CUTS}.{at}.{PERCENT}"), &percent);
        cuts.extend(holder.zip(percent).map(|(holder, percent)| Cut { holder, percent }));
    }
    unique(errors, CUTS, cuts.iter().map(|cut| cut.holder.as_str()));
    let sum = cuts.iter().map(|cut| cut.percent.mantissa()).fold(0, i128::saturating_add);
    errors.check(sum <= MAX_PERCENT.mantissa(), CUTS, "must be at most 100 percent together");
    let to = match given.to {
        Some(To::Word(word)) => {
            errors.check(word == PRESENT, TO, "must be PRESENT, or a list of holders with weights");
            None
        }
        Some(To::List(list)) => receivers(errors, list),
        None => {
            errors.required(TO, None);
            None
        }
    };
    let rest = given.rest.unwrap_or(Rest::Keep);
    Some(Share { digits: given.digits.unwrap_or(RUN_DIGITS), source: source?, cuts, to, rest })
}

fn receivers(errors: &mut DefinitionErrors, list: Vec<ToItem>) -> Option<Vec<Receiver>> {
    errors.check(!list.is_empty(), TO, "must have an entry");
    errors.check(list.len() <= MAX_HOLDERS, TO, "must have at most 10,000 entries");
    let mut receivers = Vec::new();
    for (at, ToItem { holder, weight }) in list.into_iter().take(MAX_HOLDERS).enumerate() {
        let weight = weight.unwrap_or(1);
        let fits = (1..=MAX_WEIGHT).contains(&weight);
        if !fits {
            errors.add(format_args!("{TO}.{at}.weight"), "must be from 1 to 10,000");
        }
        let holder = checked_id(errors, &format!("{TO}.{at}.holder"), holder);
        receivers.extend(holder.filter(|_| fits).map(|holder| Receiver { holder, weight }));
    }
    unique(errors, TO, receivers.iter().map(|to| to.holder.as_str()));
    Some(receivers)
}

fn decay(given: Given, errors: &mut DefinitionErrors) -> Option<Decay> {
    let percent = errors
        .required(PERCENT, given.percent.as_deref())
        .map(ToOwned::to_owned)
        .and_then(|text| percent(errors, PERCENT, &text));
    let floor = match given.floor {
        Some(floor) => read(errors, FLOOR, &floor, Normalized::ZERO..=MAX_NORMALIZED, "from 0 to "),
        None => Some(Normalized::ZERO),
    };
    if let Some(period) = &given.period {
        let length = period.chars().count();
        let fits = (1..=MAX_PERIOD_CHARS).contains(&length) && !period.chars().any(char::is_control);
        errors.check(fits, PERIOD, "must be 1 to 64 characters in one line");
    }
    let to = everyone(errors, given.to);
    Some(Decay {
        digits: given.digits.unwrap_or(RUN_DIGITS),
        percent: percent?,
        floor: floor?,
        base: given.base.unwrap_or(Base::Above),
        debts: given.debts.unwrap_or(Debts::Leave),
        to: to?,
        period: given.period,
    })
}

fn grant(given: Given, errors: &mut DefinitionErrors) -> Option<Grant> {
    let amount = errors.required(AMOUNT, given.amount.as_deref()).map(ToOwned::to_owned);
    let range = MIN_AVAILABLE..=MAX_NORMALIZED;
    let amount =
        amount.and_then(|text| read(errors, AMOUNT, &text, range, &format!("from {} to ", least_of_debts())));
    errors.check(amount != Some(Normalized::ZERO), AMOUNT, "must not be 0");
    let to = everyone(errors, given.to);
    Some(Grant { digits: given.digits, amount: amount?, to: to? })
}

fn least_of_debts() -> String {
    grouped(&String::from(MIN_AVAILABLE))
}

/// All holders, or the listed ones, who have no weights.
fn everyone(errors: &mut DefinitionErrors, given: Option<To>) -> Option<Everyone> {
    let expected = "must be ALL, or a list of holders";
    match given {
        Some(To::Word(word)) => {
            errors.check(word == ALL, TO, expected);
            Some(Everyone::All)
        }
        Some(To::List(list)) => {
            errors.check(!list.is_empty(), TO, "must have an entry");
            errors.check(list.len() <= MAX_HOLDERS, TO, "must have at most 10,000 entries");
            let mut ids = Vec::new();
            for (at, ToItem { holder, weight }) in list.into_iter().take(MAX_HOLDERS).enumerate() {
                if weight.is_some() {
                    errors.add(format_args!("{TO}.{at}"), "must be a holder without a weight");
                }
                ids.extend(checked_id(errors, &format!("{TO}.{at}"), holder));
            }
            unique(errors, TO, ids.iter().map(String::as_str));
            Some(Everyone::Some(ids))
        }
        None => {
            errors.required(TO, None);
            None
        }
    }
}

fn checked_id(errors: &mut DefinitionErrors, path: &str, id: String) -> Option<String> {
    let fits = (1..=MAX_ID_CHARS).contains(&id.chars().count());
    errors.check(fits, path, "must be 1 to 64 characters");
    fits.then_some(id)
}

/// Adds an error for each id that was there before.
fn unique<'a>(errors: &mut DefinitionErrors, path: &str, ids: impl Iterator<Item = &'a str>) {
    let mut seen = BTreeMap::new();
    for (at, id) in ids.enumerate() {
        if seen.insert(id, at).is_some() {
            errors.duplicate(format_args!("{path}.{at}"), "must be a holder who is not named before");
        }
    }
}

/// The smallest amount.
fn of_unit() -> Normalized {
    Normalized::from_mantissa(1).unwrap_or_default()
}

fn percent(errors: &mut DefinitionErrors, path: &str, text: &str) -> Option<Percent> {
    let least = Percent::from_mantissa(1).unwrap_or_default();
    read(errors, path, text, least..=MAX_PERCENT, "above 0 and at most ")
}

/// Reads a decimal within its bounds, which the error names.
fn read<const SCALE: u32>(
    errors: &mut DefinitionErrors,
    path: &str,
    text: &str,
    range: RangeInclusive<Fixed<SCALE>>,
    words: &str,
) -> Option<Fixed<SCALE>> {
    let number = Fixed::parse(text).ok().filter(|number| range.contains(number));
    let number = number.ok_or_else(|| Unreadable::decimal(words, String::from(*range.end()), SCALE));
    errors.read(path, number)
}

impl Caps {
    /// Reads caps of a book in a case: the amounts, without the time zone that tells when a week starts.
    pub(crate) fn read(reader: &mut JsonReader<'_>) -> Result<Self, ParamsError> {
        let mut texts: [Option<String>; 4] = Default::default();
        let names = ["soft", "softPercent", "hard", "weekly", "weekStart", "timeZone"];
        reader
            .object(&names, &mut |reader, place| {
                if let Some(text) = texts.get_mut(place) {
                    *text = reader.optional(decimal)?;
                } else if place == 4 {
                    reader.optional(|reader| reader.constant::<WeekDay>("expected a day such as MONDAY"))?;
                } else {
                    reader.optional(text)?;
                }
                Ok(())
            })
            .map_err(ParamsError::Json)?;
        let [soft, soft_percent, hard, weekly] = texts;
        Self::check([soft.as_deref(), soft_percent.as_deref(), hard.as_deref(), weekly.as_deref()])
            .map_err(ParamsError::Members)
    }

    /// Caps of the texts of `soft`, `softPercent`, `hard` and `weekly`.
    ///
    /// # Errors
    /// Each member that is out of its bounds.
    pub fn check(texts: [Option<&str>; 4]) -> Result<Self, Vec<DefinitionError>> {
        let [soft, soft_percent, hard, weekly] = texts;
        let mut errors = DefinitionErrors::default();
        let mut amount = |path: &str, text: Option<&str>| {
            text.and_then(|text| {
                read(&mut errors, path, text, Normalized::ZERO..=MAX_NORMALIZED, "from 0 to ")
            })
        };
        let (soft, hard, weekly) = (amount("soft", soft), amount("hard", hard), amount("weekly", weekly));
        let given_percent = soft_percent.and_then(|text| {
            read(&mut errors, "softPercent", text, Percent::ZERO..=MAX_PERCENT, "from 0 to ")
        });
        errors.check(
            soft.is_some() || soft_percent.is_none(),
            "softPercent",
            "must have a soft cap, above which it is given",
        );
        errors.finish()?;
        Ok(Self { soft, soft_percent: given_percent.unwrap_or_default(), hard, weekly })
    }
}

/// A document in the making.
struct Written(String);

impl Written {
    fn new(digits: Option<u32>) -> Self {
        let mut written = Self(String::from("{"));
        if let Some(digits) = digits {
            written.0.push_str(&format!("\"{DIGITS}\":{digits}"));
        }
        written
    }

    fn name(&mut self, name: &str) {
        if !self.0.ends_with(['{', '[']) {
            self.0.push(',');
        }
        push_json_text(&mut self.0, name);
        self.0.push(':');
    }

    fn text(&mut self, name: &str, text: &str) {
        self.name(name);
        push_json_text(&mut self.0, text);
    }

    fn list<T>(&mut self, name: &str, items: &[T], item: impl Fn(&mut Self, &T)) {
        self.name(name);
        self.0.push('[');
        for each in items {
            if !self.0.ends_with('[') {
                self.0.push(',');
            }
            item(self, each);
        }
        self.0.push(']');
    }

    fn to(&mut self, to: &Everyone) {
        match to {
            Everyone::All => self.text(TO, ALL),
            Everyone::Some(ids) => self.list(TO, ids, |json, id| push_json_text(&mut json.0, id)),
        }
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

impl Share {
    fn json(&self) -> String {
        let mut json = Written::new(Some(self.digits));
        match &self.source {
            ShareSource::Auction(id) => json.text(AUCTION, id),
            ShareSource::Item(id) => json.text(ITEM, id),
            ShareSource::Amount(amount) => json.text(AMOUNT, &String::from(*amount)),
        }
        json.list(CUTS, &self.cuts, |json, cut| {
            json.0.push('{');
            json.text("holder", &cut.holder);
            json.text(PERCENT, &String::from(cut.percent));
            json.0.push('}');
        });
        match &self.to {
            None => json.text(TO, PRESENT),
            Some(list) => json.list(TO, list, |json, to| {
                json.0.push('{');
                json.text("holder", &to.holder);
                json.name("weight");
                json.0.push_str(&format!("{}", to.weight));
                json.0.push('}');
            }),
        }
        json.text(REST, self.rest.as_str());
        json.end()
    }
}

impl Decay {
    fn json(&self) -> String {
        let mut json = Written::new(Some(self.digits));
        json.text(PERCENT, &String::from(self.percent));
        json.text(FLOOR, &String::from(self.floor));
        json.text(BASE, self.base.as_str());
        json.text(DEBTS, self.debts.as_str());
        json.to(&self.to);
        if let Some(period) = &self.period {
            json.text(PERIOD, period);
        }
        json.end()
    }
}

impl Grant {
    fn json(&self) -> String {
        let mut json = Written::new(self.digits);
        json.text(AMOUNT, &String::from(self.amount));
        json.to(&self.to);
        json.end()
    }
}
