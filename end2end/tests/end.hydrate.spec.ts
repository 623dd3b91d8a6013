import { api } from '../fixtures/clerk.ts';
import { test } from '../fixtures/journey.ts';
import { addPictures } from '../fixtures/pictures.ts';
import { register } from '../fixtures/people.ts';
import { expect } from '../fixtures/test.ts';

const PLACE = 'At the bar, until ten. Cash or card.';
const PHONE = { width: 390, height: 844 };

test('an item that closes says to winner, loser and manager at once what became of it', async ({ page, another, look }) => {
  await register(page.request, 'Minerva');
  const terms = { name: 'Antiques club', joinMode: 'FREE', currencyCode: 'EUR', collection: PLACE };
  const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', terms);
  const item = await api<{ id: string }>(page.request, 'POST', `/api/auctions/${id}/items`, {
    name: 'Carved oak mantel clock', currencyCode: 'EUR', isPublished: true,
  });
  const path = `/auctions/${id}/items/${item.id}`;
  await addPictures(page.request, path, 1);
  for (const name of ['Silver spoons', 'Mantel clock, small', 'Draft of a clock']) {
    await api(page.request, 'POST', `/api/auctions/${id}/items`, { name, currencyCode: 'EUR', isPublished: !name.startsWith('Draft') });
  }

  const [{ page: loser }, { page: winner }] = [await another('Esme'), await another('Ron')];
  for (const [bidder, amount] of [[loser, '20'], [winner, '25']] as const) {
    const placed = await bidder.request.post(`/api${path}/bids`, { data: { amount }, headers: { 'Idempotency-Key': amount } });
    expect(placed.status(), await placed.text()).toBe(201);
  }
  await winner.setViewportSize(PHONE);
  for (const viewer of [page, loser, winner]) {
    await viewer.goto(path);
    await expect(viewer.locator(viewer === page ? '.bid-notice' : '.bid-form.hydrated')).toBeVisible();
  }
  const outcome = (viewer: typeof page) => viewer.getByRole('region', { name: 'Outcome' });
  for (const viewer of [page, loser, winner]) await expect(outcome(viewer)).toHaveCount(0);

  await api(page.request, 'POST', `/api${path}/close`);

  await test.step('the winner sees the price, the picture, and where to pay', async () => {
    await expect(outcome(winner)).toContainText('Sold to you for €25');
    await expect(outcome(winner)).toContainText('You owe €25');
    await expect(outcome(winner)).toContainText(PLACE);
    await expect(outcome(winner).locator('img')).toBeVisible();
    await expect(winner.getByRole('status').filter({ hasText: 'You won' })).toBeVisible();
    await expect(winner).toHaveTitle(/^You won · Carved oak mantel clock/);
    await look(winner, 'won');
  });

  await test.step('the other bidder sees who has it', async () => {
    await expect(outcome(loser)).toContainText('Sold to Ron for €25');
    await expect(outcome(loser)).not.toContainText(PLACE);
    const open = outcome(loser).getByRole('region', { name: 'Still open' });
    await expect(open.getByRole('link')).toHaveText([/Mantel clock, small/, /Silver spoons/]);
    await expect(loser.getByRole('status').filter({ hasText: 'Another bid won' })).toBeVisible();
    await expect(loser).toHaveTitle(/^Sold · Carved oak mantel clock/);
    await look(loser, 'lost');
  });

  await test.step('the manager can decide otherwise, without a reload', async () => {
    await expect(outcome(page)).toContainText('Sell to another bidder');
    await expect(page.getByText('End now')).toHaveCount(0);
    await look(page, 'sold');
  });

  await test.step('a corrected outcome is shown, too', async () => {
    await outcome(page).getByText('Sell to another bidder').click();
    await outcome(page).getByLabel('Reason').fill('Ron has left.');
    await outcome(page).getByRole('button', { name: 'Change the outcome' }).click();
    await expect(outcome(page)).toContainText('Sold to Esme for €20');
    await expect(outcome(loser)).toContainText('Sold to you for €20');
    await expect(outcome(winner)).toContainText('Sold to Esme for €20');
    await expect(winner).toHaveTitle(/^Sold · /);
  });
});
