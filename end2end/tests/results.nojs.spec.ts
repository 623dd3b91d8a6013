import { openItem, bidBy } from '../fixtures/results.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

test('an organizer ends an item and works through its result to the last “collected” without JavaScript', async ({
  page,
  farthing,
  pageConsole,
  expectAccessible,
}) => {
  // The page of a refused form has the status of the refusal.
  pageConsole.allow(/status of 422/);
  await register(page.request, 'Minnie');
  const { auction, item } = await openItem(page.request);
  await bidBy(farthing.url, auction, 'Ada', [[item, 3, 2]]);
  await bidBy(farthing.url, auction, 'Grace', [[item, 4, 0]]);
  const outcome = page.getByRole('region', { name: 'Outcome' });
  const closing = page.getByRole('region', { name: 'Close the item' });

  await test.step('a cancellation needs a reason', async () => {
    await page.goto(item);
    await closing.getByText('Cancel item').click();
    await closing.getByRole('button', { name: 'Cancel the item' }).click();
    await expect(closing).toContainText('Say why. Members can read it.');
    await expectAccessible(page);
  });

  await test.step('the item is ended now', async () => {
    await page.goto(item);
    await closing.getByText('End now').click();
    await closing.getByRole('button', { name: 'End the item now' }).click();
    await expect(outcome).toContainText(/Sold to Grace for 4.Galleons 1.?972/);
    await expect(outcome).toContainText('4 Galleons');
  });

  await test.step('the winner has left, so the next bidder gets it', async () => {
    await outcome.getByText('Sell to another bidder').click();
    await outcome.getByLabel('Sell to').selectOption({ index: 0 });
    await outcome.getByLabel('Reason').fill('Grace has left.');
    await outcome.getByRole('button', { name: 'Change the outcome' }).click();
    await expect(outcome).toContainText('Sold to Ada');
    await expect(outcome).toContainText('Grace has left.');
    await expect(outcome).toContainText('3 Galleons · 2 Sickles');
    await expectAccessible(page);
  });

  await test.step('the results lead to the last mark', async () => {
    await page.goto(auction);
    await page.getByRole('main').getByRole('link', { name: 'Results' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results');
    await expect(page.getByRole('row', { name: /Ada/ })).toContainText('To pay, to collect');
    await page.getByRole('link', { name: 'To pay', exact: true }).click();
    await page.getByRole('button', { name: 'Mark paid: A brass lamp' }).click();
    await expect(page).toHaveURL(/show=to-pay#item-/);
    await expect(page.getByText('No item is in this state.')).toBeVisible();
    await page.getByRole('link', { name: 'Paid, to collect' }).click();
    await page.getByRole('button', { name: 'Mark collected: A brass lamp' }).click();
    await expect(page.getByText('No item is in this state.')).toBeVisible();
    await page.getByRole('link', { name: 'All items' }).click();
    await expect(page.getByRole('row', { name: /Ada/ })).toContainText('Paid, collected');
    await expect(page.getByRole('button', { name: 'Undo “Collected” of A brass lamp' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('everything can be downloaded', async () => {
    const link = page.getByRole('link', { name: 'Download CSV' });
    const csv = await page.request.get((await link.getAttribute('href'))!);
    expect(csv.headers()['content-type']).toContain('text/csv');
    expect(await csv.text()).toContain('A brass lamp');
  });
});
