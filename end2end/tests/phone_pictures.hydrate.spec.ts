import { register } from '../fixtures/people.ts';
import { photograph } from '../fixtures/photographs.ts';
import { itemOfMine } from '../fixtures/pictures.ts';
import { expect, test } from '../fixtures/test.ts';
import { openWhole } from '../fixtures/whole.ts';

/** Bytes of the pictures that a phone loads with the page of an item. */
const BYTES_MAX = 220_000;

test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true });

test('the picture is what a phone paints largest, and photographs stay light', async ({ page, browser }) => {
  await register(page.request, 'Colin');
  const item = await itemOfMine(page.request);
  for (const seed of [1, 2, 3, 4]) {
    const image = { name: `${seed}.jpg`, mimeType: 'image/jpeg', buffer: await photograph(browser, seed) };
    const added = await page.request.post(`/api${item}/images`, { multipart: { image, alt: `View ${seed}` } });
    expect(added.status(), await added.text()).toBe(201);
  }
  await page.addInitScript(() => {
    const seen = { largest: '', shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { element?: Element })[]) {
        seen.largest = entry.element?.localName ?? '';
      }
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const bytes: number[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/images/')) bytes.push((await response.body()).length);
  });
  await openWhole(page, item);
  const { largest, shift } = await page.evaluate(() => (window as unknown as { seen: { largest: string; shift: number } }).seen);
  const sum = bytes.reduce((all, one) => all + one, 0);
  console.log(`${bytes.length} pictures with ${sum} bytes`);
  expect(largest).toBe('img');
  expect(shift).toBe(0);
  expect(bytes.length).toBeGreaterThan(0);
  expect(sum).toBeLessThanOrEqual(BYTES_MAX);
});
