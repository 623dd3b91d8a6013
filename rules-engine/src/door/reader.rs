//! A strict reader of JSON (RFC 8259) that takes what is expected, member by member, and keeps numbers as text.
//!
//! It never recurses: how deep it goes is what the caller asks for, and what is passed over keeps its own stack.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use crate::{money::cut, text::Text};

/// What is wrong with the text, and after how many bytes.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    what: Cow<'static, str>,
    at: usize,
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        format!("{} at byte {}", fault.what, fault.at)
    }
}

pub(super) type Read<T> = Result<T, Fault>;

/// Where the reading stands.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// An object whose members are among `names` (at most 32), each at most once; `member` reads the value of
    /// one. Names in the order of the list are found quickest.
    pub(super) fn object(
        &mut self,
        names: &[&'static str],
        member: &mut dyn FnMut(&mut Self, &'static str) -> Read<()>,
    ) -> Read<()> {
        self.expect(b'{', "expected an object")?;
        let mut seen = 0_u32;
        let mut next = 0;
        if self.eat(b'}') {
            return Ok(());
        }
        loop {
            let start = self.clone();
            let (place, known) = match names.get(next) {
                Some(expected) if self.eat_name(expected) => (next, *expected),
                _ => {
                    let name = self.text()?;
                    let found = names.iter().enumerate().find(|(_, known)| ***known == *name);
                    let (place, known) = found.map_or_else(|| start.named("unknown member ", &name), Ok)?;
                    (place, *known)
                }
            };
            self.expect(b':', "expected a colon")?;
            let bit = u32::try_from(place).map_or(0, |place| 1_u32.wrapping_shl(place));
            if seen & bit != 0 {
                return start.named("duplicate member ", known);
            }
            seen |= bit;
            next = place.saturating_add(1);
            member(self, known)?;
            if !self.eat(b',') {
                return self.expect(b'}', "expected a comma or the object's end");
            }
        }
    }

    /// A list of whatever `item` reads.
    pub(super) fn list<T>(&mut self, item: fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
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

    /// What `value` reads, or nothing for null.
    pub(super) fn optional<T>(&mut self, value: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        if self.peek() == Some(b'n') { self.word("null").map(|()| None) } else { value(self).map(Some) }
    }

    /// A number or a string, as it is written.
    pub(super) fn literal(&mut self) -> Read<Text<'a>> {
        match self.peek() {
            Some(b'"') => self.text(),
            Some(b'-' | b'0'..=b'9') => self.number().map(Cow::Borrowed),
            _ => self.fail("expected a decimal: a number or a string"),
        }
    }

    /// A number without point, exponent and sign.
    pub(super) fn integer(&mut self) -> Read<u32> {
        self.peek();
        let start = self.clone();
        let number = self.number().or_else(|_| start.fail("expected an integer"))?;
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return start.fail("expected an integer");
        }
        number.parse().or_else(|_| start.fail("expected a smaller integer"))
    }

    pub(super) fn boolean(&mut self) -> Read<bool> {
        match self.peek() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => self.fail("expected true or false"),
        }
    }

    /// The name of a constant, as it parses itself.
    pub(super) fn constant<T: core::str::FromStr>(&mut self, otherwise: &'static str) -> Read<T> {
        self.peek();
        let start = self.clone();
        self.text()?.parse().or_else(|_| start.fail(otherwise))
    }

    /// Any value at all, passed over.
    pub(super) fn pass(&mut self) -> Read<()> {
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
            // A value has ended, and with it perhaps some of those around it.
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

    /// Nothing but space to the end.
    pub(super) fn end(&mut self) -> Read<()> {
        if self.peek().is_none() { Ok(()) } else { self.fail("expected the end") }
    }

    /// A value that has no values in it, passed over.
    fn scalar(&mut self) -> Read<()> {
        match self.peek() {
            Some(b'"') => self.text().map(|_| ()),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            _ => self.number().map(|_| ()),
        }
    }

    /// In an object that ends with `end`, what stands before a value.
    fn begin(&mut self, end: u8) -> Read<()> {
        if end == b'}' { self.name().map(|_| ()) } else { Ok(()) }
    }

    /// Passes over a name that stands there as it is, without an escape.
    fn eat_name(&mut self, name: &str) -> bool {
        self.peek();
        let rest = self.rest().strip_prefix(b"\"").and_then(|rest| rest.strip_prefix(name.as_bytes()));
        let there = rest.is_some_and(|rest| rest.first() == Some(&b'"'));
        if there {
            self.at = self.at.wrapping_add(name.len()).wrapping_add(2);
        }
        there
    }

    /// A member's name and the colon.
    fn name(&mut self) -> Read<Text<'a>> {
        let name = self.text()?;
        self.expect(b':', "expected a colon")?;
        Ok(name)
    }

    /// A string's text; borrowed where nothing is escaped.
    pub(super) fn text(&mut self) -> Read<Text<'a>> {
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

    /// What stands for itself in a string, up to something that does not.
    fn plain(&mut self) -> &'a str {
        let start = self.at;
        let rest = self.rest();
        let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '));
        self.at = start.wrapping_add(plain.unwrap_or(rest.len()));
        self.since(start)
    }

    /// The character that stands after a backslash.
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

    /// One character in UTF-16: a unit of four digits, or two of them.
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

    /// A number's own text.
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

    /// At least one digit; how many there are.
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

    /// Takes the next byte after any space, if it is this one.
    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.advance();
        }
        there
    }

    /// The next byte after any space, which is passed over.
    fn peek(&mut self) -> Option<u8> {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.advance();
        }
        self.byte()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// What is not read yet.
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Past the byte that is there.
    fn advance(&mut self) {
        self.at = self.at.wrapping_add(1);
    }

    /// The text from `start` to here.
    fn since(&self, start: usize) -> &'a str {
        // INVARIANT: both ends lie beside an ASCII character, and so between two characters.
        self.text.get(start..self.at).unwrap_or_default()
    }

    pub(super) fn fail<T>(&self, what: &'static str) -> Read<T> {
        Err(Fault { what: what.into(), at: self.at })
    }

    /// A fault about a member.
    fn named<T>(&self, what: &'static str, name: &str) -> Read<T> {
        let mut what = String::from(what);
        what.push_str(&cut(name));
        Err(Fault { what: what.into(), at: self.at })
    }

    /// The value of a member that must have been there.
    pub(super) fn given<T>(&self, value: Option<T>, name: &str) -> Read<T> {
        value.map_or_else(|| self.named("missing member ", name), Ok)
    }
}
