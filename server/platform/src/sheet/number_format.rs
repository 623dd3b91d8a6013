//! What a number format of an `.xlsx` file shows a number as.

/// The kind of a format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum NumberFormat {
    #[default]
    Number,
    Percent,
    /// A date, a time or both.
    Moment {
        has_date: bool,
        has_time: bool,
    },
    /// Hours that count on beyond a day.
    Elapsed,
}

const DATE: NumberFormat = NumberFormat::Moment { has_date: true, has_time: false };
const TIME: NumberFormat = NumberFormat::Moment { has_date: false, has_time: true };
const BOTH: NumberFormat = NumberFormat::Moment { has_date: true, has_time: true };

impl NumberFormat {
    /// A format without a code in the file (ECMA-376, 18.8.30). Some numbers are formats of East Asian
    /// editions.
    pub(super) fn built_in(id: u32) -> Self {
        match id {
            9 | 10 => Self::Percent,
            14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58 => DATE,
            18..=21 | 32..=35 | 45 | 47 | 55 | 56 => TIME,
            22 => BOTH,
            46 => Self::Elapsed,
            _ => Self::Number,
        }
    }

    /// A format by its code: its first section, which is that of positive numbers.
    pub(super) fn of_code(code: &str) -> Self {
        let (mut has_date, mut has_time, mut has_month, mut is_percent) = (false, false, false, false);
        // The format without a form of its own is called so within codes, too.
        let code = code.to_ascii_lowercase().replace("general", "");
        let mut characters = code.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                ';' => break,
                '"' => while characters.next().is_some_and(|quoted| quoted != '"') {},
                // What follows is a character as it is, one of whose width is left blank, or one that fills.
                '\\' | '_' | '*' => drop(characters.next()),
                '[' => {
                    let mut within = String::new();
                    while let Some(inner) = characters.next_if(|inner| *inner != ']') {
                        within.push(inner);
                    }
                    if matches!(within.as_str(), "h" | "hh" | "m" | "mm" | "s" | "ss") {
                        return Self::Elapsed;
                    }
                }
                '%' => is_percent = true,
                'y' | 'd' => has_date = true,
                'h' | 's' => has_time = true,
                'm' => has_month = true,
                // The year of an era, and no exponent of a number.
                'e' if !matches!(characters.peek(), Some('+' | '-')) => has_date = true,
                _ => {}
            }
        }
        match (has_date, has_time) {
            (true, has_time) => Self::Moment { has_date, has_time },
            // Beside hours and seconds `m` is minutes.
            (false, true) => TIME,
            (false, false) if has_month => DATE,
            (false, false) if is_percent => Self::Percent,
            (false, false) => Self::Number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_tells_dates_and_percents_from_numbers() {
        let kinds = [
            ("0%", NumberFormat::Percent),
            ("#,##0.00\\ %;[Red]-0%", NumberFormat::Percent),
            ("0.00", NumberFormat::Number),
            ("General", NumberFormat::Number),
            ("@", NumberFormat::Number),
            ("0.00E+00", NumberFormat::Number),
            ("[$€-407]#,##0.00", NumberFormat::Number),
            ("\"per day\" 0", NumberFormat::Number),
            ("_(* #,##0_);_(* (#,##0)", NumberFormat::Number),
            ("0;\"d%\"0", NumberFormat::Number),
            ("[Red]0", NumberFormat::Number),
            ("dd.mm.yyyy", DATE),
            ("mmm", DATE),
            ("[$-409]d\\-mmm\\-yy;@", DATE),
            ("[$-411]ge.m.d", DATE),
            ("h:mm AM/PM", TIME),
            ("mm:ss", TIME),
            ("yyyy-mm-dd hh:mm", BOTH),
            ("[hh]:mm:ss", NumberFormat::Elapsed),
        ];
        for (code, kind) in kinds {
            assert_eq!(NumberFormat::of_code(code), kind, "{code}");
        }
        let built_in = [0, 2, 9, 14, 20, 22, 46, 49].map(NumberFormat::built_in);
        let [general, number, percent, date, time, both, elapsed, text] = built_in;
        assert_eq!([general, number, text], [NumberFormat::Number; 3]);
        assert_eq!((percent, elapsed), (NumberFormat::Percent, NumberFormat::Elapsed));
        assert_eq!((date, time, both), (DATE, TIME, BOTH));
    }
}
