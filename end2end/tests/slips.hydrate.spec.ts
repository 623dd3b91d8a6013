import { ClerkDesk, api } from '../fixtures/clerk.ts';
import { groupInHall } from '../fixtures/hall.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('a clerk enters sealed bids from slips, also without a network', async ({ page, context, pageConsole }) => {
  // The page is requested again, too, directly or by the worker.
  pageConsole.allow(/net::ERR_(INTERNET_DISCONNECTED|FAILED)/);
  await register(page.request, 'Molly');
  await page.goto('/');
  const { auction, items } = await groupInHall(page.request, 1);
  const { id } = await api<{ id: string }>(page.request, 'POST', `/api/auctions/${auction}/items`, {
    name: 'A sword', isPublished: true, format: 'SEALED', price: 'NEXT',
  });
  const item = `/api/auctions/${auction}/items/${id}`;
  const read = async () => (await page.request.get(item)).json();
  const desk = new ClerkDesk(page);
  await desk.open(auction);

  await test.step('each slip leaves the lot at the desk', async () => {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await expect(desk.answer('buyer')).toHaveText('Enter number and bid of each slip. F2 opens the sealed bids.');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await page.keyboard.type('40');
    await expect(desk.answer('price')).toContainText('Enter places the bid.');
    await page.keyboard.press('Enter');
    await expect(desk.number).toBeFocused();
    await expect(desk.lot).toHaveValue('2');
    await expect.poll(async () => (await read()).sealedBidCount).toBe(1);
  });

  await test.step('without a network the browser keeps a slip and the end of the lot', async () => {
    await context.setOffline(true);
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    await page.keyboard.type('30');
    await page.keyboard.press('Enter');
    await expect(desk.unsent).toHaveCount(1);
    await expect(desk.unsent).not.toContainText('30');
    await page.keyboard.press('F2');
    await expect(desk.unsent).toHaveCount(2);
    await context.setOffline(false);
    await expect(desk.unsent).toHaveCount(0);
  });

  const { outcome } = await read();
  expect([outcome.result, outcome.bid.normalizedAmount]).toEqual(['SOLD', '30']);
  expect(items).toHaveLength(1);
});
