import { auctionOfMine } from '../fixtures/currencies.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ timezoneId: 'America/New_York' });

const YEAR = new Date().getUTCFullYear() + 1;

test('times are shown and entered in the browser’s time zone', async ({ page }) => {
  await register(page.request, 'Helga');
  const auction = await auctionOfMine(page.request);
  const end = page.getByLabel('End of the auction');

  await test.step('the first page is in the zone, and only a form with a time is loaded again', async () => {
    const endDate = `${YEAR}-06-01T03:30:00Z`;
    const changed = await page.request.patch(`/api${auction}`, { data: { endDate } });
    expect(changed.status(), await changed.text()).toBe(200);
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url());
    });
    await page.goto(`${auction}/settings?subject=end`);
    await expect(end).toHaveAccessibleDescription(/In your time zone, America\/New York\.$/);
    await expect(end).toHaveValue(`${YEAR}-05-31T23:30`);
    await page.context().clearCookies({ name: 'tz' });
    await page.goto(auction);
    await expect(page.getByText(`31 May ${YEAR}, 23:30`, { exact: true })).toBeVisible();
    expect(documents).toHaveLength(3);
    page.removeAllListeners('request');
    await page.goto(`${auction}/settings?subject=end`);
  });

  await test.step('what is entered is shown again', async () => {
    await end.fill(`${YEAR}-06-01T20:00`);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByRole('status')).toHaveText('The settings are saved.');
    await expect(end).toHaveValue(`${YEAR}-06-01T20:00`);
    const stored = await (await page.request.get(`/api${auction}`)).json();
    expect(stored.endDate).toBe(`${YEAR}-06-02T00:00:00.000Z`);
  });

  await test.step('other pages show the same time', async () => {
    for (const address of [auction, '/auctions']) {
      await page.goto(address);
      await expect(page.getByText(`1 Jun ${YEAR}, 20:00`, { exact: true })).toBeVisible();
    }
  });

  await test.step('a live page shows an end that moves in the same zone', async () => {
    const data = { name: 'A vase', currencyCode: 'EUR', isPublished: true };
    const unit = await page.request.patch(`/api${auction}`, { data: { baseUnit: null } });
    expect(unit.status(), await unit.text()).toBe(200);
    const item = await page.request.post(`/api${auction}/items`, { data });
    expect(item.status(), await item.text()).toBe(201);
    await page.goto(`${auction}/items/${(await item.json()).id}`);
    await expect(page.getByText(`1 Jun ${YEAR}, 20:00`, { exact: true })).toBeVisible();
    const moved = await page.request.patch(`/api${auction}`, { data: { endDate: `${YEAR}-06-03T01:15:00Z` } });
    expect(moved.status(), await moved.text()).toBe(200);
    await expect(page.getByText(`2 Jun ${YEAR}, 21:15`, { exact: true })).toBeVisible();
  });
});

test('a form that nobody touches moves no time, whatever the browser knows of its zone', async ({ page }) => {
  await register(page.request, 'Vera');
  const auction = await auctionOfMine(page.request);
  const endDate = `${YEAR}-12-01T03:30:00.000Z`;
  const changed = await page.request.patch(`/api${auction}`, { data: { endDate } });
  expect(changed.status(), await changed.text()).toBe(200);
  // A browser in Denver that has the hours of New York for it, as one with rules of another day has others.
  await page.addInitScript(() => {
    const real = Intl.DateTimeFormat.prototype.resolvedOptions;
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...real.call(this), timeZone: 'America/Denver' };
    };
  });

  await page.goto(`${auction}/settings?subject=end`);
  const end = page.getByLabel('End of the auction');
  await expect(end).toHaveAccessibleDescription(/In your time zone, America\/Denver\.$/);
  await expect(end).toHaveValue(`${YEAR}-11-30T20:30`);
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByRole('status')).toHaveText('The settings are saved.');
  const stored = await (await page.request.get(`/api${auction}`)).json();
  expect(stored.endDate).toBe(endDate);
});
