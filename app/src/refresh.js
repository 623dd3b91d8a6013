// Requests a page again, and copies its newer parts. Other scripts import it.

import { request } from './send.js';

let isPressed = false;
/** @type {(() => void)[]} */
const waiting = [];
for (const kind of /** @type {const} */ (['pointerdown', 'pointermove', 'pointerup', 'pointercancel'])) {
  addEventListener(kind, ({ buttons }) => {
    isPressed = buttons > 0;
    // The click comes first.
    if (!isPressed) for (const resolve of waiting.splice(0)) setTimeout(resolve);
  }, true);
}

/**
 * Resolves when no pointer is pressed. A button that moves between press and release is not clicked.
 * @returns {Promise<void>}
 */
export const released = () => new Promise((resolve) => {
  if (isPressed) waiting.push(resolve);
  else resolve();
});

/**
 * An answer and the page that it is, when no pointer is pressed. Fails without one.
 * @param {string} [url]
 * @param {RequestInit} [init]
 */
export const requestPage = async (url = location.href, init = {}) => {
  const response = await request(url, init);
  const newer = new DOMParser().parseFromString(await response.text(), 'text/html');
  await released();
  return { response, newer };
};

/**
 * Whether something is typed or checked in a part.
 * @param {HTMLElement} part
 */
const isTyped = (part) => {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = part.querySelectorAll('input, textarea');
  return [...fields].some((field) =>
    ['checkbox', 'radio'].includes(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue,
  );
};

/**
 * Copies the parts of class `live` whose texts differ and in which nothing is typed, or all. The focus
 * stays on the element with the same id. Returns whether both pages have the same parts.
 * @param {Document} newer
 */
export const copyParts = (newer, all = false) => {
  const focused = document.activeElement?.id;
  const parts = newer.querySelectorAll('.live');
  for (const part of parts) {
    const current = document.getElementById(part.id);
    if (!current) return false;
    if (current.className !== part.className) current.className = part.className;
    const differs = current.textContent !== part.textContent && !isTyped(current);
    if (all || differs) current.replaceChildren(...part.childNodes);
  }
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  return parts.length === document.querySelectorAll('.live').length;
};
