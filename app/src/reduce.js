// Makes a picture smaller that the server would refuse as too large. It is loaded with the first such picture
// that is chosen.

/** Longer sides to try. The server keeps 1600 pixels. */
const SIDES = [3200, 1600];
const QUALITY = 0.9;

/**
 * The picture as a JPEG of at most so many bytes, upright and on white where it is transparent. Fails if the
 * browser can't read it.
 * @param {File} file
 * @param {number} bytesMax
 */
export async function reduced(file, bytesMax) {
  const bitmap = await createImageBitmap(file);
  try {
    for (const side of SIDES) {
      const blob = await encoded(bitmap, Math.min(1, side / Math.max(bitmap.width, bitmap.height)));
      if (blob && blob.size <= bytesMax) {
        return new File([blob], file.name.replace(/\.[^.]*$/, '') + '.jpg', { type: blob.type });
      }
    }
  } finally {
    bitmap.close();
  }
  throw new Error('the picture stays too large');
}

/**
 * @param {ImageBitmap} bitmap
 * @param {number} scale
 * @returns {Promise<Blob | null>}
 */
function encoded(bitmap, scale) {
  /** @param {number} length */
  const side = (length) => Math.max(1, Math.round(length * scale));
  const [width, height] = [side(bitmap.width), side(bitmap.height)];
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser draws nothing');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}
