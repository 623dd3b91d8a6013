// Requests to the server: their timeout, the viewer in whose name they are sent, and why one was refused, in
// words. Other scripts import it.

const TIMEOUT_MS = 15_000;

const { viewer } = document.documentElement.dataset;
/**
 * Names the viewer, so that nothing is done in the session of another user, who signed in since.
 * @type {Record<string, string>}
 */
export const sender = viewer ? { 'Farthing-For': viewer } : {};

/**
 * Fails without an answer in time. A browser that has no `AbortSignal.timeout` has a timeout of its own.
 * @param {string} url
 * @param {RequestInit} [init]
 */
export const request = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout?.(TIMEOUT_MS) });

/**
 * The document of an answer. Undefined if it is none, or if the connection broke within it.
 * @template T
 * @param {Response | undefined} answer
 * @returns {Promise<T | undefined>}
 */
export const told = async (answer) => answer?.json().catch(() => undefined);

/**
 * Why the server has refused a request.
 * @param {Response} answer
 */
export const reasonOf = async (answer) => {
  /** @type {Problem | undefined} */
  const problem = await told(answer);
  const { violations, fields } = problem?.details ?? {};
  const words = violations?.map(({ message }) => message)
    ?? fields?.map(({ path, message }) => `${path} ${message}`);
  return words?.length ? words.join(' ') : problem?.detail ?? `The server answered ${answer.status}.`;
};

/**
 * Sends a change as JSON, also when the page is left meanwhile. Resolves with the reason why nothing has
 * changed, or ''.
 * @param {'PATCH' | 'PUT'} method
 * @param {string} url
 * @param {object} body
 */
export const change = async (method, url, body) => {
  const headers = { 'Content-Type': 'application/json', ...sender };
  const init = { method, headers, body: JSON.stringify(body), keepalive: true };
  const answer = await request(url, init).catch(() => undefined);
  if (!answer) return 'no answer. Try again.';
  return answer.ok ? '' : reasonOf(answer);
};
