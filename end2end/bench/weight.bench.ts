import { writeFile } from 'node:fs/promises';

import { register } from '../fixtures/people.ts';
import { addPictures } from '../fixtures/pictures.ts';
import { openItem } from '../fixtures/results.ts';
import { expect, test } from '../fixtures/test.ts';
import { weight } from '../fixtures/weight.ts';
import { openWhole } from '../fixtures/whole.ts';

test('the page of an item with five pictures is light', async ({ page }) => {
  await register(page.request, 'Luna');
  const { item } = await openItem(page.request);
  await addPictures(page.request, item, 5);
  const bytes = await weight(page, () => openWhole(page, item));
  expect(bytes).toBeGreaterThan(0);
  if (process.env.PAGE_WEIGHT) {
    await writeFile(process.env.PAGE_WEIGHT, JSON.stringify([bytes]));
  }
});
