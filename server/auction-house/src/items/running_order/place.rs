//! Places in the running order. An item that is moved takes a position between those of its neighbours, so
//! that two clerks who move different items do not overwrite each other's order.

use crate::ids::ItemId;

/// From one position to the next, where a whole order is written.
const GAP: i64 = 1 << 20;

/// An item of an auction that is not closed, with its position if it has one.
pub type Placed = (ItemId, Option<i64>);

/// The positions to write so that `item` is called directly before `before`, or else last. None if that is
/// its place already. Of `order`, the items without a position come last.
pub fn moved(order: &[Placed], item: ItemId, before: Option<ItemId>) -> Vec<(ItemId, i64)> {
    let mut others: Vec<Placed> = order.iter().copied().filter(|(id, _)| *id != item).collect();
    let at = others.iter().position(|(id, _)| Some(*id) == before).unwrap_or(others.len());
    if order.get(at).is_some_and(|(id, _)| *id == item) {
        return Vec::new();
    }
    let above = at.checked_sub(1).and_then(|above| others.get(above)).map(|(_, position)| *position);
    let below = others.get(at).and_then(|(_, position)| *position);
    if let Some(position) = between(above, below) {
        return vec![(item, position)];
    }
    others.insert(at, (item, None));
    others.into_iter().zip(1..).map(|((id, _), number)| (id, GAP * number)).collect()
}

/// A free position after the item above, if there is one, and before the position below. None if the item
/// above has no position, or there is no room.
fn between(above: Option<Option<i64>>, below: Option<i64>) -> Option<i64> {
    match (above, below) {
        (Some(None), _) => None,
        (None, None) => Some(GAP),
        (Some(Some(above)), None) => above.checked_add(GAP),
        (None, Some(below)) => below.checked_sub(GAP),
        (Some(Some(above)), Some(below)) => {
            let position = above.midpoint(below);
            (position > above && position < below).then_some(position)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::ids::{Id, Uuid};

    fn item(number: u128) -> ItemId {
        ItemId::of(Uuid::from_u128(number))
    }

    /// Writes positions, and reads the order: by position, then by number.
    fn write(order: &mut [Placed], written: &[(ItemId, i64)]) {
        for (id, position) in written {
            order.iter_mut().find(|(one, _)| one == id).unwrap().1 = Some(*position);
        }
        order.sort_by_key(|(id, position)| (position.is_none(), *position, *id));
    }

    fn ids(order: &[Placed]) -> Vec<ItemId> {
        order.iter().map(|(id, _)| *id).collect()
    }

    #[test]
    fn an_item_is_where_it_was_moved_to_and_the_others_keep_their_order() {
        let mut order: Vec<Placed> = (0..9).map(|number| (item(number), None)).collect();
        let mut expected = ids(&order);
        // Every item before every other, many times over, so that gaps are used up.
        for step in 0_u128..3_000 {
            let (moves, target) = (item(step * step % 9), item((step / 2 + step % 5) % 10));
            let before = Some(target).filter(|target| *target != moves && *target != item(9));
            let written = moved(&order, moves, before);
            write(&mut order, &written);
            expected.retain(|id| *id != moves);
            let at = expected.iter().position(|id| Some(*id) == before).unwrap_or(expected.len());
            expected.insert(at, moves);
            assert_eq!(ids(&order), expected, "step {step}");
        }
    }

    #[test]
    fn few_positions_are_written() {
        let mut order: Vec<Placed> = (0..9).map(|number| (item(number), None)).collect();
        assert_eq!(moved(&order, item(3), Some(item(4))), []);
        assert_eq!(moved(&order, item(8), None), []);
        let first = moved(&order, item(5), Some(item(0)));
        assert_eq!(first, [(item(5), GAP)]);
        write(&mut order, &first);
        assert_eq!(moved(&order, item(6), Some(item(0))), [(item(6), 2 * GAP)], "behind the first");
        assert_eq!(moved(&order, item(5), None).len(), 9, "behind items by lot number");
        // Two items that take turns between two others use up the room there.
        for number in 0..9 {
            let all = moved(&order, item(number), None);
            write(&mut order, &all);
        }
        let written: Vec<usize> = (0..60)
            .map(|step| {
                let rows = moved(&order, item(3 + step % 2), Some(item(1)));
                write(&mut order, &rows);
                rows.len()
            })
            .collect();
        assert!(written.iter().filter(|rows| **rows == 9).count() <= 3, "{written:?}");
    }
}
