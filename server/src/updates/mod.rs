//! The update of this installation: one run at a time, whose steps stand in a journal, so that after a crash it is
//! known what was done and the next start finishes or reverts it (contract, section 8).

pub mod backup;
pub mod journal;
