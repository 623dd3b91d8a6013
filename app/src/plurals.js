// The form of a currency or of a unit fills in a guess of the plural beside a name, which can be seen and
// changed. Nothing is guessed when a page is written.

/** @type {Record<string, string>} */
const plurals = { name: 'plural', baseUnitName: 'baseUnitPlural' };
/** @param {string} name */
const guess = (name) => {
  if (!/[a-z]$/.test(name) || name.length < 3 || /[^s]s$/.test(name)) return '';
  if (/(?:[sxz]|[cs]h)$/.test(name)) return `${name}es`;
  return /[^aeiou]y$/.test(name) ? name.replace(/y$/, 'ies') : `${name}s`;
};
/**
 * The field of the form, if it has one of this name.
 * @param {HTMLFormElement | null | undefined} form
 * @param {string} name
 */
const fieldOf = (form, name) => /** @type {HTMLInputElement | null | undefined} */ (form?.elements.namedItem(name));

// A plural that a page suggests follows its name, too.
for (const [one, several] of Object.entries(plurals)) {
  for (const element of document.getElementsByName(one)) {
    const { form, value } = /** @type {HTMLInputElement} */ (element);
    const field = fieldOf(form, several);
    if (field?.value && field.value === guess(value)) field.dataset.guess = field.value;
  }
}
addEventListener('input', ({ target }) => {
  const { form, name = '', value } = /** @type {HTMLInputElement} */ (target);
  const [, row = '', part = ''] = /^(denominations\.\d+\.)?(\w+)$/.exec(name) ?? [];
  const several = plurals[part];
  const field = several ? fieldOf(form, row + several) : null;
  if (field && (field.value === '' || field.value === field.dataset.guess)) {
    field.dataset.guess = guess(value.trim());
    field.value = field.dataset.guess;
  }
});
