/** The benefit of a code: exactly one of these. */
export type Grants =
  | { kind: 'title'; titleId: string }
  | { kind: 'titles'; titleIds: string[] }
  | { kind: 'subscription'; planId: string; trialDays: number | null }
  | { kind: 'credits'; credits: number }
  | { kind: 'discount'; percentOff: number; titleId: string | null };

/** Invalid input for new codes; the message gives the reason. */
export class InvalidCode extends Error {}

const GRANTS_HELP = 'title:ID, titles:ID,ID, plan:ID, trial:ID:DAYS, credits:N, discount:20% or discount:20%:ID';

const MAX_TRIAL_DAYS = 366;
const MAX_CREDITS = 1_000_000;

function parseWholeNumber(label: string, text: string | undefined, max: number): number {
  const number = /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
  if (number < 1 || number > max) throw new InvalidCode(`${label} must be a whole number from 1 to ${max}, not "${text ?? ''}".`);
  return number;
}

const requireId = (label: string, id: string | undefined): string => {
  if (!id) throw new InvalidCode(`${label} is missing.`);
  return id;
};

const grantParsers: Record<string, (fields: string[]) => Grants> = {
  title: ([id]) => ({ kind: 'title', titleId: requireId('The title’s id', id) }),
  titles: ([idList]) => {
    const titleIds = [...new Set((idList ?? '').split(',').filter((id) => id !== ''))];
    if (titleIds.length < 2) throw new InvalidCode('titles needs at least two ids, like titles:1001,1002.');
    return { kind: 'titles', titleIds };
  },
  plan: ([id]) => ({ kind: 'subscription', planId: requireId('The plan’s id', id), trialDays: null }),
  trial: ([id, days]) => ({
    kind: 'subscription',
    planId: requireId('The plan’s id', id),
    trialDays: parseWholeNumber('The days of a trial', days, MAX_TRIAL_DAYS),
  }),
  credits: ([number]) => ({ kind: 'credits', credits: parseWholeNumber('The number of credits', number, MAX_CREDITS) }),
  discount: ([percent, id]) => ({
    kind: 'discount',
    percentOff: parseWholeNumber('A discount’s percentage', percent?.replace(/%$/, ''), 99),
    titleId: id === undefined || id === '' ? null : id,
  }),
};

/** Parses an operator's text, such as `plan:ID`. @throws InvalidCode */
export function parseGrants(text: string): Grants {
  const [kind = '', ...fields] = text.trim().split(':');
  const parser = Object.hasOwn(grantParsers, kind) ? grantParsers[kind] : undefined;
  if (!parser) throw new InvalidCode(`A code gives ${GRANTS_HELP}, not "${text}".`);
  return parser(fields);
}

type CodeRow = {
  kind: string;
  title_id: string | null;
  plan_id: string | null;
  percent_off: number | null;
  credits: number | null;
  trial_days: number | null;
  titles?: string[];
};

/**
 * Formats a code's benefit in the syntax of `parseGrants`; of kinds that an operator cannot create,
 * only the kind.
 */
export function formatGrants({ kind, title_id, plan_id, percent_off, credits, trial_days, titles = [] }: CodeRow): string {
  if (kind === 'title') return `title:${title_id ?? ''}`;
  if (kind === 'titles') return `titles:${titles.join(',')}`;
  if (kind === 'credits') return `credits:${credits ?? 0}`;
  if (kind === 'discount') return `discount:${percent_off ?? 0}%${title_id === null ? '' : `:${title_id}`}`;
  if (kind === 'subscription') return trial_days === null ? `plan:${plan_id ?? ''}` : `trial:${plan_id ?? ''}:${trial_days}`;
  return kind;
}
