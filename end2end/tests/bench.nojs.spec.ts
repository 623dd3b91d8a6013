import { signInByForm } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';
import { TestBench, auctionOfMine, makeCurrency } from '../fixtures/currencies.ts';

test('the bench evaluates a bid without JavaScript', async ({ page, another }) => {
  const { person } = await another('Filius');
  await signInByForm(page, person);
  const auction = await auctionOfMine(page.request);
  await makeCurrency(page, auction, /^Galleons, sickles, knuts/);
  const bench = new TestBench(page);
  await bench.field('Sickle').fill('2');
  await bench.field('Highest bid so far').fill('58');
  await bench.form.getByRole('button', { name: 'Show' }).last().click();
  await expect(bench.normalized).toContainText('58 Knuts');
  await expect(bench.field('Sickle')).toHaveValue('2');
  await expect(bench.violations.first()).toContainText('Bid more than 2 Sickles (58 Knuts)');
});
