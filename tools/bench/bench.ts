import { buildWhatIsStale } from '../start/build.mjs';
import { measure } from './measure.ts';
import { missed, table } from './rows.ts';

const note = [
  '* EverShop, the Medusa starter and Audiobookshelf: published by our own earlier measurement.',
  '  They are not measured in this run, on another machine they would differ, and the column is no like-for-like race.',
  'Pages: Chromium at 1366 x 900, empty cache, local server, no network delay, median of five loads. Limits count at full',
  'processor speed; the rows that say so are on one slowed down four times.',
].join('\n');

await buildWhatIsStale();
const rows = await measure(process.cwd());
const failed = rows.filter(missed);
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ rows: rows.map((row) => ({ ...row, missed: missed(row) })), missed: failed.length }, null, 2));
} else {
  console.log(`${table(rows)}\n\n${note}`);
}
process.exitCode = failed.length === 0 ? 0 : 1;
