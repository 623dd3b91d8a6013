// Writes `docs/reference/browsers.md`: what each engine has done in a run of all journeys, and what it can't
// do. With FARTHING_WRITE_TABLE the page is written, without it a run fails that has another result.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter';

const PAGE = path.join(import.meta.dirname, '../../docs/reference/browsers.md');
const START = '<!-- The rows of a run. -->\n';

export default class Table implements Reporter {
  private suite: Suite | undefined;

  onBegin(_: unknown, suite: Suite): void {
    this.suite = suite;
  }

  async onEnd({ status }: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    const engines = this.suite?.suites ?? [];
    const tests = new Map<string, Map<string, string>>();
    for (const engine of engines) {
      for (const test of engine.allTests()) {
        const row = tests.get(test.title) ?? new Map<string, string>();
        tests.set(test.title, row.set(engine.project()?.name ?? '', words(test)));
      }
    }
    const names = engines.map((engine) => engine.project()?.name ?? '');
    const [before = '', old = ''] = readFileSync(PAGE, 'utf8').split(START);
    const known = cellsOf(old);
    // A run of some journeys, or in one engine, says nothing about the others.
    if (status !== 'passed' || names.length < 2 || (known.size > tests.size && !process.env.FARTHING_WRITE_TABLE)) return undefined;
    // Engines that run with `--all` alone keep their column.
    const others = [...known.values()].flatMap((row) => [...row.keys()]).filter((name) => !names.includes(name));
    const columns = [...names, ...new Set(others)];
    const rows = [...tests].map(([title, row]) => {
      return [title, ...columns.map((name) => row.get(name) ?? known.get(title)?.get(name) ?? 'not run')];
    });
    const lines = [['journey', ...columns], ['---', ...columns.map(() => '---')], ...rows];
    const table = lines.map((cells) => `| ${cells.join(' | ')} |\n`.replaceAll(' --- ', '---')).join('');
    if (table === old) return undefined;
    if (process.env.FARTHING_WRITE_TABLE) {
      writeFileSync(PAGE, before + START + table);
      return undefined;
    }
    console.error(`docs/reference/browsers.md is not what this run has shown. With FARTHING_WRITE_TABLE=1 it is written:\n${table}`);
    return { status: 'failed' };
  }
}

/** What the page says of each journey, by engine. */
function cellsOf(table: string): Map<string, Map<string, string>> {
  const cells = (line: string) => line.split('|').slice(1, -1).map((cell) => cell.trim());
  const [head = '', ...lines] = table.split('\n').filter((line) => line.startsWith('| '));
  const [, ...engines] = cells(head);
  return new Map(
    lines.map((line) => {
      const [title = '', ...row] = cells(line);
      return [title, new Map(engines.map((engine, at) => [engine, row[at] ?? '']))];
    }),
  );
}

function words(test: TestCase): string {
  const skipped = test.annotations.find(({ type }) => type === 'skip');
  return skipped ? `no: ${skipped.description}` : 'works';
}
