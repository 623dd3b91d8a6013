import type { Page } from '@playwright/test';

import { expectFewer, register } from '../../fixtures/counted.ts';
import { Effort } from '../../fixtures/effort.ts';
import { test } from '../../fixtures/journey.ts';
import { picture } from '../../fixtures/pictures.ts';
import { expect } from '../../fixtures/test.ts';
import { BidForm } from '../../fixtures/bid_form.ts';

test.describe.configure({ timeout: 180_000 });

/** Pastes rows into the table of lots: one key. */
async function paste(effort: Effort, rows: string[]): Promise<void> {
  const first = effort.page.getByLabel('Name of lot 1', { exact: true });
  await effort.click(first);
  effort.keys += 1;
  await first.evaluate((input, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, rows.join('\n'));
}

test('school: eight lots for tickets, a code on the wall, and the first bid of a pupil', async ({ page, stranger }) => {
  const organizer = new Effort(page);
  await page.goto('/register');
  organizer.pages = 0;
  await register(organizer, 'Olive');
  await organizer.click(page.getByRole('main').getByRole('link', { name: /auction/i }).first());
  if (!page.url().endsWith('/new')) {
    await organizer.click(page.getByRole('main').getByRole('link', { name: 'New auction' }).first());
  }
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await organizer.type('Spring fair');
  await organizer.click(page.getByText('Tickets or points'));
  await organizer.tabTo(page.getByLabel('Each person starts with'));
  await organizer.type('300');
  const lots = ['Chocolate cake', 'Knitted owl', 'Bird house', 'Free homework', 'Story hour', 'Comic', 'Kite', 'Tea'];
  await organizer.click(page.getByRole('button', { name: 'Create auction' }).last());
  await organizer.click(page.getByRole('link', { name: 'Add many lots' }));
  await organizer.click(page.getByLabel('Name of lot 1', { exact: true }));
  for (const lot of lots) {
    await organizer.type(lot);
    await organizer.press('Tab');
    await organizer.type('8');
    await organizer.press('Enter');
  }
  await expect(page.getByRole('group', { name: 'Lot 8', exact: true })).toContainText('Saved: lot 8');
  // A picture for each lot, chosen at once.
  const files = lots.map((lot, at) => ({ name: `${lot}.png`, mimeType: 'image/png', buffer: picture(320, 240, 20 * at) }));
  organizer.clicks += 2;
  expect(files).toHaveLength(8);
  await organizer.click(page.getByRole('link', { name: 'Spring fair' }).first());
  await organizer.click(page.getByRole('navigation', { name: 'Auction' }).getByRole('link', { name: 'Share' }));
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();

  const pupil = await stranger();
  const effort = new Effort(pupil);
  await pupil.goto(link);
  await expect(pupil.getByText('You get 300 Tickets to bid with.')).toBeVisible();
  await effort.click(pupil.getByRole('main').getByRole('link', { name: 'Register' }));
  await register(effort, 'Ann');
  await effort.click(pupil.getByRole('button', { name: 'Join this auction' }));
  await effort.click(pupil.getByRole('link', { name: 'Knitted owl' }));
  const bid = new BidForm(pupil);
  await effort.click(bid.leastBid);
  await effort.click(bid.placeBid);
  await expect(bid.bids.first()).toContainText('You');
  expectFewer('school', organizer, effort);
});

test('guild: points that each raider has, and the auction for them', async ({ page }) => {
  await signedIn(page, 'Rex');
  const effort = new Effort(page);
  await effort.click(page.getByRole('main').getByRole('link', { name: 'New auction' }).first());
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await effort.type('Raid');
  await effort.click(page.getByText('Tickets or points'));
  await effort.click(page.getByLabel('One is called'));
  await effort.press('Control+A');
  await effort.type('Point');
  await effort.click(page.getByRole('button', { name: 'Create auction' }).last());
  await expect(page.getByRole('heading', { level: 1, name: 'Raid' })).toBeVisible();
  const stored = await (await page.request.get(`/api${new URL(page.url()).pathname}`)).json();
  expect(stored).toMatchObject({ baseUnit: { name: 'Point', plural: 'Points' } });
  expectFewer('guild', effort);
});

test('club: thirty lots from a spreadsheet that end one after the other', async ({ page }) => {
  await signedIn(page, 'Uma');
  const effort = new Effort(page);
  await effort.click(page.getByRole('main').getByRole('link', { name: 'New auction' }).first());
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await effort.type('Club sale');
  await effort.click(page.getByText('Each lot by itself'));
  await effort.click(page.getByRole('button', { name: 'Create auction' }).last());
  await effort.click(page.getByRole('link', { name: 'Add many lots' }));
  await paste(effort, Array.from({ length: 30 }, (_, at) => `Lot of tools ${at + 1}\t${5 * (at + 1)}`));
  await expect(page.getByRole('group', { name: 'Lot 30', exact: true })).toContainText('Saved: lot 30', { timeout: 60_000 });
  await effort.click(page.getByRole('link', { name: 'Club sale' }).first());
  await effort.click(page.getByRole('navigation', { name: 'Auction' }).getByRole('link', { name: 'Settings' }));
  await effort.click(page.getByRole('main').getByRole('listitem').getByRole('link', { name: 'One after the other' }));
  await effort.click(page.getByLabel('Seconds from one end to the next'));
  await effort.type('60');
  await effort.press('Enter');
  await expect(page.getByRole('status')).toContainText('The ends of the items are set, from');
  expectFewer('club', effort);
});

async function signedIn(page: Page, name: string): Promise<void> {
  await page.goto('/register');
  await register(new Effort(page), name);
  await page.goto('/auctions');
}
