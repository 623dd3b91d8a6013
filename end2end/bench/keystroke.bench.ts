import { writeFile } from 'node:fs/promises';

import { openGalleonsItem } from '../fixtures/demo.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

const KEYSTROKES = 50;

declare global {
  interface Window {
    keystrokes: number[];
  }
}

/**
 * The time from the browser's key event until the list of violations has changed and is laid out. Painting is
 * not included: it waits for the screen, not for the page.
 */
test('a keystroke is evaluated within a frame', async ({ page }) => {
  await register(page.request, 'Luna');
  const bid = await openGalleonsItem(page);
  await expect(bid.leastBid).toBeEnabled();
  const field = bid.field('Sickle');
  await field.fill('1');
  await expect(bid.violations.first()).toBeVisible();

  await page.evaluate(() => {
    window.keystrokes = [];
    let pressed: number | undefined;
    document.addEventListener('keydown', (event) => (pressed = event.timeStamp), { capture: true });
    const list = document.querySelector('[aria-label="Violations"]') as HTMLElement;
    new MutationObserver(() => {
      if (pressed !== undefined) {
        list.getBoundingClientRect();
        window.keystrokes.push(performance.now() - pressed);
        pressed = undefined;
      }
    }).observe(list, { childList: true, characterData: true, subtree: true });
  });

  // 1, 11, 1, 11 …: each keystroke changes the missing amount, and so the text of the list.
  await field.press('End');
  await page.evaluate(() => (window.keystrokes = []));
  for (let pressed = 0; pressed < KEYSTROKES; pressed += 1) {
    await field.press(pressed % 2 === 0 ? '1' : 'Backspace');
    await page.waitForFunction((count) => window.keystrokes.length === count, pressed + 1);
  }
  const times = await page.evaluate(() => window.keystrokes);
  expect(times).toHaveLength(KEYSTROKES);
  if (process.env.KEYSTROKES) {
    await writeFile(process.env.KEYSTROKES, JSON.stringify(times));
  }
});
