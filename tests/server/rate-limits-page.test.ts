import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { RateLimit } from '../../server/accounts/limit-row.ts';
import { RATE_LIMITS, UNLIMITED_CALLS } from '../../server/accounts/rate-limits.ts';

const PAGE = new URL('../../docs/rate-limits.md', import.meta.url);
/** Between them is the text that the const makes. */
const [BEGIN, END] = ['<!-- begin: made of server/accounts/rate-limits.ts -->', '<!-- end -->'] as const;

const windowOf = (minutes: number): string => {
  if (minutes % (24 * 60) === 0) return minutes === 24 * 60 ? 'a day' : `${minutes / 24 / 60} days`;
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
};

function maxOf({ max, waits }: RateLimit): string {
  if (typeof max === 'string') return `\`${max}\``;
  if (typeof max === 'number') return waits ? `${max}, then waits of 2 to ${waits.seconds} s` : String(max);
  if ('network' in max) return `${max.customer} a customer, ${max.network} a network`;
  return `${max.trusted}; ${max.other} where the account is younger than a day or was never verified`;
}

const rowOf = ([name, limit]: [string, RateLimit]): string =>
  `| ${[`\`${name}\``, limit.per, maxOf(limit), windowOf(limit.minutes), limit.why].join(' | ')} |`;

function callRows(): string[] {
  const limits = Object.entries<RateLimit>(RATE_LIMITS);
  const all = new Set(limits.flatMap(([, { calls = [], countedBy = [] }]) => [...calls, ...countedBy]));
  const limited = [...all].toSorted().map((call) => {
    const names = limits.filter(([, { calls = [], countedBy = [] }]) => [...calls, ...countedBy].includes(call));
    return `| \`${call}\` | ${names.map(([name]) => `\`${name}\``).join(', ')} |`;
  });
  return [...limited, ...Object.entries(UNLIMITED_CALLS).map(([call, reason]) => `| \`${call}\` | none: it ${reason} |`)];
}

const made = (): string =>
  [
    '| Limit | Counted by | Calls | Within | Why |',
    '|---|---|---|---|---|',
    ...Object.entries<RateLimit>(RATE_LIMITS).map(rowOf),
    '',
    '| Call | Its limits |',
    '|---|---|',
    ...callRows(),
  ].join('\n');

test('the page of rate limits has what the const says; `vitest -u` writes it', async () => {
  const page = await readFile(PAGE, 'utf8');
  const [before, after] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
  expect([page.split(BEGIN).length, page.split(END).length]).toEqual([2, 2]);
  await expect(`${before}${BEGIN}\n\n${made()}\n\n${after}`).toMatchFileSnapshot(PAGE.pathname);
});
