import { addHolder } from '../fixtures/books.ts';
import { openAs, register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('a keeper gives, imports and reverses, and a person sees the balance', async ({ page, pageConsole }) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 422/);
  await register(page.request, 'Molly');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const done = page.getByRole('status');

  await page.goto('/books');
  await page.getByRole('link', { name: 'New balances' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Class 4b');
  await page.getByLabel('Unit name').fill('Ticket');
  await page.getByLabel('Several of them').fill('Tickets');
  await page.getByLabel('Starting balance').fill('300');
  await button('Create balances').click();
  await expect(done).toContainText('The balances are ready.');
  const book = new URL(page.url()).pathname;
  const fred = await addHolder(page, book, 'Fred');
  const george = await addHolder(page, book, 'George');

  await test.step('a refused form keeps what was typed', async () => {
    await page.goto(book);
    await page.getByLabel('Amount').fill('25');
    await page.getByLabel('The people ticked below').check();
    await page.getByRole('checkbox', { name: 'Fred' }).check();
    await button('Give').click();
    await expect(page.getByRole('alert')).toContainText('Say why. The people can read it.');
    await expect(page.getByRole('checkbox', { name: 'Fred' })).toBeChecked();
    await page.getByRole('textbox', { name: 'Reason', exact: true }).fill('Cakes');
    await button('Give').click();
    await expect(done).toHaveText('The entries are written.');
    await expect(page.getByRole('listitem').filter({ hasText: 'Cakes' })).toContainText('+25');
  });

  await test.step('rows are shown before they are written', async () => {
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByLabel('Rows').fill(`email,amount,reason\n${george.email},-10,Lost`);
    await button('Preview').click();
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('George');
    await button('Import').click();
    await expect(done).toHaveText('All rows are imported.');
  });

  await test.step('an entry is reversed', async () => {
    await page.getByLabel('Reverse entry 4').click();
    await page.getByLabel('Reason for the reversal of entry 4').fill('Found again');
    await button('Reverse entry 4').click();
    await expect(done).toHaveText('The entry is reversed.');
    await expect(page.getByText('Reversal of no. 4')).toBeVisible();
  });

  await openAs(page, fred, book);
  await expect(page.getByRole('region', { name: 'Your balance' })).toContainText('325');
  await expect(page.getByText('Found again')).toHaveCount(0);
  await expect(button('Give')).toHaveCount(0);
});
