import type { Page } from '@playwright/test';

import { Effort } from '../../fixtures/effort.ts';
import { created, test } from '../../fixtures/journey.ts';
import { registerByForm } from '../../fixtures/people.ts';
import { picture } from '../../fixtures/pictures.ts';
import { expect } from '../../fixtures/test.ts';

/** An auction for tickets, and its page for many lots. */
async function tableOf(page: Page): Promise<string> {
  const { id } = await created(page.request, '/api/auctions', { name: 'Club sale', baseUnit: { name: 'Ticket' }, itemEndMode: 'AUCTION_END' });
  const tickets = { code: 'TICKET', name: 'Ticket', plural: 'Tickets', rateToBase: 1, inputMode: 'SCALAR' };
  await created(page.request, `/api/auctions/${id}/currencies`, tickets);
  await page.goto(`/auctions/${id}`);
  await page.getByRole('link', { name: 'Add many lots' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Many lots' })).toBeVisible();
  return `/auctions/${id}`;
}

async function lots(page: Page, auction: string): Promise<{ name: string; minBidNormalized: string | null; images: object[] }[]> {
  return (await (await page.request.get(`/api${auction}/items?limit=100`)).json()).items;
}

test('rows are sent together without JavaScript, and one by one with it', async ({ page, look, javaScriptEnabled, pageConsole }) => {
  pageConsole.allow(/status of 422/);
  await registerByForm(page, 'Colin');
  const auction = await tableOf(page);
  await expect(page.getByRole('group', { name: /^Lot \d+$/ })).toHaveCount(10);
  await page.getByLabel('Name of lot 1', { exact: true }).fill('Radio');
  await page.getByLabel('Minimum of lot 1', { exact: true }).fill('8');
  await page.getByLabel('Minimum of lot 2', { exact: true }).fill('many');
  await page.getByRole('button', { name: 'Save lots' }).click();
  const second = page.getByRole('group', { name: 'Lot 2', exact: true });
  await expect(second).toContainText('Lot 2: enter a name.');
  await expect(page.getByLabel('Name of lot 1', { exact: true })).toHaveValue('Radio');
  await expect(page.getByLabel('Minimum of lot 2', { exact: true })).toHaveValue('many');
  await look(page, 'refused');
  expect(await lots(page, auction)).toHaveLength(javaScriptEnabled ? 1 : 0);
  await page.getByLabel('Name of lot 2', { exact: true }).fill('Valve');
  await page.getByLabel('Minimum of lot 2', { exact: true }).fill('12 tickets');
  await page.getByRole('button', { name: 'Save lots' }).click();
  if (javaScriptEnabled) {
    await expect(page).toHaveURL(new RegExp(`${auction}$`));
  } else {
    await expect(page.getByRole('status')).toContainText('2 lots are added.');
    await look(page, 'added');
    // Pictures are added afterwards, on a page for each lot.
    await page.getByRole('region', { name: 'Added lots' }).getByRole('link', { name: 'Valve' }).click();
    const valve = { name: 'valve.png', mimeType: 'image/png', buffer: picture(320, 240, 60) };
    await page.getByLabel('Add pictures', { exact: true }).and(page.locator('input')).setInputFiles(valve);
    await page.getByRole('button', { name: 'Upload' }).click();
    expect((await lots(page, auction))[1]!.images).toHaveLength(1);
  }
  const made = await lots(page, auction);
  expect(made.map(({ name, minBidNormalized }) => [name, minBidNormalized])).toEqual([['Radio', '8'], ['Valve', '12']]);
});

test('thirty lots with names, minima and pictures take less than 150 seconds', async ({ page, look, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'the form without JavaScript has no pictures');
  await registerByForm(page, 'Colin');
  const auction = await tableOf(page);
  const effort = new Effort(page);
  const begun = Date.now();
  const files = Array.from({ length: 30 }, (_, at) => ({
    name: `Lot_of_tools_${at + 1}.png`,
    mimeType: 'image/png',
    buffer: picture(320, 240, at * 8),
  }));
  await effort.choose(page.getByLabel('Pictures', { exact: true }), files);
  await expect(page.getByLabel('Name of lot 30', { exact: true })).toHaveValue('Lot of tools 30');
  await effort.click(page.getByLabel('Minimum of lot 1', { exact: true }));
  for (let lot = 1; lot <= 30; lot += 1) {
    await effort.type(String(lot * 5));
    await effort.press('Enter');
  }
  await effort.click(page.getByRole('button', { name: 'Save lots' }));
  await expect(page).toHaveURL(new RegExp(`${auction}$`), { timeout: 60_000 });
  const machine = (Date.now() - begun) / 1000;
  console.log(`30 lots: ${effort.clicks} clicks, ${effort.keys} keys, ${effort.seconds} s; the machine ${machine} s`);
  expect(effort.seconds + machine).toBeLessThanOrEqual(150);
  const made = await lots(page, auction);
  expect(made).toHaveLength(30);
  made.forEach(({ name, minBidNormalized, images }, at) => {
    expect([name, minBidNormalized, images.length]).toEqual([`Lot of tools ${at + 1}`, String((at + 1) * 5), 1]);
  });
  await look(page, 'thirty');
});

test('rows are typed, pasted and changed, and none is lost without the server', async ({ page, look, javaScriptEnabled, pageConsole }) => {
  test.skip(!javaScriptEnabled, 'rows are saved one by one with JavaScript only');
  pageConsole.allow(/status of 422|Failed to fetch|ERR_FAILED|net::/);
  await registerByForm(page, 'Colin');
  const auction = await tableOf(page);
  const row = (number: number) => page.getByRole('group', { name: `Lot ${number}`, exact: true });

  await test.step('Enter goes to the column in which the row began', async () => {
    await page.getByLabel('Name of lot 1', { exact: true }).focus();
    await page.keyboard.type('Radio');
    await page.keyboard.press('Tab');
    await page.keyboard.type('8');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Name of lot 2', { exact: true })).toBeFocused();
    await expect(row(1)).toContainText('Saved: lot 1');
  });

  await test.step('cells come from a spreadsheet', async () => {
    const cells = Array.from({ length: 12 }, (_, at) => `Part ${at + 1}\t${at + 1}\t"Used, ""good"""`).join('\n');
    await page.getByLabel('Name of lot 2', { exact: true }).evaluate((input, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, cells);
    await expect(row(13)).toContainText('Saved: lot 13');
    await expect(page.getByLabel('Description of lot 13', { exact: true })).toHaveValue('Used, "good"');
    await look(page, 'pasted');
  });

  await test.step('a row is changed, and says what is wrong with it', async () => {
    await page.getByLabel('Minimum of lot 3', { exact: true }).fill('much');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Minimum of lot 3', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await expect(row(3)).toContainText('Not saved');
    await look(page, 'wrong');
    await page.getByLabel('Minimum of lot 3', { exact: true }).fill('20');
    await page.keyboard.press('Enter');
    await expect(row(3)).toContainText('Saved: lot 3');
  });

  await test.step('a row waits for the server, and its pictures for the row', async () => {
    await page.route('**/items/add/row', (route) => route.abort());
    await page.getByLabel('Name of lot 14', { exact: true }).fill('Lamp');
    await page.getByLabel('Pictures of lot 14', { exact: true }).setInputFiles({
      name: 'lamp.png', mimeType: 'image/png', buffer: picture(320, 240, 90),
    });
    await expect(row(14)).toContainText('Not saved: no answer. Trying again…');
    await page.unroute('**/items/add/row');
    await expect(row(14)).toContainText('Saved: lot 14');
    await expect(row(14).getByRole('img', { name: 'lamp.png' })).toBeVisible();
  });

  const made = await lots(page, auction);
  expect(made).toHaveLength(14);
  expect(made.slice(0, 3).map(({ name, minBidNormalized }) => [name, minBidNormalized])).toEqual([
    ['Radio', '8'], ['Part 1', '1'], ['Part 2', '20'],
  ]);
  expect(made[13]!.images).toHaveLength(1);
});

test('a press on “Save lots” moves nothing under the pointer', async ({ page, javaScriptEnabled, pageConsole }) => {
  test.skip(!javaScriptEnabled, 'rows are sent by the script');
  pageConsole.allow(/status of 422/);
  await registerByForm(page, 'Colin');
  const auction = await tableOf(page);
  await page.getByLabel('Minimum of lot 1', { exact: true }).fill('many');
  await page.getByRole('button', { name: 'Save lots' }).click();
  const first = page.getByRole('group', { name: 'Lot 1', exact: true });
  await expect(first).toContainText('Lot 1: enter a name.');
  await page.getByLabel('Name of lot 1', { exact: true }).fill('Radio');
  await page.getByLabel('Minimum of lot 1', { exact: true }).fill('8');
  const save = page.getByRole('button', { name: 'Save lots' });
  await save.hover();
  const place = await save.boundingBox();
  const answer = page.waitForResponse(/\/items\/add\/row$/);
  await page.mouse.down();
  await (await answer).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await save.boundingBox()).toEqual(place);
  await page.mouse.up();
  await expect(page).toHaveURL(new RegExp(`${auction}$`));
  expect((await lots(page, auction)).map(({ name }) => name)).toEqual(['Radio']);
});
