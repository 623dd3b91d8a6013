import type { Locator } from '@playwright/test';

import { addPictures, itemOfMine, picture } from '../fixtures/pictures.ts';
import { register } from '../fixtures/people.ts';
import { openItem } from '../fixtures/results.ts';
import { expect, test } from '../fixtures/test.ts';
import { weight } from '../fixtures/weight.ts';
import { openWhole } from '../fixtures/whole.ts';

/**
 * Drops files of these names on a form: pictures, drawings (.svg), and 10 MB and one byte of nothing
 * (.large).
 */
async function drop(form: Locator, names: string[]): Promise<void> {
  const bytes = [...picture(300, 200, 90)];
  const dataTransfer = await form.page().evaluateHandle(
    ({ names, bytes }) => {
      const transfer = new DataTransfer();
      const contents = { png: new Uint8Array(bytes), svg: '<svg/>', large: new Uint8Array(10_000_001) };
      for (const name of names) {
        const content = contents[name.split('.')[1] as keyof typeof contents];
        transfer.items.add(new File([content], name));
      }
      return transfer;
    },
    { names, bytes },
  );
  await form.dispatchEvent('drop', { dataTransfer });
}

test('pictures dropped on the form of a new item are created with it', async ({ page }) => {
  await register(page.request, 'Kreacher');
  const auction = (await itemOfMine(page.request)).replace(/\/items\/.*/, '');
  await page.goto(`${auction}/items/new`);
  await page.getByLabel('Name').fill('A locket');
  const form = page.locator('form', { has: page.getByLabel('Pictures') });
  await drop(form, ['one.png']);
  await drop(form, ['all.large', 'two.png']);
  const chosen = form.locator('.uploads').getByRole('listitem');
  const sizes = [/^one\.png: \d+ kB$/, 'all.large: not taken, because it has more than 10 MB and can’t be made smaller here', /^two\.png: \d+ kB$/];
  await expect(chosen).toHaveText(sizes);
  await page.getByRole('button', { name: 'Create item' }).click();
  const strip = page.getByRole('list', { name: 'Pictures, in a row' });
  await expect(strip.getByRole('img')).toHaveCount(2);
});

test('dropped pictures are sent one by one, and a refused one says why', async ({ page, pageConsole }) => {
  pageConsole.allow(/status of 415/);
  await register(page.request, 'Cuthbert');
  const item = await itemOfMine(page.request);
  await page.goto(`${item}/pictures`);
  const form = page.getByRole('form', { name: 'Add pictures' });
  await drop(form, ['drawing.svg', 'one.png']);
  const uploads = form.locator('.uploads').getByRole('listitem');
  await expect(uploads).toHaveText(['drawing.svg: Choose a JPEG, PNG or WebP picture.', 'one.png: added']);
  await drop(form, ['two.png']);
  await expect(page.locator('.pictures').getByRole('listitem')).toHaveCount(2);
});

/**
 * Chooses a JPEG of more than 10 MB for a field, taken with a turned camera: its left is the top of the
 * picture. The browser draws it as noise.
 */
async function chooseLarge(field: Locator, name: string): Promise<void> {
  await field.evaluate(async (input, name) => {
    const [width, height] = [4200, 3000];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d')!;
    const image = context.createImageData(width, height);
    for (let at = 0; at < image.data.length; at += 65_536) {
      crypto.getRandomValues(image.data.subarray(at, at + 65_536));
    }
    for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
    context.putImageData(image, 0, 0);
    const blob = await new Promise<Blob>((resolve) => canvas.toBlob((made) => resolve(made!), 'image/jpeg', 1));
    const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
    const segment = new Uint8Array([0xff, 0xe1, 0, exif.length + 2, ...exif]);
    const file = new File([blob.slice(0, 2), segment, blob.slice(2)], name, { type: 'image/jpeg' });
    if (file.size <= 10_000_000) throw new Error(`only ${file.size} bytes`);
    const transfer = new DataTransfer();
    transfer.items.add(file);
    (input as HTMLInputElement).files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, name);
}

test('a picture above 10 MB is made smaller before it is sent', async ({ page }) => {
  await register(page.request, 'Argus');
  const auction = (await itemOfMine(page.request)).replace(/\/items\/.*/, '');
  const images = async (item: string) => (await (await page.request.get(`/api${item}/images`)).json()).images;

  await test.step('in the form of a new item', async () => {
    await page.goto(`${auction}/items/new`);
    await page.getByLabel('Name').fill('A lantern');
    await chooseLarge(page.locator('input[name="image"]'), 'lantern.jpg');
    // The form waits for it.
    await page.getByRole('button', { name: 'Create item' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'A lantern' })).toBeVisible({ timeout: 60_000 });
    const [kept] = await images(new URL(page.url()).pathname);
    expect([kept.width, kept.height], 'upright').toEqual([1143, 1600]);
  });

  await test.step('on the page of pictures', async () => {
    const item = new URL(page.url()).pathname;
    await page.goto(`${item}/pictures`);
    await chooseLarge(page.locator('input[name="image"]'), 'again.jpg');
    await page.getByRole('button', { name: 'Upload' }).click();
    await expect(page.locator('.pictures').getByRole('listitem')).toHaveCount(2, { timeout: 60_000 });
  });

  await test.step('in the table of many lots', async () => {
    await page.goto(`${auction}/items/add`);
    await chooseLarge(page.getByLabel('Pictures of lot 1', { exact: true }), 'bell.jpg');
    const row = page.getByRole('group', { name: 'Lot 1', exact: true });
    await expect(row.getByRole('img', { name: 'bell.jpg' })).toBeVisible({ timeout: 60_000 });
  });
});

