//! The pages' side of the process: drawing them, and taking the forms that they post.

pub mod render;
