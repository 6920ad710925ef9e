import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { passUnlessComplaints, type Outcome } from './step.ts';
import { formatRateLimits } from './tables/rate-limits.ts';
import { formatSettings } from './tables/settings.ts';
import { formatProperties, formatPropertyTypes } from './tables/store-properties.ts';

/** Sections of docs that are generated from tables of the server, each between two marks. */
const generatedTables: readonly { page: string; name: string; make: () => string }[] = [
  { page: 'docs/configuration.md', name: 'settings', make: formatSettings },
  { page: 'docs/store-properties.md', name: 'types of properties', make: formatPropertyTypes },
  { page: 'docs/store-properties.md', name: 'properties', make: formatProperties },
  { page: 'docs/rate-limits.md', name: 'rate limits', make: formatRateLimits },
];

const getMarkers = (name: string): readonly [string, string] => [
  `<!-- begin: ${name}, by \`npm run tables\` -->`,
  `<!-- end: ${name} -->`,
];

/** The page with its generated section up to date; undefined if the page lacks its two marks. */
function replaceTable(page: string, name: string, text: string): string | undefined {
  const [begin, end] = getMarkers(name);
  const [pageStart, remainder, ...more] = page.split(begin);
  const remainderParts = remainder?.split(end);
  if (pageStart === undefined || more.length > 0 || remainderParts?.length !== 2) return undefined;
  return `${pageStart}${begin}\n\n${text}\n\n${end}${remainderParts[1]}`;
}

/** Complains about a page whose section differs from the generated one. */
function findComplaint(file: string, page: string, name: string, expected: string | undefined): string[] {
  if (expected === undefined) return [`${file} must contain each of these lines once: ${getMarkers(name).join(' and ')}`];
  if (expected === page) return [];
  const lines = page.split('\n');
  const line = expected.split('\n').find((each, index) => each !== lines[index]) ?? '';
  return [`${file}: the section "${name}" is out of date (first: ${line}): npm run tables`];
}

/** Fails if a page does not have the current generated tables. */
export async function checkTables(root: string): Promise<Outcome> {
  const complaints: string[] = [];
  for (const { page: file, name, make } of generatedTables) {
    const page = await readFile(join(root, file), 'utf8').catch(() => '');
    complaints.push(...findComplaint(file, page, name, replaceTable(page, name, make())));
  }
  return passUnlessComplaints(complaints, `${generatedTables.length} tables in docs match the server`);
}

async function writeTables(root: string): Promise<void> {
  for (const { page: file, name, make } of generatedTables) {
    const path = join(root, file);
    const updatedPage = replaceTable(await readFile(path, 'utf8'), name, make());
    if (updatedPage === undefined)
      throw new Error(`${file} must contain each of these lines once: ${getMarkers(name).join(' and ')}`);
    await writeFile(path, updatedPage);
    console.log(`wrote the ${name} into ${file}`);
  }
}

if (import.meta.main) await writeTables(process.cwd());
