// Hydrates the islands of the page. The build appends this script to the JavaScript of each bundle, which
// exports a function for each island. The order and the handling of children are those of Leptos'
// `island_script.js`.
/**
 * @param {HTMLElement} node
 * @param {Islands} islands
 * @param {() => void} [enterChildren]
 */
async function hydrateIslands(node, islands, enterChildren) {
  if (node.localName === "leptos-island") {
    const hydrateIsland = islands[node.dataset.component ?? ''];
    if (hydrateIsland) {
      enterChildren?.();
      await hydrateIsland(node);
    } else {
      console.error(`${import.meta.url} has no island ${node.dataset.component}`);
    }
  }
  const enter = node.localName === "leptos-children" ? node.$$on_hydrate : enterChildren;
  for (const child of node.children) {
    await hydrateIslands(/** @type {HTMLElement} */ (child), islands, enter);
  }
}

// Safari has no idle callbacks.
/** @type {(start: () => void) => unknown} */
const whenIdle = window.requestIdleCallback ?? ((start) => start());
whenIdle(async () => {
  /** @type {Bundle & Islands} */
  const islands = await import(import.meta.url);
  await islands.default({ module_or_path: import.meta.url.replace(/\.js$/, "_bg.wasm") });
  islands.hydrate();
  await hydrateIslands(document.body, islands);
});
