/** What a code gives, as an operator writes it. */
export type Grants =
  | { kind: 'title'; titleId: string }
  | { kind: 'titles'; titleIds: string[] }
  | { kind: 'subscription'; planId: string; trialDays: number | null }
  | { kind: 'credits'; credits: number }
  | { kind: 'discount'; percentOff: number; titleId: string | null };

/** What cannot be made a code of; the message says why. */
export class BadCode extends Error {}

const GRANTS_HELP = 'title:ID, titles:ID,ID, plan:ID, trial:ID:DAYS, credits:N, discount:20% or discount:20%:ID';

const LONGEST_TRIAL = 366;
const MOST_CREDITS = 1_000_000;

function whole(what: string, text: string | undefined, most: number): number {
  const number = /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
  if (number < 1 || number > most) throw new BadCode(`${what} must be a whole number from 1 to ${most}, not "${text ?? ''}".`);
  return number;
}

const named = (what: string, text: string | undefined): string => {
  if (!text) throw new BadCode(`${what} is missing.`);
  return text;
};

const readers: Record<string, (parts: string[]) => Grants> = {
  title: ([id]) => ({ kind: 'title', titleId: named('The title’s id', id) }),
  titles: ([list]) => {
    const titleIds = [...new Set((list ?? '').split(',').filter((id) => id !== ''))];
    if (titleIds.length < 2) throw new BadCode('A choice is of two titles at least, like titles:1001,1002.');
    return { kind: 'titles', titleIds };
  },
  plan: ([id]) => ({ kind: 'subscription', planId: named('The plan’s id', id), trialDays: null }),
  trial: ([id, days]) => ({
    kind: 'subscription',
    planId: named('The plan’s id', id),
    trialDays: whole('The days of a trial', days, LONGEST_TRIAL),
  }),
  credits: ([number]) => ({ kind: 'credits', credits: whole('The number of credits', number, MOST_CREDITS) }),
  discount: ([percent, id]) => ({
    kind: 'discount',
    percentOff: whole('A discount’s percentage', percent?.replace(/%$/, ''), 99),
    titleId: id === undefined || id === '' ? null : id,
  }),
};

/** Reads what a code is to give. @throws BadCode */
export function readGrants(text: string): Grants {
  const [word = '', ...parts] = text.trim().split(':');
  const reader = Object.hasOwn(readers, word) ? readers[word] : undefined;
  if (!reader) throw new BadCode(`A code gives ${GRANTS_HELP}, not "${text}".`);
  return reader(parts);
}

type Row = {
  kind: string;
  title_id: string | null;
  plan_id: string | null;
  percent_off: number | null;
  credits: number | null;
  trial_days: number | null;
  titles?: string[];
};

/** The same, written of what a code gives. */
export function writeGrants({ kind, title_id, plan_id, percent_off, credits, trial_days, titles = [] }: Row): string {
  if (kind === 'title') return `title:${title_id ?? ''}`;
  if (kind === 'titles') return `titles:${titles.join(',')}`;
  if (kind === 'credits') return `credits:${credits ?? 0}`;
  if (kind === 'discount') return `discount:${percent_off ?? 0}%${title_id === null ? '' : `:${title_id}`}`;
  if (kind === 'subscription') return trial_days === null ? `plan:${plan_id ?? ''}` : `trial:${plan_id ?? ''}:${trial_days}`;
  return kind;
}
