import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

import { expect, test } from '@playwright/test';

import { lackedByScripts, lackedBySheet } from '../fixtures/oldest_browsers.ts';

/** The site as it was built last, which the server embeds. */
const SITE = path.resolve('..', process.env.CARGO_TARGET_DIR ?? 'target', 'site', 'pkg');

/** Texts of the site's files with this extension. */
function files(extension: string): string[] {
  const names = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(`${extension}.br`));
  return names.map((name) => brotliDecompressSync(readFileSync(path.join(SITE, name))).toString());
}

test('the style sheet does without what some of the oldest browsers lack', () => {
  const [sheet, ...others] = files('.css');
  expect(others).toEqual([]);
  const dispensable = {
    ':has': 'a rule with it is left out: what it folds stays open, and a margin is the usual one',
    ':popover-open': 'the rules with it are left out: the choices of a list stand above it',
    '@media scripting': 'never true: a button for readers without scripts stands beside what replaces it',
    '@page': 'sheets of labels have the margins that the printer’s dialog has',
    'align-content: start': 'rows share the space that is left',
    'cursor: default': 'a phone has no pointer',
    'cursor: grab': 'a phone has no pointer',
    'cursor: pointer': 'a phone has no pointer',
    'font-family: ui-monospace': 'the next font of the list',
    'grid-template-rows: subgrid': 'fields beside each other stand on lines of their own',
    'overscroll-behavior': 'the page behind a picture scrolls',
    'page': 'the same',
    'resize': 'the field keeps its height',
    'scroll-snap-stop': 'a swipe passes over pictures',
    'scrollbar-width': 'a scroll bar is seen',
    'size': 'the paper is the one that the printer’s dialog has',
    'text-decoration: dotted': 'the line is not dotted',
    'text-size-adjust': 'the name that a browser has for it stands beside it',
    'text-wrap': 'a text breaks where its line is full',
  };
  expect([...lackedBySheet(sheet!)].sort()).toEqual(Object.keys(dispensable).sort());
});

test('the scripts ask before they use what some of the oldest browsers lack', () => {
  const asked = {
    'AbortSignal.timeout': 'a request waits as long as the browser does',
    SharedWorker: 'each visible window has a stream of its own',
    '.databases': 'a kept call is sent from the desk, not from every page',
    '.requestIdleCallback': 'islands become live at once',
  };
  // Members of a module's objects, and of streams that no page opens.
  const own = ['.byobRequest', '.component', '.detached', '.details', '.format', '.lost', '.memory', '.respond', '.run'];
  expect([...lackedByScripts(files('.js'))].sort()).toEqual([...Object.keys(asked), ...own].sort());
});
