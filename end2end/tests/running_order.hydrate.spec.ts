import { ClerkDesk, api } from '../fixtures/clerk.ts';
import { auctionInHall } from '../fixtures/hall.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('a lot is moved behind the last one of a page, and behind all', async ({ page }) => {
  await register(page.request, 'Minerva');
  const auction = await auctionInHall(page);
  // Lot 1 is passed, and lot 2 on the block.
  const names = Array.from({ length: 500 }, (_, at) => `Basket ${at + 4},yes\n`);
  const imported = await page.request.post(`/api/auctions/${auction}/items/import`, {
    data: `name,published\n${names.join('')}`,
    headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': 'baskets' },
  });
  expect(imported.status(), await imported.text()).toBe(201);
  await page.goto(`/auctions/${auction}/clerk/order`);
  const lots = page.locator('.order-lots .results-lot');
  const lot = (number: number) => page.getByRole('radio', { name: new RegExp(`^Lot ${number}\\b`) });
  const press = async (name: string) => page.getByRole('button', { name, exact: true }).click();
  const said = page.locator('.order-said');
  await expect(lots).toHaveCount(499);

  await lot(500).check();
  await press('Down');
  await expect(said).toHaveText('Lot 500 is number 499 of 499 on this page.');
  await page.reload();
  await expect(lots.nth(497)).toHaveText('Lot 501');
  await expect(lots.last()).toHaveText('Lot 500');

  await lot(3).check();
  await press('Last');
  await expect(said).toHaveText('Lot 3 is called last.');
  await expect(lots.last()).toHaveText('Lot 502');
  await page.locator('a[rel="next"]').click();
  await expect(lots).toHaveText(['Lot 503', 'Lot 3']);
});

test('changes of the order are not lost when their page is left', async ({ page }) => {
  await register(page.request, 'Minerva');
  const auction = await auctionInHall(page);
  for (const name of ['A globe', 'A quill']) {
    await api(page.request, 'POST', `/api/auctions/${auction}/items`, { name, isPublished: true });
  }
  const changes = '**/running-order';
  const hold = async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(changes, (route) => held.then(() => route.continue()));
    return release;
  };
  await page.goto(`/auctions/${auction}/clerk/order`);
  const lots = page.locator('.order-lots .results-lot');

  await test.step('one that is on its way arrives', async () => {
    const release = await hold();
    await page.getByRole('radio', { name: 'Lot 3' }).check();
    await page.getByRole('button', { name: 'Down' }).click();
    await expect(lots).toHaveText(['Lot 4', 'Lot 3', 'Lot 5']);
    await page.reload();
    await expect(lots).toHaveText(['Lot 3', 'Lot 4', 'Lot 5']);
    release();
    await expect(lots).toHaveText(['Lot 4', 'Lot 3', 'Lot 5']);
  });

  await test.step('the browser asks before others are lost', async () => {
    const release = await hold();
    await page.getByRole('radio', { name: 'Lot 5' }).check();
    await page.getByRole('button', { name: 'Up' }).click();
    await page.getByRole('button', { name: 'First' }).click();
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => location.reload()));
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    release();
    await expect(lots).toHaveText(['Lot 5', 'Lot 4', 'Lot 3']);
  });
});

test('lots are skipped and held beside the desk', async ({ page, pageConsole }) => {
  pageConsole.allow(/Failed to load resource/);
  await register(page.request, 'Minerva');
  const auction = await auctionInHall(page);
  for (const name of ['A globe', 'A quill']) {
    await api(page.request, 'POST', `/api/auctions/${auction}/items`, { name, isPublished: true });
  }
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  const press = async (name: string) => page.getByRole('button', { name, exact: true }).click();
  const next = page.locator('#clerk-live-next .results-lot');
  await desk.lot.fill('3');

  await test.step('the one that follows is offered', async () => {
    await press('Skip lot 3');
    await expect(desk.lot).toHaveValue('4');
    await expect(page.getByRole('button', { name: 'Skip lot 4' })).toBeFocused();
  });

  await test.step('what is typed stays', async () => {
    await desk.price.fill('12');
    await press('Hold lot 4');
    await press('Come back, lot 4');
    await expect(page.getByRole('button', { name: 'Skip lot 4' })).toBeVisible();
    await expect(desk.price).toHaveValue('12');
  });

  await test.step('without an answer the page stays', async () => {
    await page.route('**/running-order', (route) => route.abort());
    await press('Skip lot 4');
    await expect(page.getByText('Not changed: no answer. Try again.')).toBeVisible();
    await expect(desk.price).toHaveValue('12');
    await expect(next).toHaveCount(3);
  });
});
