import { api } from '../fixtures/clerk.ts';
import { groupInHall } from '../fixtures/hall.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('a clerk enters a sealed bid from a slip without JavaScript', async ({ page }) => {
  await register(page.request, 'Molly');
  await page.goto('/');
  const { auction } = await groupInHall(page.request, 0);
  const { id } = await api<{ id: string }>(page.request, 'POST', `/api/auctions/${auction}/items`, {
    name: 'A sword', isPublished: true, format: 'SEALED',
  });
  await page.goto(`/auctions/${auction}/clerk`);
  await page.getByLabel('Lot', { exact: true }).fill('1');
  await page.getByLabel('Number', { exact: true }).fill('2');
  await page.getByLabel('Price', { exact: true }).fill('40');
  await page.getByRole('button', { name: 'Sold', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const item = await (await page.request.get(`/api/auctions/${auction}/items/${id}`)).json();
  expect([item.sealedBidCount, item.outcome]).toEqual([1, null]);
});
