import { auctionInHall } from '../fixtures/hall.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('a clerk sets the order in which lots are called', async ({ page, context, javaScriptEnabled }) => {
  await register(page.request, 'Minerva');
  const auction = await auctionInHall(page);
  // Lot 1 is passed, and lot 2 on the block.
  for (const name of ['A globe', 'A quill', 'A broom']) {
    const made = await page.request.post(`/api/auctions/${auction}/items`, { data: { name, isPublished: true } });
    expect(made.status(), await made.text()).toBe(201);
  }
  await page.goto(`/auctions/${auction}/clerk`);
  await page.getByRole('link', { name: 'Running order' }).click();
  const lots = page.locator('.order-lots .results-lot');
  const lot = (number: number) => page.getByRole('radio', { name: `Lot ${number}` });
  const press = async (name: string) => page.getByRole('button', { name, exact: true }).click();
  const expectOrder = async (...numbers: number[]) =>
    expect(lots).toHaveText(numbers.map((number) => `Lot ${number}`));
  await expectOrder(3, 4, 5, 6);

  await test.step('by buttons', async () => {
    await lot(5).check();
    await press('First');
    await expectOrder(5, 3, 4, 6);
    await expect(lot(5), 'is still chosen').toBeChecked();
    await press('Down');
    await expectOrder(3, 5, 4, 6);
    await press('Last');
    await expectOrder(3, 4, 6, 5);
    await lot(4).check();
    await press('Hold');
    await expectOrder(3, 6, 5);
  });

  await test.step('a held lot comes back to its place, also from the page of the clerk', async () => {
    await press('Come back, lot 4');
    await expectOrder(3, 4, 6, 5);
    await lot(4).check();
    await press('Hold');
    await expectOrder(3, 6, 5);
    await page.getByRole('link', { name: 'Back to the clerk’s page' }).click();
    await press('Come back, lot 4');
    await expect(page.getByRole('button', { name: 'Come back, lot 4' })).toBeHidden();
    await press('Skip lot 3');
    await page.getByRole('link', { name: 'Running order' }).click();
    await expectOrder(4, 3, 6, 5);
  });
  if (!javaScriptEnabled) return;

  await test.step('by keys, which keep the focus and are announced', async () => {
    await lot(5).check();
    await lot(5).press('Alt+ArrowUp');
    await expectOrder(4, 3, 5, 6);
    await expect(lot(5)).toBeFocused();
    await expect(page.locator('.order-said')).toHaveText('Lot 5 is number 3 of 4.');
    await page.keyboard.press('Alt+Home');
    await expectOrder(5, 4, 3, 6);
    await expect(lot(5)).toBeFocused();
  });

  await test.step('by dragging', async () => {
    // At the lower edge of the window a drag scrolls the page.
    await page.setViewportSize({ width: 1280, height: 1600 });
    await page.locator('.order-lot', { has: lot(5) }).locator('.order-grip').hover();
    await page.mouse.down();
    await page.locator('.order-lot', { has: lot(6) }).hover({ position: { x: 9, y: 5 } });
    await page.mouse.up();
    await expectOrder(4, 3, 5, 6);
  });

  await test.step('and a second clerk sees it', async () => {
    const second = await context.newPage();
    await second.goto(`/auctions/${auction}/clerk/order`);
    await lot(6).check();
    await press('First');
    await expect(second.locator('.order-lots .results-lot').first()).toHaveText('Lot 6');
    await page.reload();
    await expectOrder(6, 4, 3, 5);
  });
});
