// The address of a card fills in the form of the page `/go`, and leaves the address bar: it holds the secret
// of the card, or the PIN of an older one. A secret signs in at once where nobody is signed in: the person
// who has scanned the card has nothing to add. On a shared device the form waits for “Sign in”.

const SECRET = /^[0-9A-Z]{16}$/i;

const card = location.hash.slice(1).split('.');
if (card.length === 3) {
  history.replaceState(null, '', location.pathname);
  const [, , secret] = ['code', 'number', 'pin'].map((name, at) => {
    const [field] = /** @type {NodeListOf<HTMLInputElement>} */ (document.getElementsByName(name));
    if (field) field.value = card[at] ?? '';
    return field;
  });
  const isSignedOut = !document.documentElement.dataset.viewer;
  if (secret && isSignedOut && SECRET.test(secret.value)) {
    secret.form?.querySelector('button')?.click();
  }
}
