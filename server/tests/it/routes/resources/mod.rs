//! What holds for every resource that is created and patched. The tests of each resource beside its other
//! routes have the rest.

mod table;

use serde_json::{Value, json};

use super::auctions::{NO_ID, change, wrong_fields};
use crate::harness::{Answer, Client, TestApp};

/// A resource and its fields.
struct Resource {
    app: TestApp,
    owner: Client,
    /// The path that creates and lists.
    collection: String,
    /// A valid body.
    body: Value,
    /// Changes fields of every kind.
    patch: &'static str,
    /// What the resource shows after the patch, where that is not what was sent.
    shown: Value,
    /// A patch with equal values in other words.
    same: &'static str,
    /// A valid patch for each number.
    numbered: fn(u32) -> Value,
    invalid: Invalid,
    /// The fields that null resets, with what they are then.
    defaults: Value,
    /// Other fields that the reset changes.
    derived: Value,
}

/// What a body may not contain, each with the path that is reported.
#[derive(Default)]
struct Invalid {
    /// Values of the field with the path, or of the field that contains it.
    values: Vec<(&'static str, Value)>,
    /// Changes of several fields.
    together: Vec<(&'static str, Value)>,
    /// Changes that only a new resource refuses.
    new: Vec<(&'static str, Value)>,
    /// Changes that only a patch refuses.
    patched: Vec<(&'static str, Value)>,
}

impl Invalid {
    /// The changes that a new resource and a patch refuse.
    fn always(&self) -> Vec<(&'static str, Value)> {
        let mut changes = vec![("id", json!({"id": NO_ID})), ("unknown", json!({"unknown": 1}))];
        for (path, values) in &self.values {
            let field = path.split('.').next().unwrap();
            changes.extend(values.as_array().unwrap().iter().map(|value| (*path, json!({field: value}))));
        }
        changes.extend(self.together.clone());
        changes
    }
}

/// A resource that was created.
struct Created<'a> {
    resource: &'a Resource,
    path: String,
}

impl Resource {
    async fn check(&self) {
        self.every_field_has_its_bounds().await;
        let created = self.owner.post(&self.collection, self.body.clone()).await;
        created.expect(201);
        let created = Created { resource: self, path: created.header("location").to_owned() };
        created.a_patch_changes_only_the_named_fields().await;
        created.an_invalid_patch_stores_nothing().await;
        created.null_resets_to_the_default().await;
        created.an_outdated_version_changes_nothing().await;
    }

    async fn every_field_has_its_bounds(&self) {
        let had = self.owner.get(&self.collection).await.expect(200);
        for (path, changes) in self.invalid.always().iter().chain(&self.invalid.new) {
            let mut body = self.body.clone();
            change(&mut body, changes.clone());
            let answer = self.owner.post(&self.collection, body).await;
            assert_eq!(wrong_fields(&answer), [*path], "{changes}");
        }
        assert_eq!(self.owner.get(&self.collection).await.expect(200), had, "nothing was stored");
    }
}

impl Created<'_> {
    /// The resource and its version.
    async fn seen(&self) -> (Value, String) {
        let seen = self.resource.owner.get(&self.path).await;
        (seen.expect(200), seen.header("etag").to_owned())
    }

    async fn patch(&self, patch: Value) -> Answer {
        self.resource.owner.patch(&self.path, patch).await
    }

    async fn if_match(&self, tags: &str, patch: Value) -> Answer {
        let request = self.resource.owner.request("PATCH", &self.path).header("if-match", tags);
        let request = request.header("content-type", "application/merge-patch+json");
        Answer::of(request.body(patch.to_string())).await
    }

    async fn a_patch_changes_only_the_named_fields(&self) {
        let Resource { app, owner, patch, shown, same, .. } = self.resource;
        let (mut expected, _) = self.seen().await;
        change(&mut expected, serde_json::from_str(patch).unwrap());
        change(&mut expected, shown.clone());
        expected["updatedAt"] = json!("2026-05-01T18:00:05.000Z");
        let expected = (expected, "\"2\"".to_owned());
        for patch in [patch, patch, same, "{}"] {
            app.clock.advance_seconds(5);
            let answer = owner.send_text("PATCH", &self.path, patch).await;
            assert_eq!((answer.expect(200), answer.header("etag").to_owned()), expected, "{patch}");
        }
        assert_eq!(self.seen().await, expected);
    }

    async fn an_invalid_patch_stores_nothing(&self) {
        let Resource { numbered, invalid, .. } = self.resource;
        let had = self.seen().await;
        for (path, changes) in invalid.always().iter().chain(&invalid.patched) {
            let mut patch = numbered(9);
            change(&mut patch, changes.clone());
            assert_eq!(wrong_fields(&self.patch(patch).await), [*path], "{changes}");
        }
        assert_eq!(self.seen().await, had);
    }

    async fn null_resets_to_the_default(&self) {
        let Resource { defaults, derived, .. } = self.resource;
        let mut nulls = defaults.clone();
        nulls.as_object_mut().unwrap().values_mut().for_each(|value| *value = Value::Null);
        let mut expected = self.patch(nulls).await.expect(200);
        let reset = expected.clone();
        change(&mut expected, defaults.clone());
        change(&mut expected, derived.clone());
        assert_eq!(reset, expected);
    }

    async fn an_outdated_version_changes_nothing(&self) {
        let Resource { numbered, .. } = self.resource;
        let version: u32 = self.seen().await.1.trim_matches('"').parse().unwrap();
        let (outdated, current) = (format!("\"{version}\""), format!("\"{}\"", version + 1));
        self.if_match(&outdated, numbered(1)).await.expect(200);
        let had = self.seen().await;
        let (weak, several) = (format!("W/{current}"), format!("\"x\", {outdated}"));
        for tags in [&outdated, &weak, &several, current.trim_matches('"'), ""] {
            self.if_match(tags, numbered(2)).await.expect_problem(412, "PRECONDITION_FAILED");
        }
        // Errors of the body come first.
        assert_eq!(wrong_fields(&self.if_match(&outdated, json!({"unknown": 1})).await), ["unknown"]);
        assert_eq!(self.seen().await, had);
        for (number, tags) in [(3, format!("\"x\", {current}")), (4, "*".to_owned())] {
            let mut expected = self.if_match(&tags, numbered(number)).await.expect(200);
            assert_eq!(self.seen().await.0, expected);
            let changed = expected.clone();
            change(&mut expected, numbered(number));
            assert_eq!(changed, expected);
        }
    }
}
