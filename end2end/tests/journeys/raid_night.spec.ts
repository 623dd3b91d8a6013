import type { Page } from '@playwright/test';

import { bookOfMine } from '../../fixtures/books.ts';
import { api } from '../../fixtures/clerk.ts';
import { Effort } from '../../fixtures/effort.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { test } from '../../fixtures/journey.ts';
import { registerByForm } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

const PEOPLE = 40;
const LOTS = 8;

/** The balances of the holders of a book, by name. */
async function balances(page: Page, book: string): Promise<Map<string, string>> {
  const { holders } = await api<{ holders: { user: { name: string }; balance: string }[] }>(
    page.request, 'GET', `/api${book}/holders?limit=100`,
  );
  return new Map(holders.map(({ user, balance }) => [user.name, balance]));
}

test('a raid on Tuesday with 40 people and eight lots, and a decay on Sunday', async ({ page, look, javaScriptEnabled }) => {
  await registerByForm(page, 'Molly');
  const names = Array.from({ length: PEOPLE }, (_, at) => `Raider ${at + 1}`);
  const group = await makeGroup(page.request, names);
  const book = await bookOfMine(page.request);
  const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', {
    name: 'Tuesday', groupId: group.id, bookId: book.replace('/books/', ''), joinMode: 'FREE',
  });
  await api(page.request, 'POST', `/api/auctions/${id}/currencies`, {
    code: 'TICKET', name: 'Ticket', plural: 'Tickets', rateToBase: 1, inputMode: 'SCALAR', precision: 0,
  });
  for (let lot = 1; lot <= LOTS; lot += 1) {
    await api(page.request, 'POST', `/api/auctions/${id}/items`, { name: `Chest ${lot}`, isPublished: true });
  }
  const effort = new Effort(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await test.step('the balances share at once', async () => {
    await page.goto(`${book}/settings`);
    await effort.click(page.getByLabel('Share what was spent among those present, at once'));
    await effort.click(button('Save sharing'));
    await expect(page.getByRole('status')).toHaveText('How it is shared is saved.');
  });

  await test.step('forty are here', async () => {
    await page.goto(`/auctions/${id}/clerk`);
    await effort.click(page.getByText('Present: 0'));
    await effort.click(page.getByLabel('Numbers', { exact: true }));
    await effort.type(`2-${PEOPLE + 1}`);
    await effort.press('Enter');
    await expect(page.getByText(`Present: ${PEOPLE}`)).toBeVisible();
  });

  await test.step('eight lots are sold', async () => {
    for (let lot = 1; lot <= LOTS; lot += 1) {
      if (javaScriptEnabled) {
        await expect(page.locator('.clerk-form.hydrated')).toBeVisible();
        await expect(page.getByLabel('Lot', { exact: true })).toBeFocused();
        for (const text of ['', String(lot + 1), '100']) {
          await effort.type(text);
          await effort.press('Enter');
        }
      } else {
        await page.getByLabel('Lot', { exact: true }).fill(String(lot));
        await page.getByLabel('Number', { exact: true }).fill(String(lot + 1));
        await page.getByLabel('Price', { exact: true }).fill('100');
        effort.keys += 7;
        await effort.press('Enter');
      }
      await expect(page.getByRole('link', { name: `Correct lot ${lot}` })).toBeVisible();
    }
    const after = await balances(page, book);
    // 100 in 40 shares of 2.5, eight times: the buyers have paid 100 each.
    expect([after.get('Raider 1'), after.get('Raider 40')]).toEqual(['220', '320']);
  });

  await test.step('one is corrected', async () => {
    await effort.click(page.getByRole('link', { name: 'Correct lot 8' }));
    await effort.click(page.getByLabel('Number', { exact: true }));
    await effort.type('9');
    await effort.press('Tab');
    await effort.type('40');
    await effort.press('Enter');
    await expect(page.getByRole('link', { name: 'Correct lot 8' })).toBeVisible();
    await expect.poll(async () => (await balances(page, book)).get('Raider 40')).toBe('318.5');
  });

  await test.step('on Sunday balances decay', async () => {
    await page.goto(book);
    await effort.click(page.getByRole('link', { name: 'Share and decay' }));
    await look(page, 'share');
    await effort.click(page.getByRole('navigation', { name: 'Runs' }).getByRole('link', { name: 'Decay' }));
    await effort.click(page.getByLabel('Percent', { exact: true }));
    await effort.type('10');
    await effort.press('Tab');
    await effort.type('250');
    await effort.press('Tab');
    await effort.type('2026-W48');
    if (!javaScriptEnabled) await effort.click(button('Preview the decay'));
    const rows = page.getByRole('region', { name: 'Rows of the preview' });
    await expect(rows.getByRole('row', { name: /^Raider 40/ })).toContainText('-6.85');
    await look(page, 'decay');
    await effort.click(page.getByLabel('Reason', { exact: true }));
    await effort.type('Sunday');
    await effort.click(button('Let it decay'));
    await expect(page.getByRole('listitem').filter({ hasText: 'Sunday' })).toBeVisible();
    expect((await balances(page, book)).get('Raider 40')).toBe('311.65');
  });

  await test.step('it is undone', async () => {
    await effort.click(page.getByRole('listitem').filter({ hasText: 'Sunday' }).getByRole('button', { name: /^Undo/ }));
    await expect(page.getByRole('listitem').filter({ hasText: 'Sunday' })).toContainText('Undone on');
    expect((await balances(page, book)).get('Raider 40')).toBe('318.5');
    await look(page, 'undone');
  });

  console.log(`raid: ${effort.clicks} clicks, ${effort.keys} keys`);
  expect(effort.clicks).toBeLessThanOrEqual(25);
});
