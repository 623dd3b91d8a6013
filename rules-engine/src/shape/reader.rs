//! A strict JSON reader (RFC 8259) that reads the expected members one by one and keeps numbers as text.
//!
//! It never recurses: the caller asks for each level, and skipped values are tracked on a stack of their own.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::Text;
use crate::money::truncate;

/// A syntax or type error, and its position in bytes.
#[derive(Clone, Debug)]
pub struct JsonError {
    what: Cow<'static, str>,
    at: usize,
}

impl From<JsonError> for String {
    fn from(fault: JsonError) -> Self {
        format!("{} at byte {}", fault.what, fault.at)
    }
}

/// A value, or what is wrong with the JSON.
pub type Read<T> = Result<T, JsonError>;

/// A position in a JSON text.
#[derive(Clone, Debug)]
pub struct JsonReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> JsonReader<'a> {
    /// Starts at the beginning of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Reads an object whose members are among `names` (at most 32), each at most once. `member` reads the
    /// value of the member at a position in `names`. Members in the order of `names` are found fastest.
    pub(crate) fn object(
        &mut self,
        names: &[&'static str],
        member: &mut dyn FnMut(&mut Self, usize) -> Read<()>,
    ) -> Read<()> {
        self.members(names, false, member)
    }

    /// Reads an object like `object`, and skips members that `names` does not have.
    ///
    /// # Errors
    /// The JSON is malformed, a member occurs twice, or `member` fails.
    pub fn open_object(
        &mut self,
        names: &[&'static str],
        member: &mut dyn FnMut(&mut Self, usize) -> Read<()>,
    ) -> Read<()> {
        self.members(names, true, member)
    }

    fn members(
        &mut self,
        names: &[&'static str],
        open: bool,
        member: &mut dyn FnMut(&mut Self, usize) -> Read<()>,
    ) -> Read<()> {
        self.expect(b'{', "expected an object")?;
        let mut seen = 0_u32;
        let mut next = 0;
        if self.eat(b'}') {
            return Ok(());
        }
        loop {
            let start = self.clone();
            let place = match names.get(next) {
                Some(expected) if self.eat_name(expected) => Some(next),
                _ => {
                    let name = self.text()?;
                    let place = names.iter().position(|known| **known == *name);
                    if place.is_none() && !open {
                        return start.named("unknown member ", &name);
                    }
                    place
                }
            };
            self.expect(b':', "expected a colon")?;
            if let Some(place) = place {
                let bit = u32::try_from(place).map_or(0, |place| 1_u32.wrapping_shl(place));
                if seen & bit != 0 {
                    return start.named("duplicate member ", names.get(place).copied().unwrap_or_default());
                }
                seen |= bit;
                next = place.saturating_add(1);
                member(self, place)?;
            } else {
                self.skip()?;
            }
            if !self.eat(b',') {
                return self.expect(b'}', "expected a comma or the object's end");
            }
        }
    }

    /// Reads a list; `item` reads one item.
    pub(crate) fn list<T>(&mut self, item: fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.expect(b'[', "expected a list")?;
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.eat(b',') {
                self.expect(b']', "expected a comma or the list's end")?;
                return Ok(items);
            }
        }
    }

    /// Reads null as `None`, and anything else with `value`.
    ///
    /// # Errors
    /// The value can't be read.
    pub fn optional<T>(&mut self, value: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        if self.peek() == Some(b'n') { self.word("null").map(|()| None) } else { value(self).map(Some) }
    }

    /// Reads a decimal: a number or a string, as it is written.
    pub(crate) fn literal(&mut self) -> Read<Text<'a>> {
        match self.peek() {
            Some(b'"') => self.text(),
            Some(b'-' | b'0'..=b'9') => self.number().map(Cow::Borrowed),
            _ => self.fail("expected a decimal: a number or a string"),
        }
    }

    /// Reads a number that the type can have, as it is written.
    ///
    /// # Errors
    /// There is no such number.
    pub fn parsed<T: core::str::FromStr>(&mut self) -> Read<T> {
        let start = self.clone();
        self.number()?.parse().or_else(|_| start.fail("expected another number"))
    }

    /// Reads a number without sign, point and exponent.
    pub(crate) fn integer(&mut self) -> Read<u32> {
        self.peek();
        let start = self.clone();
        let number = self.number().or_else(|_| start.fail("expected an integer"))?;
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return start.fail("expected an integer");
        }
        number.parse().or_else(|_| start.fail("expected a smaller integer"))
    }

    /// Reads true or false.
    pub(crate) fn boolean(&mut self) -> Read<bool> {
        match self.peek() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => self.fail("expected true or false"),
        }
    }

    /// Whether a string comes next.
    pub fn is_at_text(&mut self) -> bool {
        self.peek() == Some(b'"')
    }

    /// Reads the name of a constant; `otherwise` is the error for an unknown name.
    ///
    /// # Errors
    /// There is no such name.
    pub fn constant<T: core::str::FromStr>(&mut self, otherwise: &'static str) -> Read<T> {
        self.peek();
        let start = self.clone();
        self.text()?.parse().or_else(|_| start.fail(otherwise))
    }

    /// Skips any value.
    pub(crate) fn skip(&mut self) -> Read<()> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            let end = match self.peek() {
                Some(b'{') => b'}',
                Some(b'[') => b']',
                _ => 0,
            };
            if end == 0 {
                self.scalar()?;
            } else {
                self.advance();
                if !self.eat(end) {
                    self.begin(end)?;
                    open.push(end);
                    continue;
                }
            }
            // A value has ended, which may also end the values around it.
            loop {
                let Some(end) = open.last().copied() else { return Ok(()) };
                if self.eat(b',') {
                    self.begin(end)?;
                    break;
                }
                self.expect(end, "expected a comma or an end")?;
                open.pop();
            }
        }
    }

    /// Requires that only white space is left.
    ///
    /// # Errors
    /// There is something else.
    pub fn end(&mut self) -> Read<()> {
        if self.peek().is_none() { Ok(()) } else { self.fail("expected the end") }
    }

    /// Skips a value that is neither an object nor a list.
    fn scalar(&mut self) -> Read<()> {
        match self.peek() {
            Some(b'"') => self.text().map(|_| ()),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            _ => self.number().map(|_| ()),
        }
    }

    /// Skips what precedes a value inside the object or list that ends with `end`.
    fn begin(&mut self, end: u8) -> Read<()> {
        if end == b'}' { self.name().map(|_| ()) } else { Ok(()) }
    }

    /// Skips the name if it comes next and has no escapes.
    fn eat_name(&mut self, name: &str) -> bool {
        self.peek();
        let rest = self.rest().strip_prefix(b"\"").and_then(|rest| rest.strip_prefix(name.as_bytes()));
        let there = rest.is_some_and(|rest| rest.first() == Some(&b'"'));
        if there {
            self.at = self.at.wrapping_add(name.len()).wrapping_add(2);
        }
        there
    }

    /// Reads a member's name and the colon.
    fn name(&mut self) -> Read<Text<'a>> {
        let name = self.text()?;
        self.expect(b':', "expected a colon")?;
        Ok(name)
    }

    /// Reads a string; borrowed if nothing in it is escaped.
    ///
    /// # Errors
    /// There is no string.
    pub fn text(&mut self) -> Read<Text<'a>> {
        self.expect(b'"', "expected a string")?;
        let plain = self.plain();
        if self.byte() == Some(b'"') {
            self.advance();
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = String::from(plain);
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.advance();
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => {
                    self.advance();
                    text.push(self.escaped()?);
                    text.push_str(self.plain());
                }
                _ => return self.fail("a string does not end"),
            }
        }
    }

    /// Reads the characters of a string up to the next quote, escape or control character.
    fn plain(&mut self) -> &'a str {
        let start = self.at;
        let rest = self.rest();
        let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '));
        self.at = start.wrapping_add(plain.unwrap_or(rest.len()));
        self.since(start)
    }

    /// Reads the escape after a backslash.
    fn escaped(&mut self) -> Read<char> {
        let character = match self.byte() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.advance();
                return self.unicode();
            }
            _ => return self.fail("unknown escape"),
        };
        self.advance();
        Ok(character)
    }

    /// Reads one character in UTF-16: one unit of four hexadecimal digits, or a pair of them.
    fn unicode(&mut self) -> Read<char> {
        let first = self.unit()?;
        let mut units = [first, 0];
        let mut length = 1;
        if (0xd800..0xdc00).contains(&first) {
            self.exactly("\\u", "half a character")?;
            units = [first, self.unit()?];
            length = 2;
        }
        let mut characters = char::decode_utf16(units.into_iter().take(length));
        match (characters.next(), characters.next()) {
            (Some(Ok(character)), None) => Ok(character),
            _ => self.fail("half a character"),
        }
    }

    /// Reads four hexadecimal digits.
    fn unit(&mut self) -> Read<u16> {
        let start = self.at;
        for _ in 0..4 {
            if !self.byte().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                return self.fail("expected four hexadecimal digits");
            }
            self.advance();
        }
        u16::from_str_radix(self.since(start), 16).or_else(|_| self.fail("expected four hexadecimal digits"))
    }

    /// Reads a number as its own text.
    fn number(&mut self) -> Read<&'a str> {
        self.peek();
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.advance();
        }
        let leading = self.at;
        let digits = self.digits()?;
        if digits > 1 && self.text.as_bytes().get(leading) == Some(&b'0') {
            return self.fail("a number starts with zeros");
        }
        if self.byte() == Some(b'.') {
            self.advance();
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.advance();
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.advance();
            }
            self.digits()?;
        }
        Ok(self.since(start))
    }

    /// Skips at least one digit and returns how many there were.
    fn digits(&mut self) -> Read<usize> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.advance();
        }
        match self.at.saturating_sub(start) {
            0 => self.fail("expected a value"),
            digits => Ok(digits),
        }
    }

    fn word(&mut self, word: &'static str) -> Read<()> {
        self.exactly(word, "expected a value")
    }

    fn exactly(&mut self, token: &'static str, otherwise: &'static str) -> Read<()> {
        if !self.text.get(self.at..).is_some_and(|rest| rest.starts_with(token)) {
            return self.fail(otherwise);
        }
        self.at = self.at.saturating_add(token.len());
        Ok(())
    }

    fn expect(&mut self, byte: u8, otherwise: &'static str) -> Read<()> {
        if self.eat(byte) { Ok(()) } else { self.fail(otherwise) }
    }

    /// Skips white space, then the next byte if it is `byte`.
    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.advance();
        }
        there
    }

    /// Skips white space and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.advance();
        }
        self.byte()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The unread bytes.
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Moves past the current byte.
    fn advance(&mut self) {
        self.at = self.at.wrapping_add(1);
    }

    /// The text from `start` to here.
    fn since(&self, start: usize) -> &'a str {
        // INVARIANT: both ends are next to an ASCII character, and so on character boundaries.
        self.text.get(start..self.at).unwrap_or_default()
    }

    pub(crate) fn fail<T>(&self, what: &'static str) -> Read<T> {
        Err(JsonError { what: what.into(), at: self.at })
    }

    /// An error about a member.
    fn named<T>(&self, what: &'static str, name: &str) -> Read<T> {
        let mut what = String::from(what);
        what.push_str(&truncate(name));
        Err(JsonError { what: what.into(), at: self.at })
    }

    /// The value of a required member.
    ///
    /// # Errors
    /// There is none.
    pub fn required<T>(&self, value: Option<T>, name: &str) -> Read<T> {
        value.map_or_else(|| self.named("missing member ", name), Ok)
    }
}
