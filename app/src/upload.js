// Sends one picture, and says how far it is. Other scripts import it.

/**
 * An answer and its document.
 * @typedef {object} Sent
 * @property {number} status
 * @property {boolean} ok
 * @property {Partial<Problem & { thumbnail: string }>} [document]
 */

/**
 * Resolves with nothing if there was no answer.
 * @param {string} url
 * @param {File} image
 * @param {Record<string, string>} headers
 * @param {(part: number) => void} onProgress gets the part that is sent, at most 1: then the server works
 * @returns {Promise<Sent | undefined>}
 */
export const sendImage = (url, image, headers, onProgress) => new Promise((resolve) => {
  const body = new FormData();
  body.append('image', image);
  const request = new XMLHttpRequest();
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  request.onload = () => {
    const { status } = request;
    /** @type {Sent['document'] | undefined} */
    let document;
    try {
      document = JSON.parse(request.responseText);
    } catch {}
    const ok = status >= 200 && status < 300;
    resolve(document ? { status, ok, document } : { status, ok });
  };
  request.onerror = () => resolve(undefined);
  request.open('POST', url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.send(body);
});
