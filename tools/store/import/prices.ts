import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';
import { toIsbn13 } from '../../../server/catalogue/isbn.ts';
import { readAmounts } from '../../../server/importing/amounts.ts';
import type { ImportedTitle } from '../../../server/importing/imported-title.ts';

/** What an operator says of titles beside their files. */
export type Terms = Partial<Omit<ImportedTitle, 'keys' | 'files' | 'items' | 'sample' | 'cover' | 'medium'>> & {
  /** what it is about, where something else than its file says so */
  subjects?: string[];
};

/** Terms by the title's ISBN and by its file within the folder. */
export type TermsFor = (title: { isbn13: string | undefined; path: string }) => Terms;

const COLUMNS = ['isbn', 'file', 'price', 'categories', 'forsale'];

function termsOf(row: Record<string, string>, line: number): Terms {
  const { price = '', categories = '', forsale = '' } = row;
  if (!['', 'yes', 'no'].includes(forsale.toLowerCase()))
    throw new BadOperation(`Line ${line} of --prices: forsale must be yes or no, not "${forsale}".`);
  const named = categories
    .split(';')
    .map((each) => each.trim())
    .filter(Boolean);
  return {
    ...(price === '' ? {} : { prices: readAmounts(price, `Line ${line} of --prices`) }),
    ...(named.length === 0 ? {} : { categories: named }),
    ...(forsale === '' ? {} : { forSale: forsale.toLowerCase() === 'yes' }),
  };
}

/** Programs of some countries write semicolons: the one that the line of names has. */
function delimiterOf(text: string): string {
  const [head = ''] = text.split('\n', 1);
  return [',', ';', '\t'].find((each) => head.includes(each)) ?? ',';
}

/**
 * Reads a table of prices: CSV with a line of names, of which `isbn` or `file` say of which title a line is, and `price` (like
 * `4.99 EUR`), `categories` (separated by semicolons) and `forsale` (yes or no) what holds for it.
 * @throws BadOperation that names the line
 */
export async function readTerms(path: string): Promise<TermsFor> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new BadOperation(`The file ${path} of --prices cannot be read.`);
  });
  let rows: Record<string, string>[];
  try {
    rows = parse(text, {
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      bom: true,
      trim: true,
      skip_empty_lines: true,
      delimiter: delimiterOf(text),
    });
  } catch (error) {
    throw new BadOperation(`The file of --prices is no CSV: ${error instanceof Error ? error.message : String(error)}`);
  }
  const strange = Object.keys(rows[0] ?? {}).find((name) => !COLUMNS.includes(name));
  if (strange !== undefined)
    throw new BadOperation(`The file of --prices has a column "${strange}". Columns are ${COLUMNS.join(', ')}.`);
  const known = new Map<string, Terms>();
  for (const [at, row] of rows.entries()) {
    const isbn = row['isbn'] ? toIsbn13(row['isbn']) : undefined;
    if (row['isbn'] && isbn === undefined) throw new BadOperation(`Line ${at + 2} of --prices: "${row['isbn']}" is no ISBN.`);
    const name = isbn ?? row['file'];
    if (!name) throw new BadOperation(`Line ${at + 2} of --prices names no title: it needs an isbn or a file.`);
    if (known.has(name)) throw new BadOperation(`Line ${at + 2} of --prices: ${name} has a line before already.`);
    known.set(name, termsOf(row, at + 2));
  }
  return ({ isbn13, path: file }) => known.get(isbn13 ?? '') ?? known.get(file) ?? {};
}
