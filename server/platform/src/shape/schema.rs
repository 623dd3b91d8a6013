//! Shapes in the OpenAPI document.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::Serialize;
use utoipa::openapi::schema::{
    ArrayBuilder, Object, ObjectBuilder, OneOfBuilder, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{KnownFormat, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{Members, Shape};

/// The schema of a body that creates a resource.
pub struct New<T>(PhantomData<T>);

/// The schema of a merge patch (RFC 7396) on a resource that `T` makes: the same members, none of them
/// required, in objects within it too. A client made from the document sends the defaults of members that it
/// was not given: here there are none, so that it changes nothing else.
pub struct MergePatch<T>(PhantomData<T>);

/// The schema of an entry of a list that a merge patch replaces as a whole: its defaults are words.
struct Entry<T>(PhantomData<T>);

impl<T: Shape> PartialSchema for New<T> {
    fn schema() -> RefOr<Schema> {
        description::<T>(Use::Create).schema(T::ABOUT)
    }
}

impl<T: Shape> ToSchema for New<T> {
    fn name() -> Cow<'static, str> {
        T::NAME.into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.extend(description::<T>(Use::Create).components);
    }
}

impl<T: Shape> PartialSchema for MergePatch<T> {
    fn schema() -> RefOr<Schema> {
        let about = "An absent member stays as it is; null removes it or sets its default.";
        description::<T>(Use::Patch).schema(about)
    }
}

impl<T: Shape> ToSchema for MergePatch<T> {
    /// `NewAuctionItem` is patched with `AuctionItemPatch`.
    fn name() -> Cow<'static, str> {
        format!("{}Patch", T::NAME.strip_prefix("New").unwrap_or(T::NAME)).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.extend(description::<T>(Use::Patch).components);
    }
}

impl<T: Shape> PartialSchema for Entry<T> {
    fn schema() -> RefOr<Schema> {
        description::<T>(Use::Entry).schema(T::ABOUT)
    }
}

impl<T: Shape> ToSchema for Entry<T> {
    /// A patch replaces entries of `NewDenomination` by those of `DenominationEntry`.
    fn name() -> Cow<'static, str> {
        format!("{}Entry", T::NAME.strip_prefix("New").unwrap_or(T::NAME)).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.extend(description::<T>(Use::Entry).components);
    }
}

/// What a schema is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Use {
    #[default]
    Create,
    Patch,
    Entry,
}

fn description<T: Shape>(usage: Use) -> Description {
    let mut description = Description { usage, ..Description::default() };
    T::default().members(&mut Members::describe(&mut description));
    description
}

/// The members of a shape that have been visited, and the schemas that they refer to.
#[derive(Default)]
pub(super) struct Description {
    usage: Use,
    properties: Vec<Property>,
    components: Vec<(String, RefOr<Schema>)>,
}

struct Property {
    name: String,
    required: bool,
    nullable: bool,
    kind: Kind,
    /// Type, bounds, description and default.
    object: Object,
}

enum Kind {
    Plain(Type),
    TextOr(Type),
    Reference(String),
    List(Box<RefOr<Schema>>),
}

impl Description {
    pub(super) fn add(&mut self, name: &str, required: bool, kind: Type) -> Visited<'_> {
        self.add_kind(name, required, Kind::Plain(kind))
    }

    pub(super) fn add_object<S: Shape>(&mut self, name: &str) -> Visited<'_> {
        let kind = Kind::Reference(match self.usage {
            Use::Create => self.refer::<New<S>>(),
            Use::Patch => self.refer::<MergePatch<S>>(),
            Use::Entry => self.refer::<Entry<S>>(),
        });
        self.add_kind(name, false, kind)
    }

    pub(super) fn add_list<S: Shape>(&mut self, name: &str) -> Visited<'_> {
        let items = Ref::from_schema_name(match self.usage {
            Use::Create => self.refer::<New<S>>(),
            Use::Patch | Use::Entry => self.refer::<Entry<S>>(),
        });
        self.add_kind(name, false, Kind::List(Box::new(items.into())))
    }

    fn add_kind(&mut self, name: &str, required: bool, kind: Kind) -> Visited<'_> {
        let object = ObjectBuilder::new().schema_type(SchemaType::AnyValue).build();
        self.properties.push(Property { name: name.to_owned(), required, nullable: !required, kind, object });
        Visited(Some(self))
    }

    /// Adds a schema to the document and returns its name.
    fn refer<S: ToSchema>(&mut self) -> String {
        let name = S::name().into_owned();
        self.components.push((name.clone(), S::schema()));
        S::schemas(&mut self.components);
        name
    }

    fn schema(self, about: &str) -> RefOr<Schema> {
        let mut object = ObjectBuilder::new();
        if !about.is_empty() {
            object = object.description(Some(about));
        }
        for property in self.properties {
            if property.required && self.usage != Use::Patch {
                object = object.required(property.name.clone());
            }
            let mut property = property;
            if self.usage == Use::Entry {
                property.say_default();
            }
            object = object.property(property.name.clone(), property.schema());
        }
        object.build().into()
    }
}