test('the place of a picture has its colour until it is loaded', async ({ page }) => {
  await register(page.request, 'Filius');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 1, [900, 600]);
  const [{ tint }] = (await (await page.request.get(`/api${item}/images`)).json()).images;
  expect(tint).toMatch(/^#[0-9a-f]{6}$/);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/images/*/*', async (route) => {
    await held;
    await route.continue();
  });
  // A picture that is contained in its frame leaves the rest of it as it is; another fills it.
  const places = [[item, '.gallery-strip a', 1.5], [item.replace(/\/items\/.*/, ''), '.catalogue-frame', 1]] as const;
  for (const [address, frame, ratio] of places) {
    await page.goto(address, { waitUntil: 'commit' });
    const place = page.locator(frame).first();
    const painted = place.locator('.tint rect');
    await expect(painted).toHaveAttribute('fill', tint);
    const box = await painted.boundingBox();
    expect(box!.width / box!.height).toBeCloseTo(ratio, 1);
    const isOnTop = await place.locator('img').evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === element;
    });
    expect(isOnTop).toBe(true);
  }
  release();
});

test('a picture fills the screen, where keys lead to the next one', async ({ page, expectAccessible }) => {
  await register(page.request, 'Rowena');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 3);
  await page.goto(item);
  await page.getByRole('img', { name: 'The music box, view 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pictures' });
  const second = dialog.getByRole('img', { name: 'The music box, view 2' });
  await expect(dialog.getByRole('img', { name: 'The music box, view 1' })).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await expect(second).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Next picture' }).click();
  await expect(dialog.getByRole('img', { name: 'The music box, view 3' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'Picture 2 of 3' })).toHaveAttribute('aria-current', 'true');
  await expect(page).toHaveURL(item);
});

test('a phone loads the first picture in the size of its screen, and the others small until it is swiped', async ({ browser, page, baseURL }) => {
  await register(page.request, 'Merope');
  const item = await itemOfMine(page.request);
  for (let at = 0; at < 4; at += 1) await addPictures(page.request, item, 1, [1700, 1275]);
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 3,
    storageState: await page.context().storageState(),
  });
  const shown = await phone.newPage();
  const sizes: string[] = [];
  shown.on('request', (request) => sizes.push(/\/images\/[^/]+\/(\w+)$/.exec(request.url())?.[1] ?? ''));
  const loaded = (size: string) => sizes.filter((each) => each === size).length;
  await openWhole(shown, `${baseURL}${item}`);
  expect(loaded('medium')).toBe(1);
  expect(loaded('full')).toBe(0);
  await shown.locator('.gallery-strip').first().evaluate((strip) => strip.scrollBy({ left: strip.clientWidth }));
  await expect.poll(() => loaded('medium')).toBeGreaterThan(1);
  expect(loaded('full')).toBe(0);
  await phone.close();
});

test('the picture is the largest paint, and nothing moves while pictures load', async ({ page }) => {
  await register(page.request, 'Salazar');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 5);
  await page.addInitScript(() => {
    const seen = { shift: 0, largest: '' };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
        seen.shift += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { url: string })[]) {
        seen.largest = entry.url;
      }
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 900 }]) {
    await page.setViewportSize(viewport);
    await openWhole(page, item);
    const seen = () => page.evaluate(() => (window as unknown as { seen: { shift: number; largest: string } }).seen);
    await expect.poll(async () => (await seen()).largest, `largest paint at ${viewport.width} px`).toContain('/images/');
    expect((await seen()).shift, `shift at ${viewport.width} px`).toBeLessThan(0.01);
  }
});

test('the page of an item with five pictures has at most 235 kB besides them', async ({ page }) => {
  await register(page.request, 'Merope');
  const { item } = await openItem(page.request);
  await addPictures(page.request, item, 5);
  const bytes = await weight(page, () => openWhole(page, item));
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(235_000);
});

test('the list of items follows the first picture', async ({ page, another }) => {
  await register(page.request, 'Godric');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 2);
  const ginny = await another('Ginny');
  await ginny.page.goto(item.replace(/\/items\/.*/, ''));
  const shown = ginny.page.locator('.catalogue-picture');
  const [first, second] = (await (await page.request.get(`/api${item}/images`)).json()).images;
  await expect(shown).toHaveAttribute('src', first.thumbnail);
  await page.request.patch(`/api${item}/images`, { data: { order: [second.id, first.id] } });
  await expect(shown).toHaveAttribute('src', second.thumbnail);
});

test('pictures are sorted by dragging them', async ({ page }) => {
  await register(page.request, 'Helga');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 3);
  await page.goto(`${item}/pictures`);
  const second = page.locator('.pictures-row').nth(1);
  await second.locator('.drag').dragTo(page.locator('.pictures-row').first());
  await expect(page.getByLabel('What picture 1 shows')).toHaveValue('The music box, view 2');
  await page.reload();
  await expect(page.getByLabel('What picture 2 shows')).toHaveValue('The music box, view 1');
});

test('an order of pictures that is not saved is taken back', async ({ page, pageConsole }) => {
  pageConsole.allow(/Failed to load resource/);
  await register(page.request, 'Helga');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 3);
  await page.goto(`${item}/pictures`);
  const rows = page.locator('.pictures-row');
  const second = await rows.nth(1).getAttribute('data-id');
  await page.route('**/images', (route) => route.abort());
  await rows.nth(1).locator('.drag').dragTo(rows.first());
  await expect(page.getByRole('alert')).toHaveText('Not sorted: no answer. Try again.');
  await expect(rows.nth(1)).toHaveAttribute('data-id', second!);
});
