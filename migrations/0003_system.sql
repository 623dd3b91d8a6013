-- The installation's own settings: one row, made with the first one that is set. The Deployment Admin is known by the
-- account, so that the setting follows its e-mail in the commit that changes it; nobody: there is none. An account
-- that is named here is not erased.
CREATE TABLE system_settings (
    id                  TEXT PRIMARY KEY CHECK (id = 'system'),
    deployment_admin_id TEXT REFERENCES users (id),
    auto_check_updates  BOOLEAN NOT NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL
);

-- What was done to the installation, by whom, when. No actor: whoever has the machine, from its shell. People are
-- named by their accounts alone, so that nothing is left here of one that is deleted.
CREATE TABLE audit_log (
    id         TEXT PRIMARY KEY,
    actor_id   TEXT,
    act        TEXT NOT NULL,
    subject_id TEXT,
    detail     TEXT,
    created_at BIGINT NOT NULL
);
