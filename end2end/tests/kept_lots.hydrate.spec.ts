import { ClerkDesk } from '../fixtures/clerk.ts';
import { groupInHall } from '../fixtures/hall.ts';
import { test } from '../fixtures/journey.ts';
import { register } from '../fixtures/people.ts';
import { expect } from '../fixtures/test.ts';

test('the lists of a desk without a network leave out and count what is called', async ({ page, context, look, pageConsole }) => {
  pageConsole.allow(/net::ERR_(INTERNET_DISCONNECTED|FAILED)/);
  await page.setViewportSize({ width: 1366, height: 768 });
  await register(page.request, 'Minerva');
  const { auction } = await groupInHall(page.request, 8);
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  const next = page.locator('#clerk-live-next li:visible');
  const numbers = async () => (await next.locator('.results-lot').allTextContents()).map((text) => text.trim());
  const done = page.locator('.clerk-done');
  const inOrder = page.getByRole('button', { name: /^(Skip|Hold) lot/ });
  await expect.poll(numbers).toEqual(['Lot 1', 'Lot 2', 'Lot 3']);
  await expect(done).toContainText('0 of 8 lots');

  await context.setOffline(true);
  for (const lot of [1, 2, 3, 4]) {
    await desk.sell(undefined, 2, '7');
    await expect(desk.lot).toHaveValue(String(lot + 1));
  }
  await expect(desk.unsent).toHaveCount(4);
  await expect.poll(numbers).toEqual(['Lot 5', 'Lot 6', 'Lot 7']);
  await expect(inOrder).toHaveText(['Skip lot 5', 'Hold lot 5']);
  await expect(done).toContainText('4 of 8 lots');
  const trouble = page.locator('.clerk-trouble');
  await expect(trouble).toContainText('No connection');
  await expect(trouble).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  // What is kept is seen without scrolling, between the fields and the buttons.
  await expect(desk.unsent.first()).toContainText('Lot 4');
  await expect(desk.unsent.first()).toBeInViewport();
  const [kept, buttons] = [await desk.unsent.last().boundingBox(), await page.getByRole('button', { name: 'Passed' }).boundingBox()];
  expect(kept!.y).toBeLessThan(buttons!.y);
  await look(page, 'kept');
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, 'kept-phone');
  await page.setViewportSize({ width: 1366, height: 768 });

  // A call that is taken back is open again.
  await page.keyboard.press('F9');
  await expect(desk.unsent).toHaveCount(3);
  await expect.poll(numbers).toEqual(['Lot 4', 'Lot 5', 'Lot 6']);
  await expect(done).toContainText('3 of 8 lots');

  await context.setOffline(false);
  await expect(desk.called).toHaveCount(3);
  await expect(desk.unsent).toHaveCount(0);
  await expect(done).toContainText('3 of 8 lots');
  await expect(trouble).toHaveText('');
  // What the buttons do is what they say.
  await page.getByRole('button', { name: 'Skip lot 4' }).click();
  await expect.poll(numbers).toEqual(['Lot 5', 'Lot 4', 'Lot 6']);
  await expect(inOrder).toHaveText(['Skip lot 5', 'Hold lot 5']);
});
