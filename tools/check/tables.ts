import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noComplaints, type Outcome } from './step.ts';
import { rateLimitsText } from './tables/rate-limits.ts';
import { settingsText } from './tables/settings.ts';
import { propertiesText, propertyTypesText } from './tables/store-properties.ts';

/** Texts in pages of docs that tables of the server make, between two marks. */
const texts: readonly { page: string; name: string; make: () => string }[] = [
  { page: 'README.md', name: 'settings', make: settingsText },
  { page: 'docs/store-properties.md', name: 'types of properties', make: propertyTypesText },
  { page: 'docs/store-properties.md', name: 'properties', make: propertiesText },
  { page: 'docs/rate-limits.md', name: 'rate limits', make: rateLimitsText },
];

const marksOf = (name: string): readonly [string, string] => [
  `<!-- begin: ${name}, by \`npm run tables\` -->`,
  `<!-- end: ${name} -->`,
];

/** A page with a text as it should be; undefined for a page without its two marks. */
function corrected(page: string, name: string, text: string): string | undefined {
  const [begin, end] = marksOf(name);
  const [before, rest, ...more] = page.split(begin);
  const after = rest?.split(end);
  if (before === undefined || more.length > 0 || after?.length !== 2) return undefined;
  return `${before}${begin}\n\n${text}\n\n${end}${after[1]}`;
}

/** Complains about a page whose text is not exactly what the server's table makes. */
function complaintAbout(file: string, page: string, name: string, wanted: string | undefined): string[] {
  if (wanted === undefined) return [`${file} must have the lines ${marksOf(name).join(' and ')} once`];
  if (wanted === page) return [];
  const lines = page.split('\n');
  const line = wanted.split('\n').find((each, at) => each !== lines[at]) ?? '';
  return [`${file} does not have the ${name} of the server (first: ${line}): npm run tables`];
}

/** Fails when a page does not have the tables that the server's code makes. */
export async function checkTables(root: string): Promise<Outcome> {
  const complaints: string[] = [];
  for (const { page: file, name, make } of texts) {
    const page = await readFile(join(root, file), 'utf8').catch(() => '');
    complaints.push(...complaintAbout(file, page, name, corrected(page, name, make())));
  }
  return noComplaints(complaints, `${texts.length} tables of the docs are those of the server`);
}

async function writeTables(root: string): Promise<void> {
  for (const { page: file, name, make } of texts) {
    const path = join(root, file);
    const wanted = corrected(await readFile(path, 'utf8'), name, make());
    if (wanted === undefined) throw new Error(`${file} must have the lines ${marksOf(name).join(' and ')} once.`);
    await writeFile(path, wanted);
    console.log(`wrote the ${name} into ${file}`);
  }
}

if (import.meta.main) await writeTables(process.cwd());
