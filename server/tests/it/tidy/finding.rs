//! Findings of a rule and the exceptions to it.

use super::source::Source;

/// A place that breaks a rule.
pub struct Finding {
    path: String,
    line: usize,
    what: String,
}

/// Permits `what` in every file whose path begins with `path`.
pub struct Exception {
    pub path: &'static str,
    pub what: &'static str,
    pub reason: &'static str,
}

impl Finding {
    pub fn new(source: &Source, offset: usize, what: impl Into<String>) -> Self {
        Self { path: source.path.clone(), line: source.line(offset), what: what.into() }
    }
}

impl Exception {
    fn covers(&self, finding: &Finding) -> bool {
        finding.path.starts_with(self.path) && finding.what == self.what
    }
}

/// Fails with every finding that no exception covers, and with every exception that covers no finding.
#[track_caller]
pub fn check(advice: &str, findings: &[Finding], exceptions: &[Exception]) {
    let uncovered = findings.iter().filter(|finding| !exceptions.iter().any(|one| one.covers(finding)));
    let mut failures: Vec<String> =
        uncovered.map(|Finding { path, line, what }| format!("{path}:{line}: {what}: {advice}")).collect();
    let unused = exceptions.iter().filter(|one| !findings.iter().any(|finding| one.covers(finding)));
    failures.extend(unused.map(|Exception { path, what, reason }| {
        format!("{path}: {what} does not occur any more: remove this exception (“{reason}”)")
    }));
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}
