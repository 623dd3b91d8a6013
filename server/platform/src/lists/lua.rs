//! Values of Lua in the files in which a game saves the variables of its addons: `Name = { … }`, one below
//! the other. Nothing is executed: what is no literal is refused.

use super::tree::Tree;
use super::{LEVELS_MAX, ListError, VALUES_MAX, decimal};

const YES: &str = "yes";
const NO: &str = "no";

/// Whether a text begins with a variable, of which one is a table.
pub(super) fn begins(text: &str) -> bool {
    let mut file = File { rest: text, whole: text, values: 0 };
    file.pass_blanks();
    let has_name = file.word().is_some_and(|name| !name.starts_with(|letter: char| letter.is_ascii_digit()));
    file.pass_blanks();
    let is_set = file.rest.strip_prefix('=').is_some_and(|value| !value.starts_with('='));
    has_name && is_set && text.lines().any(|line| line.trim_end().ends_with("= {"))
}

pub(super) fn read(text: &str) -> Result<Tree, ListError> {
    let mut file = File { rest: text, whole: text, values: 0 };
    let mut variables = Vec::new();
    file.pass_blanks();
    while !file.rest.is_empty() {
        let name = file.word().ok_or_else(|| file.wrong())?.to_owned();
        file.expect('=')?;
        variables.push((name, file.value(LEVELS_MAX)?));
        file.pass_blanks();
    }
    Ok(Tree::Record(variables))
}

/// The rest of a file.
struct File<'f> {
    rest: &'f str,
    whole: &'f str,
    values: usize,
}

impl<'f> File<'f> {
    fn wrong(&self) -> ListError {
        let read = self.whole.len() - self.rest.len();
        ListError::Lua(1 + self.whole.bytes().take(read).filter(|byte| *byte == b'\n').count())
    }

    /// Passes blanks and comments.
    fn pass_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let Some(comment) = self.rest.strip_prefix("--") else { return };
            self.rest = comment.split_once('\n').map_or("", |(_, below)| below);
        }
    }

    /// Passes blanks, comments and a mark, if it comes next.
    fn passes(&mut self, mark: char) -> bool {
        self.pass_blanks();
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, mark: char) -> Result<(), ListError> {
        if self.passes(mark) { Ok(()) } else { Err(self.wrong()) }
    }

    /// The letters, digits and underscores that come next.
    fn word(&mut self) -> Option<&'f str> {
        let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = self.rest.find(|letter: char| !is_of_word(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        Some(word).filter(|word| !word.is_empty())
    }

    fn value(&mut self, levels: usize) -> Result<Tree, ListError> {
        self.values += 1;
        if self.values > VALUES_MAX {
            return Err(ListError::TooLarge("500,000 values"));
        }
        self.pass_blanks();
        if self.rest.starts_with('"') {
            return self.text().map(Tree::Text);
        }
        if self.passes('{') {
            return self.table(levels.checked_sub(1).ok_or(ListError::TooLarge("32 levels"))?);
        }
        let is_of_number = |letter: char| letter.is_ascii_alphanumeric() || "+-.#()".contains(letter);
        let end = self.rest.find(|letter: char| !is_of_number(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).ok_or_else(|| self.wrong())?;
        let text = match word {
            "true" => YES.to_owned(),
            "false" => NO.to_owned(),
            "nil" => String::new(),
            number if number.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-') => {
                decimal(number).unwrap_or_else(|| number.to_owned())
            }
            _ => return Err(self.wrong()),
        };
        self.rest = rest;
        Ok(Tree::Text(text))
    }

    /// The text between quotation marks that comes next.
    fn text(&mut self) -> Result<String, ListError> {
        let mut read = Vec::new();
        let mut bytes = self.rest.bytes().enumerate().skip(1).peekable();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    self.rest = self.rest.get(at + 1..).unwrap_or_default();
                    return Ok(String::from_utf8_lossy(&read).into_owned());
                }
                b'\\' => match bytes.next().map(|(_, byte)| byte) {
                    Some(b'n') => read.push(b'\n'),
                    Some(b'r') => read.push(b'\r'),
                    Some(b't') => read.push(b'\t'),
                    Some(first @ b'0'..=b'9') => {
                        let mut code = u32::from(first - b'0');
                        for _ in 0..2 {
                            let digit = bytes.next_if(|(_, byte)| byte.is_ascii_digit());
                            code = digit.map_or(code, |(_, byte)| code * 10 + u32::from(byte - b'0'));
                        }
                        read.push(u8::try_from(code).map_err(|_| self.wrong())?);
                    }
                    Some(other) => read.push(other),
                    None => break,
                },
                other => read.push(other),
            }
        }
        Err(self.wrong())
    }

    /// The table that has begun: a list, or a record of what has keys. A list beside keys has the key `list`.
    fn table(&mut self, levels: usize) -> Result<Tree, ListError> {
        let (mut items, mut members) = (Vec::new(), Vec::new());
        while !self.passes('}') {
            match self.key()? {
                Some(key) => members.push((key, self.value(levels)?)),
                None => items.push(self.value(levels)?),
            }
            if !(self.passes(',') || self.passes(';')) {
                self.expect('}')?;
                break;
            }
        }
        let is_index = |(key, _): &(String, Tree)| key.bytes().all(|byte| byte.is_ascii_digit());
        Ok(match (members.is_empty(), items.is_empty()) {
            (true, _) => Tree::List(items),
            (false, true) if members.iter().all(is_index) => {
                Tree::List(members.into_iter().map(|(_, value)| value).collect())
            }
            (false, true) => Tree::Record(members),
            (false, false) => {
                Tree::Record(members.into_iter().chain([("list".to_owned(), Tree::List(items))]).collect())
            }
        })
    }

    /// The key that comes next, such as `["Ada"] =`, `[7] =` or `name =`. None before a value without one.
    fn key(&mut self) -> Result<Option<String>, ListError> {
        if self.passes('[') {
            self.pass_blanks();
            if self.rest.starts_with('{') {
                return Err(self.wrong());
            }
            let key = self.value(0)?;
            self.expect(']')?;
            self.expect('=')?;
            return Ok(key.as_text().map(str::to_owned));
        }
        let before = self.rest;
        let name = self.word().filter(|name| !name.starts_with(|letter: char| letter.is_ascii_digit()));
        if let Some(name) = name
            && self.passes('=')
        {
            return Ok(Some(name.to_owned()));
        }
        self.rest = before;
        Ok(None)
    }
}
