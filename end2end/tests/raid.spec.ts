import { bookOfMine } from '../fixtures/books.ts';
import { api } from '../fixtures/clerk.ts';
import { makeGroup } from '../fixtures/groups.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('what a raid spends goes to the people present, and anew after a correction', async ({ page, pageConsole }) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 422/);
  await register(page.request, 'Molly');
  const group = await makeGroup(page.request, ['Ada', 'Ben', 'Cleo', 'Dan']);
  const book = await bookOfMine(page.request);
  const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', {
    name: 'Raid', groupId: group.id, bookId: book.replace('/books/', ''), joinMode: 'FREE',
  });
  await api(page.request, 'POST', `/api/auctions/${id}/currencies`, {
    code: 'TICKET', name: 'Ticket', plural: 'Tickets', rateToBase: 1, inputMode: 'SCALAR', precision: 0,
  });
  await api(page.request, 'POST', `/api/auctions/${id}/items`, { name: 'A helmet', isPublished: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const done = page.getByRole('status');
  const has = async (name: string, balance: string) => {
    const people = page.getByRole('region', { name: 'People' }).getByRole('listitem');
    await expect(people.filter({ hasText: name })).toContainText(balance);
  };

  await test.step('the keeper lets the balances share at once', async () => {
    await page.goto(`${book}/settings`);
    const sharing = page.getByRole('region', { name: 'Sharing' });
    await sharing.getByLabel('Share what was spent among those present, at once').check();
    await sharing.getByLabel('Digits after the point').fill('0');
    await button('Save sharing').click();
    await expect(done).toHaveText('How it is shared is saved.');
    await expect(page.getByLabel('Share what was spent among those present, at once')).toBeChecked();
  });

  await test.step('three are here', async () => {
    await page.goto(`/auctions/${id}/clerk`);
    await page.getByText('Present: 0').click();
    await page.getByLabel('Numbers', { exact: true }).fill('2, 3, 99');
    await button('They are here').click();
    await expect(page.getByRole('alert').first()).toContainText('No member of this auction has the number 99.');
    // Some from one number to another, and a card that was scanned.
    await page.getByLabel('Numbers', { exact: true }).fill(`2, 3–4, https://example.org/go#${group.code}.5.SECRET`);
    await button('They are here').click();
    await expect(page.getByText('Present: 4')).toBeVisible();
    await page.getByLabel('Numbers', { exact: true }).fill('5');
    await button('They have left').click();
    await expect(page.getByText('Present: 3')).toBeVisible();
  });

  await test.step('the screen says how many', async () => {
    const { screenToken } = await api<{ screenToken: string }>(page.request, 'POST', `/api/auctions/${id}/screen`);
    await page.goto(`/screen/${screenToken}`);
    await expect(page.getByText('3 people here')).toBeVisible();
  });

  await test.step('the price of a lot goes to them', async () => {
    await page.goto(`/auctions/${id}/clerk`);
    await page.getByLabel('Lot', { exact: true }).fill('1');
    await page.getByLabel('Number', { exact: true }).fill('2');
    await page.getByLabel('Price', { exact: true }).fill('99');
    await button('Sold').click();
    await expect(page.getByRole('link', { name: 'Correct lot 1' })).toBeVisible();
    await page.goto(`${book}/runs`);
    await expect(page.getByRole('listitem').filter({ hasText: '“A helmet” was sold' })).toContainText(
      'Automatic, with the sale',
    );
    await page.goto(book);
    await has('Ada', '234');
    await has('Ben', '333');
    await has('Cleo', '333');
    await has('Dan', '300');
  });

  await test.step('a correction takes it back and gives it anew', async () => {
    await page.goto(`/auctions/${id}/clerk`);
    await page.getByRole('link', { name: 'Correct lot 1' }).click();
    await page.getByLabel('Number', { exact: true }).fill('3');
    await page.getByLabel('Price', { exact: true }).fill('60');
    await button('Correct').click();
    await expect(page.getByRole('link', { name: 'Correct lot 1' })).toBeVisible();
    await page.goto(`${book}/runs`);
    await expect(page.getByText('Undone by another outcome on')).toBeVisible();
    await page.goto(book);
    await has('Ada', '320');
    await has('Ben', '260');
    await has('Cleo', '320');
  });
});
