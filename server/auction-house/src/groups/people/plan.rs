//! What a table of people would do to a group: each row adds a managed user, changes one, or nothing.

use std::collections::{HashMap, HashSet};

use accounts::groups::{GroupPerson, NotAPin, PEOPLE_MAX, PersonNumber, Pin};
use accounts::name::{PersonName, TypedName};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::UserId;
use platform::fields::FieldError;
use platform::table::{self, Column, Table, cut_rows, is_zero, listed, row_path};
use platform::text_enum;

/// Rows of one import, at most.
pub const ROWS_MAX: usize = 2_000;
/// The columns of a table of people.
pub const COLUMNS: [Column; 3] =
    [Column::optional("number"), Column::optional("name"), Column::optional("pin")];

text_enum! {
    /// What a row of an import does.
    #[schema(as = ImportAction)]
    pub enum ImportAction {
        Create = "CREATE",
        Change = "CHANGE",
        None = "NONE",
    }
}

/// A table that is read: its valid rows, and the errors of the others.
#[derive(Debug, Default)]
pub struct PeopleTable {
    rows: Vec<Row>,
    errors: Vec<FieldError>,
    ignored_columns: Vec<String>,
}

#[derive(Debug)]
struct Row {
    row: usize,
    number: Option<PersonNumber>,
    name: Option<TypedName>,
    pin: Option<Pin>,
}

/// A row with its person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub row: usize,
    pub number: PersonNumber,
    /// The user whom the row changes, with the name so far.
    pub had: Option<(UserId, String)>,
    /// Another name.
    pub name: Option<PersonName>,
    pub pin: Option<Pin>,
}

/// What a table would do to a group as it is.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub rows: Vec<Planned>,
    pub errors: Vec<FieldError>,
    pub ignored_columns: Vec<String>,
}

/// A row as it would be written.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GroupImportRow)]
pub struct PlannedDocument {
    /// Number of the row in a spreadsheet: the header is row 1.
    pub row: usize,
    pub number: i64,
    pub name: String,
    pub action: ImportAction,
}

/// What an import would do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GroupImportPreview)]
pub struct PlanDocument {
    pub rows: Vec<PlannedDocument>,
    pub errors: Vec<FieldError>,
    /// Names of columns that the import does not read.
    pub ignored_columns: Vec<String>,
    /// Rows that are left out of the answer, which has no room for them. Absent if all are listed.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub more_rows: usize,
}

impl Planned {
    pub fn action(&self) -> ImportAction {
        match &self.had {
            None => ImportAction::Create,
            Some(_) if self.name.is_some() || self.pin.is_some() => ImportAction::Change,
            Some(_) => ImportAction::None,
        }
    }
}

impl From<Plan> for PlanDocument {
    fn from(plan: Plan) -> Self {
        let row = |planned: Planned| PlannedDocument {
            row: planned.row,
            number: planned.number.get(),
            action: planned.action(),
            name: match (planned.name, planned.had) {
                (Some(name), _) => name.as_str().to_owned(),
                (None, Some((_, had))) => had,
                (None, None) => super::add::default_name(planned.number),
            },
        };
        let mut rows = plan.rows.into_iter().map(row).collect();
        let more_rows = cut_rows(&mut rows);
        Self { rows, errors: plan.errors, ignored_columns: plan.ignored_columns, more_rows }
    }
}

impl PeopleTable {
    pub fn read(csv: &str) -> Self {
        let table = match Table::read(csv, &COLUMNS, ROWS_MAX) {
            Ok(table) => table,
            Err(error) => return Self { errors: vec![error], ..Self::default() },
        };
        let Table { rows, errors, ignored_columns, .. } = table;
        let mut people = Self { rows: Vec::with_capacity(rows.len()), errors, ignored_columns };
        let mut numbers = HashSet::new();
        for table::Row { number: row, cells } in rows {
            match check(row, cells).and_then(|row| unique(row, &mut numbers)) {
                Ok(row) => people.rows.push(row),
                Err(message) => people.errors.push(FieldError::new(row_path(row), message)),
            }
        }
        people
    }

