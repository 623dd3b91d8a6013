import type { Page } from '@playwright/test';

import { bookOfMine } from '../fixtures/books.ts';
import { api } from '../fixtures/clerk.ts';
import { test } from '../fixtures/journey.ts';
import { other } from '../fixtures/notifications.ts';
import { register } from '../fixtures/people.ts';
import { expect } from '../fixtures/test.ts';

/** Ids of an auction of Molly’s, of its book, where holders begin with 300 tickets, and of its currency. */
async function fair(page: Page): Promise<{ id: string; bookId: string; currency: string }> {
  await register(page.request, 'Molly');
  await page.goto('/');
  const bookId = (await bookOfMine(page.request)).replace('/books/', '');
  const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', {
    name: 'Summer fair', bookId, joinMode: 'FREE',
  });
  const currency = await api<{ id: string }>(page.request, 'POST', `/api/auctions/${id}/currencies`, {
    code: 'TICKET', name: 'Ticket', plural: 'Tickets', rateToBase: 1, inputMode: 'SCALAR', precision: 0,
  });
  return { id, bookId, currency: currency.id };
}

test('a school draws two prizes from a hat, and anyone repeats the draw', async ({ page, look, refresh, pageConsole }) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 4(09|22)/);
  const { id } = await fair(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  let item = '';

  await test.step('the item is entered as a draw', async () => {
    await page.goto(`/auctions/${id}/items/new`);
    await page.getByLabel('Name').fill('A picnic basket');
    await page.getByRole('combobox', { name: 'Bids', exact: true }).selectOption('A draw: chance decides among tickets');
    await page.getByRole('textbox', { name: 'Copies' }).fill('2');
    await page.getByText('For a draw: tickets').click();
    await page.getByRole('textbox', { name: 'Tickets of one person' }).fill('6');
    await button('Create item').click();
    await expect(page.getByRole('alert')).toContainText('Enter the price of a ticket');
    await page.getByRole('textbox', { name: 'Amount' }).fill('2');
    await button('Create item').click();
    await expect(page).not.toHaveURL(/items\/new/);
    const { items } = await (await page.request.get(`/api/auctions/${id}/items`)).json();
    item = `/auctions/${id}/items/${items[0].id}`;
    expect([items[0].format, items[0].copies, items[0].perPerson, items[0].ticket.normalizedAmount]).toEqual(['DRAW', 2, 6, '2']);
  });

  const panel = page.getByRole('region', { name: 'Draw' });
  const tickets = page.getByRole('region', { name: 'Tickets' });

  await test.step('others get tickets, and one too many is refused', async () => {
    const [ada, ben] = [await other(page, 'Ada'), await other(page, 'Ben')];
    await page.goto(item);
    await expect(panel.getByText('This is your item: tickets are for the others.')).toBeVisible();
    await api(ada, 'POST', `/api${item}/bids`, { tickets: 4 });
    await refresh(page);
    await expect(panel.locator('.highest-amount')).toHaveText('4');
    await api(ben, 'POST', `/api${item}/bids`, { tickets: 1 });
    await refresh(page);
    await expect(tickets.getByRole('listitem')).toHaveText([/1\sticket\s*Ben/, /4\stickets\s*Ada/]);
  });

  await test.step('a child gets tickets and takes some back', async () => {
    await register(page.request, 'Luna');
    await page.goto(item);
    await expect(panel.getByText('With the draw everyone pays for all of their tickets, also for those that win nothing.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Tickets' }).fill('7');
    await button('Get tickets').click();
    await expect(page.getByRole('alert')).toContainText('so many tickets for this item.');
    await page.getByRole('textbox', { name: 'Tickets' }).fill('3');
    await button('Get tickets').click();
    await expect(panel.getByText('You have 3 tickets, for 6')).toBeVisible();
    await look(page, 'hat');
    await button('Take back 3 tickets').click();
    await expect(panel.getByText('You have none yet.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Tickets' }).fill('2');
    await button('Get tickets').click();
    await expect(panel.locator('.highest-amount')).toHaveText('7');
    await page.goto(`/auctions/${id}`);
    await expect(page.getByText('A ticket in the draw')).toBeVisible();
  });
});

test('the draw of a hat is repeated from its page', async ({ page, look }) => {
  const { id, bookId, currency } = await fair(page);
  const hat = await api<{ id: string }>(page.request, 'POST', `/api/auctions/${id}/items`, {
    name: 'A hat', isPublished: true, format: 'DRAW', ticket: { currencyProfileId: currency, amount: 2 },
  });
  const item = `/auctions/${id}/items/${hat.id}`;
  for (const [name, tickets] of [['Ada', 4], ['Ben', 3]] as const) {
    await api(await other(page, name), 'POST', `/api${item}/bids`, { tickets });
  }
  await page.goto(item);
  await page.getByText('End now').click();
  await page.getByRole('button', { name: 'End the item now' }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByText(/^Goes to (Ada|Ben)/)).toBeVisible();
  const { outcome: drawn } = await (await page.request.get(`/api${item}`)).json();
  await look(page, 'drawn');
  await page.getByText('How the draw can be checked').click();
  await page.getByRole('link', { name: 'Repeat the draw in your browser' }).click();
  const winners = page.getByRole('status', { name: 'Winners' });
  await expect(winners.getByRole('row').nth(1)).toContainText(drawn.winner.name);
  await page.goto(item);
  await page.getByText('Sell to another bidder, or to nobody').click();
  await page.getByRole('combobox', { name: 'Sell to' }).selectOption('Nobody: all get back what the tickets cost');
  await page.getByRole('textbox', { name: 'Reason' }).fill('The hat is gone');
  await page.getByRole('button', { name: 'Change the outcome' }).click();
  await expect(outcome.getByText('The hat is gone')).toBeVisible();
  const balance = await (await page.request.get(`/api/books/${bookId}/entries`)).json();
  expect(balance.entries.filter(({ kind }: { kind: string }) => kind === 'REVERSAL')).toHaveLength(2);
});
