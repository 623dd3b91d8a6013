//! Ids in paths.

use serde::Deserialize;

use crate::ids::{SessionId, UserId};

/// `/api/user/sessions/{session_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct SessionPath {
    pub session_id: SessionId,
}

/// `/api/system/users/{user_id}…`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct UserPath {
    pub user_id: UserId,
}
