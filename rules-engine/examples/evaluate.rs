//! JSON Lines in, JSON Lines out: one case a line, one verdict a line, in order (SPEC, section 7).
//!
//! ```sh
//! cargo run -q --release -p rules-engine --example evaluate < cases.jsonl
//! ```

use std::io::{self, BufRead, BufReader, BufWriter, Write};

fn main() -> io::Result<()> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        match std::str::from_utf8(&line) {
            Ok(case) => writeln!(output, "{}", rules_engine::evaluate(case.trim_end_matches(['\r', '\n'])))?,
            Err(error) => writeln!(output, r#"{{"error":"{error}"}}"#)?,
        }
        line.clear();
        // Flush only if no input is buffered: a single case is answered at once, many cases in blocks.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()
}
