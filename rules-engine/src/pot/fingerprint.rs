use alloc::{format, string::String};

use sha2::{Digest, Sha256};

use super::{Holding, RunParams, RunResult};
use crate::money::Normalized;

impl RunResult {
    /// Hash of what the run does to these holders, in hexadecimal: another one if parameters or balances are
    /// others.
    #[must_use]
    pub fn fingerprint(&self, params: &RunParams, holders: &[Holding]) -> String {
        let mut hash = Sha256::new();
        // INVARIANT: no part contains a line break: parameters are JSON.
        let mut add = |part: &str| {
            hash.update(part);
            hash.update("\n");
        };
        add(params.kind().as_str());
        add(&params.json());
        for row in self.rows.iter().filter(|row| row.asked != Normalized::ZERO) {
            add(holders.get(row.holder).map_or("", |holder| &holder.id));
            for amount in [row.asked, row.amount, row.before] {
                add(&String::from(amount));
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
