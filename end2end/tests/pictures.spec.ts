import { addPictures, itemOfMine, picture } from '../fixtures/pictures.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

const file = (name: string, shade: number) => ({
  name,
  mimeType: 'image/png',
  buffer: picture(600, 400, shade),
});

test('pictures are added, described, ordered and removed', async ({ page }) => {
  await register(page.request, 'Rowena');
  const item = await itemOfMine(page.request);
  await page.goto(item);
  const form = page.getByRole('form', { name: 'Add pictures' });
  await form.getByLabel('Add pictures').setInputFiles([file('front.png', 0), file('back.png', 200)]);
  await form.getByRole('button', { name: 'Upload' }).click();
  await expect(page).toHaveURL(`${item}/pictures`);
  const rows = page.locator('.pictures').getByRole('listitem');
  await expect(rows).toHaveCount(2);

  await page.getByLabel('What picture 1 shows').fill('The music box from the front');
  await page.getByRole('button', { name: 'Save text of picture 1' }).click();
  await expect(rows.first().getByRole('img', { name: 'The music box from the front' })).toBeVisible();
  await page.getByRole('button', { name: 'Move down picture 1' }).click();
  await expect(page.getByLabel('What picture 2 shows')).toHaveValue('The music box from the front');
  await expect(page.getByRole('button', { name: 'Move up picture 1' })).toBeDisabled();
  await page.getByRole('button', { name: 'Remove picture 1' }).click();
  await expect(rows).toHaveCount(1);

  await page.goto(item);
  await expect(page.getByRole('region', { name: 'Pictures' }).getByRole('img')).toHaveAccessibleName(
    'The music box from the front',
  );
  await page.goto(item.replace(/\/items\/.*/, ''));
  await expect(page.locator('.catalogue-picture')).toBeVisible();
});

test('the gallery works by keyboard', async ({ page }) => {
  // A key that is pressed while the strip still moves to a picture would start from where it is at that
  // moment.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await register(page.request, 'Helga');
  const item = await itemOfMine(page.request);
  await addPictures(page.request, item, 3);
  await page.goto(item);
  const gallery = page.getByRole('region', { name: 'Pictures' });
  const strip = gallery.getByRole('list', { name: 'Pictures, in a row' });
  const distance = (slide: number) =>
    strip.getByRole('listitem').nth(slide - 1).evaluate((shown) => {
      const left = (element: Element) => element.getBoundingClientRect().left;
      return Math.abs(left(shown) - left(shown.parentElement!));
    });
  const second = gallery.getByRole('img', { name: 'The music box, view 2' });
  await expect(second).not.toBeInViewport();
  await gallery.getByRole('link', { name: 'Picture 2 of 3' }).focus();
  await page.keyboard.press('Enter');
  await expect(second).toBeInViewport({ ratio: 0.5 });
  await expect.poll(() => distance(2)).toBeLessThan(1);
  await strip.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => distance(3)).toBeLessThan(1);
  await expect(gallery.getByRole('img', { name: 'The music box, view 3' })).toBeInViewport({ ratio: 0.5 });
});
