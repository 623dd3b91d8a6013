//! The page to which the link of an auction and an invite lead.
