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
    // A run of some journeys, or in some engines, says nothing about the others.
    const known = old.split('\n').filter((line) => line.startsWith('| ')).length - 1;
    if (status !== 'passed' || names.length < 2 || (known > tests.size && !process.env.FARTHING_WRITE_TABLE)) return undefined;
    const rows = [...tests].map(([title, row]) => [title, ...names.map((name) => row.get(name) ?? '')]);
    const lines = [['journey', ...names], ['---', ...names.map(() => '---')], ...rows];
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

function words(test: TestCase): string {
  const skipped = test.annotations.find(({ type }) => type === 'skip');
  return skipped ? `no: ${skipped.description}` : 'works';
}
