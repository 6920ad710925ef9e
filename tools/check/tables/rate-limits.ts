import type { RateLimit } from '../../../server/accounts/limit-row.ts';
import { RATE_LIMITS, UNLIMITED_CALLS } from '../../../server/accounts/rate-limits.ts';
import { formatTable } from './table.ts';

const DAY_MINUTES = 24 * 60;

const formatWindow = (minutes: number): string => {
  if (minutes % DAY_MINUTES === 0) return minutes === DAY_MINUTES ? 'a day' : `${minutes / DAY_MINUTES} days`;
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
};

function formatMax({ max, waits }: RateLimit): string {
  if (typeof max === 'string') return `\`${max}\``;
  if (typeof max === 'number') return waits ? `${max}, then waits of 2 to ${waits.seconds} s` : String(max);
  if ('network' in max) return `${max.customer} a customer, ${max.network} a network`;
  return `${max.trusted}; ${max.other} where the account is younger than a day or was never verified`;
}

const limits = Object.entries<RateLimit>(RATE_LIMITS);

const toLimitRow = ([name, limit]: [string, RateLimit]): string[] => [
  `\`${name}\``,
  limit.per,
  formatMax(limit),
  formatWindow(limit.minutes),
  limit.why,
];

function createCallRows(): string[][] {
  const callNames = new Set(limits.flatMap(([, { calls = [], countedBy = [] }]) => [...calls, ...countedBy]));
  const limitedRows = [...callNames].toSorted().map((call) => {
    const names = limits.filter(([, { calls = [], countedBy = [] }]) => [...calls, ...countedBy].includes(call));
    return [`\`${call}\``, names.map(([name]) => `\`${name}\``).join(', ')];
  });
  return [...limitedRows, ...Object.entries(UNLIMITED_CALLS).map(([call, reason]) => [`\`${call}\``, `none: it ${reason}`])];
}

export const formatRateLimits = (): string =>
  [
    formatTable(['Limit', 'Counted by', 'Calls', 'Within', 'Why'], limits.map(toLimitRow)),
    formatTable(['Call', 'Its limits'], createCallRows()),
  ].join('\n\n');