impl Property {
    /// Puts the default into the words about the member.
    fn say_default(&mut self) {
        let Some(default) = self.object.default.take() else { return };
        let about = self.object.description.take().map(|about| about + " ").unwrap_or_default();
        self.object.description = Some(format!("{about}By default `{default}`."));
    }

    fn schema(self) -> RefOr<Schema> {
        let Self { nullable, kind, mut object, .. } = self;
        match kind {
            Kind::Plain(kind) => {
                object.schema_type = schema_type(kind, nullable);
                object.into()
            }
            Kind::TextOr(other) => {
                let kinds = [Type::String, other].into_iter().chain(nullable.then_some(Type::Null));
                object.schema_type = SchemaType::Array(kinds.collect());
                object.into()
            }
            Kind::List(items) => {
                let list = ArrayBuilder::new().schema_type(schema_type(Type::Array, nullable)).items(*items);
                list.description(object.description).into()
            }
            Kind::Reference(name) => {
                let mut reference = Ref::from_schema_name(name);
                reference.description = object.description.unwrap_or_default();
                if !nullable {
                    return reference.into();
                }
                let null = ObjectBuilder::new().schema_type(Type::Null);
                OneOfBuilder::new().item(reference).item(null).default(object.default).into()
            }
        }
    }
}

fn schema_type(kind: Type, nullable: bool) -> SchemaType {
    if nullable { SchemaType::Array(vec![kind, Type::Null]) } else { SchemaType::Type(kind) }
}

/// The member that was visited last, for further description. Has no effect unless a schema is being
/// described.
pub struct Visited<'a>(Option<&'a mut Description>);

impl Visited<'_> {
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// What the member means.
    pub fn about(self, text: &str) -> Self {
        self.change(|property| property.object.description = Some(text.to_owned()))
    }

    pub fn example(self, value: &str) -> Self {
        self.change(|property| property.object.example = Some(value.into()))
    }

    /// A regular expression that the text matches.
    pub fn pattern(self, pattern: &str) -> Self {
        self.change(|property| property.object.pattern = Some(pattern.to_owned()))
    }

    pub fn format(self, format: SchemaFormat) -> Self {
        self.change(|property| property.object.format = Some(format))
    }

    /// How many characters the text has.
    pub fn length(self, chars: &RangeInclusive<usize>) -> Self {
        self.change(|property| {
            property.object.min_length = Some(*chars.start()).filter(|min| *min > 0);
            property.object.max_length = Some(*chars.end());
        })
    }

    /// Removes the default from the schema: it depends on other data, which [`about`](Self::about) names.
    pub fn without_default(self) -> Self {
        self.change(|property| property.object.default = None)
    }

    /// The value has the schema `S`.
    pub fn of<S: ToSchema>(mut self) -> Self {
        if let Some(description) = &mut self.0 {
            let name = description.refer::<S>();
            if let Some(last) = description.properties.last_mut() {
                last.kind = Kind::Reference(name);
            }
        }
        self
    }

    /// The value is a list, each entry with this schema.
    pub fn list_of(self, items: impl FnOnce() -> RefOr<Schema>) -> Self {
        self.change(|property| property.kind = Kind::List(Box::new(items())))
    }

    /// The value is never null, even if the member may be absent.
    pub(super) fn never_null(self) -> Self {
        self.change(|property| property.nullable = false)
    }

    /// The value may be null, even if the member must be given.
    pub(super) fn or_null(self) -> Self {
        self.change(|property| property.nullable = true)
    }

    pub(super) fn typed(self, kind: Type) -> Self {
        self.change(|property| property.kind = Kind::Plain(kind))
    }

    pub(super) fn or_integer(self) -> Self {
        self.change(|property| property.kind = Kind::TextOr(Type::Integer))
    }

    /// The text is a decimal, which may be a number too.
    pub fn or_number(self) -> Self {
        self.change(|property| property.kind = Kind::TextOr(Type::Number))
    }

    pub(super) fn bounds(self, bounds: &RangeInclusive<i64>) -> Self {
        self.change(|property| {
            property.object.format = Some(SchemaFormat::KnownFormat(KnownFormat::Int64));
            property.object.minimum = Some((*bounds.start()).into());
            property.object.maximum = Some((*bounds.end()).into());
        })
    }

    /// What the member is if it is absent: nothing else than it was, in a merge patch.
    pub(super) fn default_of(self, value: &impl Serialize) -> Self {
        let usage = self.0.as_ref().map(|description| description.usage).unwrap_or_default();
        let default = serde_json::to_value(value).ok().filter(|_| usage != Use::Patch);
        self.change(|property| property.object.default = default)
    }

    fn change(mut self, change: impl FnOnce(&mut Property)) -> Self {
        if let Some(last) = self.0.as_mut().and_then(|description| description.properties.last_mut()) {
            change(last);
        }
        self
    }
}
