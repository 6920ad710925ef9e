import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';
import { toIsbn13 } from '../../../server/catalogue/isbn.ts';
import { readAmounts } from '../../../server/importing/amounts.ts';
import type { ImportedTitle } from '../../../server/importing/imported-title.ts';

/** An operator's data about a title, besides its files. */
export type TitleTerms = Partial<Omit<ImportedTitle, 'keys' | 'files' | 'items' | 'sample' | 'cover' | 'medium'>> & {
  /** subjects, if another source than the file gives them */
  subjects?: string[];
};

/** Terms by the title's ISBN and by its file within the folder. */
export type TermsLookup = (title: { isbn13: string | undefined; path: string }) => TitleTerms;

const COLUMNS = ['isbn', 'file', 'price', 'categories', 'forsale'];

function toTerms(row: Record<string, string>, line: number): TitleTerms {
  const { price = '', categories = '', forsale = '' } = row;
  if (!['', 'yes', 'no'].includes(forsale.toLowerCase()))
    throw new BadOperation(`Line ${line} of --prices: forsale must be yes or no, not "${forsale}".`);
  const categoryNames = categories
    .split(';')
    .map((each) => each.trim())
    .filter(Boolean);
  return {
    ...(price === '' ? {} : { prices: readAmounts(price, `Line ${line} of --prices`) }),
    ...(categoryNames.length === 0 ? {} : { categories: categoryNames }),
    ...(forsale === '' ? {} : { forSale: forsale.toLowerCase() === 'yes' }),
  };
}

/** The delimiter of the header line: programs in some countries write semicolons. */
function findDelimiter(text: string): string {
  const [header = ''] = text.split('\n', 1);
  return [',', ';', '\t'].find((each) => header.includes(each)) ?? ',';
}

/**
 * Reads a price table: CSV with a header line. `isbn` or `file` identifies the title; `price` (like
 * `4.99 EUR`), `categories` (separated by semicolons) and `forsale` (yes or no) are its terms.
 * @throws BadOperation, with the number of the line that a faulty row ends in
 */
export async function readTerms(path: string): Promise<TermsLookup> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new BadOperation(`The file ${path} of --prices cannot be read.`);
  });
  let rows: { record: Record<string, string>; info: { lines: number } }[];
  try {
    rows = parse(text, {
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      bom: true,
      trim: true,
      skip_empty_lines: true,
      delimiter: findDelimiter(text),
      info: true,
    });
  } catch (error) {
    throw new BadOperation(`The file of --prices is not valid CSV: ${error instanceof Error ? error.message : String(error)}`);
  }
  const unknownColumn = Object.keys(rows[0]?.record ?? {}).find((name) => !COLUMNS.includes(name));
  if (unknownColumn !== undefined)
    throw new BadOperation(`The file of --prices has an unknown column "${unknownColumn}". Expected: ${COLUMNS.join(', ')}.`);
  const termsByTitle = new Map<string, TitleTerms>();
  for (const {
    record: row,
    info: { lines: line },
  } of rows) {
    const isbn = row['isbn'] ? toIsbn13(row['isbn']) : undefined;
    if (row['isbn'] && isbn === undefined) throw new BadOperation(`Line ${line} of --prices: "${row['isbn']}" is not an ISBN.`);
    const name = isbn ?? row['file'];
    if (!name) throw new BadOperation(`Line ${line} of --prices identifies no title: it needs an isbn or a file.`);
    if (termsByTitle.has(name)) throw new BadOperation(`Line ${line} of --prices: ${name} already has a line.`);
    termsByTitle.set(name, toTerms(row, line));
  }
  return ({ isbn13, path: file }) => termsByTitle.get(isbn13 ?? '') ?? termsByTitle.get(file) ?? {};
}
