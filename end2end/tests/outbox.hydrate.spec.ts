import { ClerkDesk } from '../fixtures/clerk.ts';
import { groupInHall } from '../fixtures/hall.ts';
import { register, signIn } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('one tab of a browser at a time sends calls, in the order of their entry', async ({ page, context, pageConsole }) => {
  pageConsole.allow(/ERR_INTERNET_DISCONNECTED/);
  await register(page.request, 'Minerva');
  const { auction, items } = await groupInHall(page.request, 6);
  const first = new ClerkDesk(page);
  const second = new ClerkDesk(await context.newPage());
  await first.open(auction);
  await second.open(auction);
  await page.bringToFront();

  await context.setOffline(true);
  for (const lot of [3, 1, 2]) {
    await first.lot.fill('');
    await first.sell(lot, 2, '7');
  }
  await expect(second.unsent).toHaveCount(3);
  await second.page.bringToFront();
  await second.lot.fill('');
  await second.sell(5, 3, '8');
  await expect(first.unsent).toHaveCount(4);

  // Slow enough for both tabs to send the same call.
  const sent: string[] = [];
  await context.route('**/hammer', async (route) => {
    sent.push(/items\/([^/]+)/.exec(route.request().url())![1]!);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await route.continue();
  });
  await context.setOffline(false);
  await expect(second.called).toHaveCount(4);
  await expect(first.unsent).toHaveCount(0);
  await expect(second.unsent).toHaveCount(0);
  expect(sent).toEqual([3, 1, 2, 5].map((lot) => items[lot - 1]));
});

test('calls wait for the clerk who entered them', async ({ page, context, pageConsole }) => {
  pageConsole.allow(/Failed to load resource/);
  const clerk = await register(page.request, 'Minerva');
  const { auction } = await groupInHall(page.request, 2);
  const desk = new ClerkDesk(page);
  await desk.open(auction);
  await context.clearCookies();
  await desk.sell(undefined, 2, '7');
  await expect(page.locator('.clerk-trouble')).toContainText('You are signed out.');
  // Somebody else signs in, in another tab.
  const asked = page.waitForResponse(async (response) => response.url().endsWith('/api/user') && response.ok());
  await register(context.request, 'Draco');
  await asked;
  await expect(page.locator('.clerk-trouble')).toContainText('You are signed out.');
  await context.clearCookies();
  await signIn(context.request, clerk);
  await expect(desk.called).toContainText(['Sold to']);
});
