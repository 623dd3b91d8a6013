// Tables of items as JavaScript programs write them. Those of other programs are in the tests of the API.
import ExcelJS from 'exceljs';
import SheetJS from 'xlsx';

import { api } from '../fixtures/clerk.ts';
import { register } from '../fixtures/people.ts';
import { expect, test } from '../fixtures/test.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';

/** A name, the cell beside it, its format, and the text that it is read as. */
type Case = [name: string, cell: unknown, format: string | undefined, text: string];

const MOMENT = new Date('2026-12-01T18:20:00Z');
const CASES: Case[] = [
  ['Sum', 0.1 + 0.2, undefined, '0.3'],
  ['Count', 7, undefined, '7'],
  ['Thousandth', 1.005, undefined, '1.0050'],
  ['Percent', 0.125, '0.0%', '12.5'],
  ['Date', new Date('2026-12-01T00:00:00Z'), 'yyyy-mm-dd', '2026-12-01'],
  ['Moment', MOMENT, 'dd.mm.yyyy hh:mm', '2026-12-01 18:20'],
  ['Yes', true, undefined, 'yes'],
  ['No', false, undefined, 'no'],
  ['Digits', '007', undefined, '007'],
  ['Lines', 'a\nb, "c"', undefined, 'a\nb, "c"'],
];
const HEADINGS = ['name', 'description', 'currency'];

async function byExcelJS(): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Lots');
  sheet.addRow(HEADINGS);
  for (const [name, cell, format] of CASES) {
    const row = sheet.addRow([name, cell, 'EUR']);
    if (format) row.getCell(2).numFmt = format;
  }
  sheet.addRow(['Rich', { richText: [{ text: 'A ' }, { font: { bold: true }, text: 'lamp' }] }, 'EUR']);
  sheet.addRow(['Formula', { formula: '1+1', result: 2 }, 'EUR']);
  sheet.addRow(['Link', { text: 'A lamp', hyperlink: 'https://example.org/' }, 'EUR']);
  return Buffer.from(await book.xlsx.writeBuffer());
}

/** Days since the beginning of 1900, as a spreadsheet counts them. */
function serial(moment: Date): number {
  return moment.getTime() / 86_400_000 + 25_569;
}

function bySheetJS(bookType: 'xlsx' | 'ods'): Buffer {
  const sheet = SheetJS.utils.aoa_to_sheet([HEADINGS]);
  const written = (cell: unknown, format: string | undefined) => {
    // Only `.xlsx` keeps formats.
    if (cell instanceof Date) return bookType === 'ods' ? { t: 'd', v: cell } : { t: 'n', v: serial(cell), z: format };
    return format ? { t: 'n', v: cell, z: format } : cell;
  };
  const rows = CASES.map(([name, cell, format]) => [name, written(cell, format), 'EUR']);
  rows.push(['Formula', { t: 'n', f: '1+1', v: 2 }, 'EUR']);
  SheetJS.utils.sheet_add_aoa(sheet, rows, { origin: -1 });
  const book = SheetJS.utils.book_new();
  SheetJS.utils.book_append_sheet(book, sheet, 'Lots');
  return SheetJS.write(book, { type: 'buffer', bookType });
}

const FILES: [name: string, type: string, file: () => Promise<Buffer> | Buffer, further: Record<string, string>][] = [
  ['ExcelJS', XLSX, byExcelJS, { Rich: 'A lamp', Formula: '2', Link: 'A lamp' }],
  ['SheetJS as xlsx', XLSX, () => bySheetJS('xlsx'), { Formula: '2' }],
  ['SheetJS as ods', ODS, () => bySheetJS('ods'), { Formula: '2', Percent: '0.1250', Date: '2026-12-01 00:00' }],
];

for (const [program, type, file, further] of FILES) {
  test(`a cell that ${program} has written is read as it is shown`, async ({ page }) => {
    await register(page.request, 'Molly');
    const { id } = await api<{ id: string }>(page.request, 'POST', '/api/auctions', { name: 'Sale', joinMode: 'FREE' });
    const answer = await page.request.post(`/api/auctions/${id}/items/import`, {
      data: await file(),
      headers: { 'Content-Type': type, 'Idempotency-Key': 'once' },
    });
    expect(answer.status(), await answer.text()).toBe(201);
    const { items } = await api<{ items: { name: string; description: string }[] }>(
      page.request, 'GET', `/api/auctions/${id}/items?limit=100`,
    );
    const read = Object.fromEntries(items.map(({ name, description }) => [name, description]));
    expect(read).toEqual({ ...Object.fromEntries(CASES.map(([name, , , text]) => [name, text])), ...further });
  });
}