    /// What the rows do to a group of these people, who are in order.
    pub fn plan(self, people: &[GroupPerson]) -> Plan {
        let known: HashMap<PersonNumber, &GroupPerson> =
            people.iter().map(|person| (person.number, person)).collect();
        let mut plan = Plan { rows: Vec::new(), errors: self.errors, ignored_columns: self.ignored_columns };
        let mut taken: Vec<PersonNumber> = known.keys().copied().collect();
        let given = self.rows.iter().filter_map(|row| row.number);
        taken.extend(given.filter(|number| !known.contains_key(number)));
        taken.sort_unstable();
        let free: Vec<PersonNumber> = PersonNumber::lowest_free(&taken).take(self.rows.len()).collect();
        let (mut free, mut added) = (free.into_iter(), people.len());
        for Row { row, number, name, pin } in self.rows {
            let had = number.and_then(|number| known.get(&number));
            if had.is_some_and(|had| !had.is_managed) && (name.is_some() || pin.is_some()) {
                let message = "is of a person with an e-mail, whose name and PIN are not yours to change";
                plan.errors.push(FieldError::new(row_path(row), message));
                continue;
            }
            added += usize::from(had.is_none());
            let Some(number) = number.or_else(|| free.next()).filter(|_| added <= PEOPLE_MAX) else {
                plan.errors.push(FieldError::new(row_path(row), "is beyond the 2,000 people of a group"));
                continue;
            };
            let present = had.map_or("", |had| had.person.name.as_str());
            let name = match name.map(|name| name.of_user(present, &[number])).transpose() {
                Ok(name) => name,
                Err(error) => {
                    let message = format!("has a name that can’t be used: {error}");
                    plan.errors.push(FieldError::new(row_path(row), message));
                    continue;
                }
            };
            let name = name.filter(|name| had.is_none_or(|had| had.person.name != name.as_str()));
            let had = had.map(|had| (had.person.id, had.person.name.clone()));
            plan.rows.push(Planned { row, number, had, name, pin });
        }
        plan.errors = listed(plan.errors);
        plan
    }
}

/// The cells of a row, or what is wrong with it.
fn check(row: usize, [number, name, pin]: [String; COLUMNS.len()]) -> Result<Row, String> {
    let number = match number.as_str() {
        "" => None,
        number => Some(number.parse().map_err(|_| "has no valid number from 1 to 9999".to_owned())?),
    };
    let name = match name.as_str() {
        "" => None,
        name => Some(name.parse().map_err(|error| format!("has a name that can’t be used: {error}"))?),
    };
    let pin = match pin.as_str() {
        "" => None,
        pin => Some(pin.parse().map_err(|error| match error {
            NotAPin::Form => "has a PIN that is not 4 to 8 digits".to_owned(),
            NotAPin::Weak => format!("has a PIN that {error}"),
        })?),
    };
    Ok(Row { row, number, name, pin })
}

fn unique(row: Row, numbers: &mut HashSet<PersonNumber>) -> Result<Row, String> {
    match row.number {
        Some(number) if !numbers.insert(number) => Err(format!("has the number {number} of an earlier row")),
        _ => Ok(row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accounts::Person;
    use accounts::groups::GroupRole;
    use platform::time::Moment;

    fn person(number: i64, name: &str, is_managed: bool) -> GroupPerson {
        let now = Moment::from_millis(0).unwrap();
        GroupPerson {
            number: number.try_into().unwrap(),
            person: Person { id: UserId::new(now), name: name.to_owned() },
            is_managed,
            role: GroupRole::Person,
            is_disabled: false,
            locked_until: None,
            failures: 0,
            upgraded_at: None,
            last_sign_in_at: None,
            created_at: now,
        }
    }

    type Rows = Vec<(usize, i64, String, ImportAction)>;

    /// The rows, and the paths of the errors.
    fn actions(csv: &str) -> (Rows, Vec<String>) {
        let people = [person(1, "Boss", false), person(3, "Ada", true)];
        let document = PlanDocument::from(PeopleTable::read(csv).plan(&people));
        let rows = document.rows.into_iter().map(|row| (row.row, row.number, row.name, row.action));
        (rows.collect(), document.errors.into_iter().map(|error| error.path).collect())
    }

    #[test]
    fn a_row_adds_changes_or_does_nothing() {
        use ImportAction::{Change, Create, None};
        let csv = "Class;Name;Number;PIN\n4b;Ada;3;\n4b;Änne;;\n4b;Ada L.;3\n4b;;9;4711\n4b;Boss;;\n;;1;\n";
        let (rows, errors) = actions(csv);
        let one = |row, number, name: &str, action| (row, number, name.to_owned(), action);
        let expected = [
            one(2, 3, "Ada", None),
            one(3, 2, "Änne", Create),
            one(5, 9, "Number 9", Create),
            one(6, 4, "Boss", Create),
            one(7, 1, "Boss", None),
        ];
        assert_eq!((rows, errors), (expected.to_vec(), vec!["row 4".to_owned()]));
        let (rows, _) = actions("number,name,pin\n3,Ada L.,\n");
        assert_eq!(rows, [one(2, 3, "Ada L.", Change)]);
        let (rows, _) = actions("pin,number\n0042,3\n");
        assert_eq!(rows, [one(2, 3, "Ada", Change)]);
    }

    #[test]
    fn each_row_that_is_wrong_is_named() {
        let csv = "number,name,pin\n0,a,\n1,Other,\n,deleted user,\n5,b,123\n6,c,4711\n6,d,\n";
        let (rows, errors) = actions(csv);
        assert_eq!(errors, ["row 2", "row 4", "row 5", "row 7", "row 3"]);
        assert_eq!(rows.len(), 1);
    }
}
