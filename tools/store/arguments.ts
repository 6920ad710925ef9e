import { optionValues, UsageError, wholeNumber } from '../process/command-line.ts';

export const usage = `npm run store -- codes make --grants GRANTS [--count 100 | --code SPRING] --out codes.csv
                  makes codes: each gives title:ID, titles:ID,ID (one of them), plan:ID (a period, without a card),
                  trial:ID:DAYS (with a card), credits:N, discount:20% or discount:20%:ID (of a title)
  --uses 1        how many customers can use each: a number, or unlimited
  --expires DAY   the last day on which they are good, like 2027-01-31, in UTC
npm run store -- codes list                     codes, what they give, and how often they can be used still
npm run store -- credits give --email ADDRESS --amount N --key KEY
                  gives a customer credits; never twice with the same key
npm run store -- purchases list [--from DAY] [--to DAY]

  --store ID      which store, where there are several
  --dry-run       says whether it could be done, and does nothing
  --json          lines for programs in place of CSV
  --out FILE      writes them into a new file; npm writes lines of its own before them elsewhere, but for npm run --silent store
  --shop ADDRESS  the shop to ask, like https://books.example; without it the database of DATABASE_URL or DATA_DIR is opened,
                  or the shop on PORT is asked while it runs on that

The shop is asked with the ADMIN_TOKEN that it was started with, from the environment.
Ends with 0 when it is done, with 1 when it cannot be done, with 2 when the command is not understood.`;

/** What is to be done, as the operations of the shop take it. */
export type Order = {
  name: string;
  given: Record<string, unknown>;
  json: boolean;
  shop: string | undefined;
  out: string | undefined;
};

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const common = { store: text, shop: text, out: text, json: flag, help: { ...flag, short: 'h' } } as const;

const options = {
  'codes make': { ...common, grants: text, count: text, code: text, uses: text, expires: text, 'dry-run': flag },
  'codes list': common,
  'credits give': { ...common, email: text, amount: text, key: text, 'dry-run': flag },
  'purchases list': { ...common, from: text, to: text },
} as const;

const needed: Record<keyof typeof options, readonly string[]> = {
  'codes make': ['grants'],
  'codes list': [],
  'credits give': ['email', 'amount', 'key'],
  'purchases list': [],
};

const isCommand = (name: string): name is keyof typeof options => Object.hasOwn(options, name);

const MOST = 1_000_000_000;

/** A value as the operation takes it. */
function valueOf(name: string, given: string | boolean): unknown {
  if (typeof given === 'boolean') return given;
  if (name === 'uses' && given === 'unlimited') return given;
  return ['count', 'amount', 'uses'].includes(name) ? wholeNumber(name, given, 1, MOST) : given;
}

const ofCommand = (name: string): string => (name === 'dry-run' ? 'dryRun' : name);

/** Reads the command line; null when help was asked for. @throws UsageError */
export function orderOf(args: readonly string[]): Order | null {
  if (args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help') return null;
  const [thing = '', verb = '', ...rest] = args;
  const name = `${thing} ${verb}`.trim();
  if (!isCommand(name)) {
    if (rest.includes('--help') || verb === '--help') return null;
    throw new UsageError(`There is no command “${name}”. There are: ${Object.keys(options).join(', ')}.`);
  }
  const { help, json, shop, out, ...values } = optionValues(rest, options[name]) as Record<string, string | boolean | undefined>;
  if (help === true) return null;
  const missing = needed[name].find((each) => values[each] === undefined || values[each] === '');
  if (missing !== undefined) throw new UsageError(`${name} needs --${missing}.`);
  const told = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [[ofCommand(key), valueOf(key, value)] as const],
  );
  const textOf = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined);
  return { name, given: Object.fromEntries(told), json: json === true, shop: textOf(shop), out: textOf(out) };
}
