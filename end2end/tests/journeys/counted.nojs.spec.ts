import type { Page } from '@playwright/test';

import { BidForm } from '../../fixtures/bid_form.ts';
import { expectFewer, register } from '../../fixtures/counted.ts';
import { Effort } from '../../fixtures/effort.ts';
import { test } from '../../fixtures/journey.ts';
import { expect } from '../../fixtures/test.ts';

test.describe.configure({ timeout: 180_000 });

async function signedIn(page: Page, name: string): Promise<void> {
  await page.goto('/register');
  await register(new Effort(page), name);
  await page.goto('/auctions');
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
  await organizer.click(page.getByLabel('Name', { exact: true }));
  await organizer.type('Spring fair');
  await organizer.click(page.getByText('Tickets or points'));
  await organizer.tabTo(page.getByLabel('Each person starts with'));
  await organizer.type('300');
  await organizer.click(page.getByRole('button', { name: 'Create auction' }).last());
  await organizer.click(page.getByRole('link', { name: 'Add many lots' }));
  const lots = ['Chocolate cake', 'Knitted owl', 'Bird house', 'Free homework', 'Story hour', 'Comic', 'Kite', 'Tea'];
  await organizer.click(page.getByLabel('Name of lot 1', { exact: true }));
  for (const [at, lot] of lots.entries()) {
    await organizer.tabTo(page.getByLabel(`Name of lot ${at + 1}`, { exact: true }));
    await organizer.type(lot);
    await organizer.press('Tab');
    await organizer.type('8');
  }
  await organizer.press('Enter');
  await expect(page.getByRole('status')).toContainText('8 lots are added.');
  await expect(page.getByRole('region', { name: 'Added lots' }).getByRole('link', { name: 'Kite' })).toBeVisible();
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
  await effort.click(bid.field('Amount'));
  await effort.type('8');
  await effort.press('Enter');
  await expect(bid.bids.first()).toContainText('You');
  expectFewer('school', organizer, effort);
});

test('guild: points that each raider has, and the auction for them', async ({ page }) => {
  await signedIn(page, 'Rex');
  const effort = new Effort(page);
  await effort.click(page.getByRole('main').getByRole('link', { name: 'New auction' }).first());
  await effort.click(page.getByLabel('Name', { exact: true }));
  await effort.type('Raid');
  await effort.click(page.getByText('Tickets or points'));
  await effort.click(page.getByLabel('One is called'));
  await effort.press('Control+A');
  await effort.type('Point');
  await effort.tabTo(page.getByLabel('Several are called'));
  await effort.press('Control+A');
  await effort.type('Points');
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
  await effort.click(page.getByLabel('Name', { exact: true }));
  await effort.type('Club sale');
  await effort.click(page.getByText('Each lot by itself'));
  await effort.click(page.getByRole('button', { name: 'Create auction' }).last());
  await effort.click(page.getByRole('link', { name: 'Add many lots' }));
  await effort.click(page.getByRole('link', { name: 'Import a table' }));
  const rows = Array.from({ length: 30 }, (_, at) => `Lot of tools ${at + 1}\t${5 * (at + 1)}\tyes`);
  await effort.click(page.getByLabel('Rows'));
  // Pasted: one key.
  effort.keys += 1;
  await page.getByLabel('Rows').fill(`name\tminimum\tpublished\n${rows.join('\n')}`);
  await effort.click(page.getByRole('button', { name: 'Import', exact: true }));
  await expect(page.getByRole('status')).toContainText('30 lots created');
  await effort.click(page.getByRole('link', { name: 'Show the auction' }));
  await effort.click(page.getByRole('navigation', { name: 'Auction' }).getByRole('link', { name: 'Settings' }));
  await effort.click(page.getByRole('main').getByRole('listitem').getByRole('link', { name: 'One after the other' }));
  await effort.click(page.getByLabel('Seconds from one end to the next'));
  await effort.type('60');
  await effort.press('Enter');
  await expect(page.getByRole('status')).toContainText('The ends of the items are set, from');
  expectFewer('club', effort);
});
