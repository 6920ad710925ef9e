import { buildWhatIsStale } from '../start/build.mjs';
import { optionValues, UsageError } from '../process/command-line.ts';
import { measure, partNames } from './measure.ts';
import { missed, table } from './rows.ts';

const note = [
  '* EverShop, the Medusa starter and Audiobookshelf: published by our own earlier measurement.',
  '  They are not measured in this run, on another machine they would differ, and the column is no like-for-like race.',
  'Pages: Chromium at 1366 x 900, empty cache, local server, no network delay, median of five loads. Limits count at full',
  'processor speed; the rows that say so are on one slowed down four times.',
].join('\n');

const usage = `npm run bench                     measures everything, which takes minutes
npm run bench -- --part buying    this part alone: ${partNames.join(', ')}
npm run bench -- --json           for programs`;

async function run(): Promise<number> {
  const { json, part } = optionValues(process.argv.slice(2), { json: { type: 'boolean' }, part: { type: 'string' } });
  if (part !== undefined && !partNames.includes(part)) throw new UsageError(`There is no part ${part}.`);
  await buildWhatIsStale();
  const rows = await measure(process.cwd(), part);
  const failed = rows.filter(missed);
  if (json === true) {
    console.log(JSON.stringify({ rows: rows.map((row) => ({ ...row, missed: missed(row) })), missed: failed.length }, null, 2));
  } else {
    console.log(`${table(rows)}\n\n${note}`);
  }
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
