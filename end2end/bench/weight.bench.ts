import { writeFile } from 'node:fs/promises';

import { api } from '../fixtures/clerk.ts';
import { makeGroup } from '../fixtures/groups.ts';
import { groupInHall } from '../fixtures/hall.ts';
import { register } from '../fixtures/people.ts';
import { addPictures } from '../fixtures/pictures.ts';
import { openItem } from '../fixtures/results.ts';
import { expect, test } from '../fixtures/test.ts';
import { weight } from '../fixtures/weight.ts';
import { openWhole } from '../fixtures/whole.ts';

const LISTED = 30;
const CALLED = 120;
const PEOPLE = 40;

/** Writes the bytes to the file that the variable names. */
async function tell(variable: string, bytes: number): Promise<void> {
  expect(bytes).toBeGreaterThan(0);
  const file = process.env[variable];
  if (file) await writeFile(file, JSON.stringify([bytes]));
  else console.log(`${variable}: ${bytes}`);
}

test('the page of an item with five pictures is light', async ({ page }) => {
  await register(page.request, 'Luna');
  const { item } = await openItem(page.request);
  await addPictures(page.request, item, 5);
  await tell('PAGE_WEIGHT', await weight(page, () => openWhole(page, item)));
});

test('a list of thirty lots is light', async ({ page }) => {
  test.setTimeout(300_000);
  await register(page.request, 'Luna');
  const { auction, items } = await groupInHall(page.request, LISTED);
  for (const item of items) await addPictures(page.request, `/auctions/${auction}/items/${item}`, 1);
  await tell('LIST_WEIGHT', await weight(page, () => openWhole(page, `/auctions/${auction}`)));
});

test('the page of a clerk with 120 lots and forty people is light', async ({ page }) => {
  await register(page.request, 'Luna');
  const names = Array.from({ length: PEOPLE }, (_, at) => `Bidder ${at + 1}`);
  const group = await makeGroup(page.request, names);
  const terms = { name: 'Scouts’ auction', groupId: group.id, joinMode: 'INVITE_ONLY', currencyCode: 'EUR' };
  const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', terms);
  for (let lot = 1; lot <= CALLED; lot += 1) {
    const item = { name: `Basket of books ${lot}`, estimate: '40–60 €', currencyCode: 'EUR', isPublished: true };
    await api(page.request, 'POST', `/api/auctions/${id}/items`, item);
  }
  await tell('CLERK_WEIGHT', await weight(page, () => openWhole(page, `/auctions/${id}/clerk`)));
});
