import { bookOfMine } from '../../fixtures/books.ts';
import { api } from '../../fixtures/clerk.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { test } from '../../fixtures/journey.ts';
import { other } from '../../fixtures/notifications.ts';
import { register } from '../../fixtures/people.ts';
import { expect } from '../../fixtures/test.ts';

test('a guild sells a sword by sealed bids, and a roll decides between two', async ({ page, look }) => {
  await register(page.request, 'Rolanda');
  await page.goto('/');
  const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', { name: 'Guild', joinMode: 'FREE' });
  await page.goto(`/auctions/${id}/items/new`);
  await page.getByLabel('Name').fill('A sword');
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('EUR');
  await page.getByRole('textbox', { name: 'Starting bid' }).fill('10');
  await page.getByRole('combobox', { name: 'Bids', exact: true }).selectOption('Sealed: nobody sees a bid before the end');
  await page.getByText('For sealed bids: price and ties').click();
  await page.getByRole('combobox', { name: 'A winner pays' }).selectOption('the best losing bid');
  await page.getByRole('combobox', { name: 'Of equal bids' }).selectOption('a draw decides');
  await page.getByRole('button', { name: 'Create item' }).click();
  await expect(page).not.toHaveURL(/items\/new/);
  const { items } = await (await page.request.get(`/api/auctions/${id}/items`)).json();
  const item = `/auctions/${id}/items/${items[0].id}`;
  const { seedHash } = await (await page.request.get(`/api${item}`)).json();
  for (const [name, amount] of [['Ada', 40], ['Ben', 40], ['Cy', 25]] as const) {
    await api(await other(page, name), 'POST', `/api${item}/bids`, { amount });
  }
  await page.goto(item);
  await expect(page.getByText('3 bids stand. They are shown after the end.')).toBeVisible();
  await page.getByText('End now').click();
  await page.getByRole('button', { name: 'End the item now' }).click();
  // The loser of the roll has bid as much.
  await expect(page.getByRole('region', { name: 'Outcome' }).getByText(/^Sold to (Ada|Ben) for/)).toContainText('40');
  await look(page, 'sword');
  const closed = await (await page.request.get(`/api${item}`)).json();
  expect([closed.seedHash, closed.seed.length]).toEqual([seedHash, 64]);
});

test('twelve seats of a picnic go to the twelve best bids, all at the least of them', async ({ page, look }) => {
  await register(page.request, 'Molly');
  await page.goto('/');
  const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', { name: 'Picnic', joinMode: 'FREE' });
  const seats = await api<{ id: string }>(page.request, 'POST', `/api/auctions/${id}/items`, {
    name: 'A seat', currencyCode: 'EUR', isPublished: true, format: 'SEALED', copies: 12, price: 'LOWEST',
  });
  const item = `/auctions/${id}/items/${seats.id}`;
  const bidders = Array.from({ length: 13 }, (_, at) => `Guest ${at + 1}`);
  for (const [at, name] of bidders.entries()) {
    await api(await other(page, name), 'POST', `/api${item}/bids`, { amount: 20 - at });
  }
  await page.goto(item);
  await expect(page.getByText('12 are sold, to 12 bids. Every winner pays the least bid that wins.')).toBeVisible();
  await page.getByText('End now').click();
  await page.getByRole('button', { name: 'End the item now' }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByText(/^Sold to Guest \d+ for/)).toHaveCount(12);
  await expect(outcome.getByText(/^Sold to Guest 1 for/)).toContainText('9');
  await expect(outcome.getByText(/^Sold to Guest 13 for/)).toHaveCount(0);
  await look(page, 'seats');
  await page.goto(`/auctions/${id}/results`);
  await expect(page.getByText('copy 12 of 12')).toBeVisible();
});

test('forty children have tickets for six prizes, which are drawn in the hall', async ({ page, look }) => {
  await register(page.request, 'Minerva');
  await page.goto('/');
  const children = Array.from({ length: 40 }, (_, at) => `Child ${at + 1}`);
  const group = await makeGroup(page.request, children);
  const book = await bookOfMine(page.request);
  const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', {
    name: 'School fair', groupId: group.id, bookId: book.replace('/books/', ''), joinMode: 'FREE',
  });
  const currency = await api<{ id: string }>(page.request, 'POST', `/api/auctions/${id}/currencies`, {
    code: 'TICKET', name: 'Ticket', plural: 'Tickets', rateToBase: 1, inputMode: 'SCALAR', precision: 0,
  });
  const hat = await api<{ id: string }>(page.request, 'POST', `/api/auctions/${id}/items`, {
    name: 'The hat', isPublished: true, format: 'DRAW', copies: 6, perPerson: 10,
    ticket: { currencyProfileId: currency.id, amount: 2 },
  });
  const item = `/auctions/${id}/items/${hat.id}`;
  for (const number of children.map((_, at) => at + 2).slice(1)) {
    await api(page.request, 'POST', `/api${item}/bids`, { tickets: 1 + (number % 10), for: { number } });
  }
  await page.goto(`/auctions/${id}/clerk`);
  await page.getByLabel('Lot', { exact: true }).fill('1');
  await page.getByLabel('Number', { exact: true }).fill('2');
  await page.getByLabel('Price', { exact: true }).fill('4');
  await page.getByRole('button', { name: 'Sold', exact: true }).click();
  const read = async () => (await page.request.get(`/api${item}`)).json();
  const tickets = children.slice(1).reduce((sum, _, at) => sum + 1 + ((at + 3) % 10), 4);
  await expect.poll(async () => (await read()).ticketCount).toBe(tickets);
  await api(page.request, 'PUT', `/api/auctions/${id}/block`, { itemId: hat.id });
  const { screenToken } = await api<{ screenToken: string }>(page.request, 'POST', `/api/auctions/${id}/screen`, {});
  await page.goto(`/auctions/${id}/clerk`);
  await page.getByLabel('Lot', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Sold to the highest bid online' }).click();
  await expect.poll(async () => (await read()).outcomes.length).toBe(6);
  const names: string[] = (await read()).outcomes.map(({ winner }: { winner: { name: string } }) => winner.name);
  expect(new Set(names).size).toBe(6);
  await page.goto(`/screen/${screenToken}`);
  await expect(page.getByRole('heading', { name: 'The hat' })).toBeVisible();
  await expect(page.locator('.screen-leader li')).toHaveText(names.map((name) => new RegExp(`^${name} \\(\\d+\\)$`)));
  await page.goto(item);
  await expect(page.getByText('6 tickets win, each of another person.')).toBeVisible();
  await look(page, 'hat');
  await page.getByText('How the draw can be checked').click();
  await page.getByRole('link', { name: 'Repeat the draw in your browser' }).click();
  const rows = page.getByRole('status', { name: 'Winners' }).getByRole('row');
  await expect(rows).toHaveCount(7);
  for (const [at, name] of names.entries()) {
    await expect(rows.nth(at + 1)).toContainText(name);
  }
});
