import { buildIfStale } from '../start/build.mjs';
import { parseOptionValues, UsageError } from '../process/command-line.ts';
import { measure, partNames } from './measure.ts';
import { isMissed, formatTable } from './rows.ts';

const footnote = [
  '* EverShop, the Medusa starter and Audiobookshelf: published by our own earlier measurement.',
  '  They are not measured in this run. On another machine they would differ: the columns are no like-for-like comparison.',
  'Pages: Chromium at 1366 x 900, empty cache, local server, no network delay, median of five loads. Limits count at full',
  'processor speed; rows with a slowed-down processor say so.',
].join('\n');

const usage = `npm run bench                     measures everything, which takes minutes
npm run bench -- --part buying    only this part: ${partNames.join(', ')}
npm run bench -- --json           machine-readable output`;

async function run(): Promise<number> {
  const { json, part } = parseOptionValues(process.argv.slice(2), { json: { type: 'boolean' }, part: { type: 'string' } });
  if (part !== undefined && !partNames.includes(part))
    throw new UsageError(`--part ${part}: expected one of ${partNames.join(', ')}`);
  await buildIfStale();
  const rows = await measure(process.cwd(), part);
  const missedRows = rows.filter(isMissed);
  if (json === true) {
    console.log(
      JSON.stringify({ rows: rows.map((row) => ({ ...row, missed: isMissed(row) })), missed: missedRows.length }, null, 2),
    );
  } else {
    console.log(`${formatTable(rows)}\n\n${footnote}`);
  }
  return missedRows.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
