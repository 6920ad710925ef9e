import { optionValues, UsageError, wholeNumber } from '../process/command-line.ts';

/** What an import is told beside its folder: the names of files, and terms for all titles. */
export type ImportOptions = {
  folder: string;
  price: string | undefined;
  prices: string | undefined;
  onix: string | undefined;
  categories: string[];
  bySubject: boolean;
};

/** What is to be done, as the operations of the shop take it. */
export type Order = {
  name: string;
  given: Record<string, unknown>;
  json: boolean;
  shop: string | undefined;
  out: string | undefined;
  /** a JSON file with properties */
  file: string | undefined;
  imports: ImportOptions | undefined;
};

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;
const dry = { 'dry-run': flag } as const;
const common = { store: text, shop: text, out: text, json: flag, help: { ...flag, short: 'h' } } as const;

const options = {
  'stores create': { ...common, ...dry, id: text, name: text, currency: text, language: text, host: text, default: flag },
  'stores list': common,
  'stores set': { ...common, ...dry, currencies: text },
  'properties set': { ...common, ...dry, set: texts, file: text },
  'properties list': common,
  import: { ...common, ...dry, price: text, prices: text, onix: text, category: texts, 'categories-from-subjects': flag },
  'titles list': { ...common, search: text },
  'titles set': { ...common, ...dry, id: text, price: text, 'for-sale': text, listed: text, categories: text, credits: text },
  'plans add': {
    ...common,
    ...dry,
    id: text,
    name: text,
    price: text,
    period: text,
    'trial-days': text,
    credits: text,
    description: text,
  },
  'plans list': common,
  'plans titles': { ...common, ...dry, id: text, all: text, add: text, remove: text },
  'plans withdraw': { ...common, ...dry, id: text },
  'campaigns add': {
    ...common,
    ...dry,
    id: text,
    name: text,
    titles: text,
    rewards: text,
    buy: text,
    pick: text,
    from: text,
    to: text,
    terms: text,
  },
  'campaigns list': common,
  'campaigns end': { ...common, ...dry, id: text },
  'codes make': { ...common, ...dry, grants: text, count: text, code: text, uses: text, expires: text },
  'codes list': common,
  'codes withdraw': { ...common, ...dry, code: text },
  'credits give': { ...common, ...dry, email: text, amount: text, key: text },
  'purchases list': { ...common, from: text, to: text },
  'purchases refund': { ...common, ...dry, order: text },
  'ledger list': common,
  'taxes set': { ...common, ...dry, country: text, region: text, 'region-name': text, name: text, percent: text },
  'taxes remove': { ...common, ...dry, country: text, region: text, name: text },
  'taxes list': common,
  clock: { ...common, ...dry, forward: text, to: text },
} as const;

const needed: Partial<Record<keyof typeof options, readonly string[]>> = {
  'stores create': ['id', 'name', 'currency'],
  'stores set': ['currencies'],
  'titles set': ['id'],
  'plans add': ['id', 'name', 'price', 'period'],
  'plans titles': ['id'],
  'plans withdraw': ['id'],
  'campaigns add': ['id', 'name', 'titles'],
  'campaigns end': ['id'],
  'codes make': ['grants'],
  'codes withdraw': ['code'],
  'credits give': ['email', 'amount', 'key'],
  'purchases refund': ['order'],
  'taxes set': ['country', 'name', 'percent'],
  'taxes remove': ['country', 'name'],
};

const isCommand = (name: string): name is keyof typeof options => Object.hasOwn(options, name);

const MOST = 1_000_000_000;
const NUMBERS = ['count', 'amount', 'uses', 'buy', 'pick'];
const NUMBERS_FROM_0 = ['trial-days', 'credits'];

/** A value as the operation takes it. */
function valueOf(name: string, given: string | boolean): unknown {
  if (typeof given === 'boolean') return given;
  if (name === 'uses' && given === 'unlimited') return given;
  if (NUMBERS_FROM_0.includes(name)) return wholeNumber(name, given, 0, MOST);
  return NUMBERS.includes(name) ? wholeNumber(name, given, 1, MOST) : given;
}

/** `dry-run` is `dryRun`. */
const ofCommand = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A value that is written as JSON, else the text itself; nothing takes a property back. */
function propertyValue(written: string): unknown {
  if (written === '') return null;
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return written;
  }
}

/** @throws UsageError for one without its value */
function propertiesIn(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const end = pair.indexOf('=');
      if (end < 1) throw new UsageError(`--set ${pair}: it is written as NAME=VALUE`);
      return [pair.slice(0, end), propertyValue(pair.slice(end + 1))];
    }),
  );
}

type Values = Record<string, string | boolean | string[] | undefined>;

const textOf = (value: Values[string]): string | undefined => (typeof value === 'string' ? value : undefined);
const listOf = (value: Values[string]): string[] => (Array.isArray(value) ? value : []);

/** The command's name, the folder of an import, and what follows them; null when help is asked for. @throws UsageError */
function commandIn(args: readonly string[]): { name: keyof typeof options; folder: string; rest: string[] } | null {
  const [thing = '', second = '', ...rest] = args;
  if (thing === 'import') {
    if (['--help', '-h'].includes(second)) return null;
    if (second === '' || second.startsWith('-')) throw new UsageError('import needs a folder: import FOLDER.');
    return { name: 'import', folder: second, rest };
  }
  if (thing === 'clock') return { name: 'clock', folder: '', rest: args.slice(1) };
  const name = `${thing} ${second}`.trim();
  if (isCommand(name)) return { name, folder: '', rest };
  if (rest.includes('--help') || second === '--help') return null;
  throw new UsageError(`There is no command “${name}”. There are: ${Object.keys(options).join(', ')}.`);
}

/** Reads the command line; null when help was asked for. @throws UsageError */
export function orderOf(args: readonly string[]): Order | null {
  if (args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help') return null;
  const command = commandIn(args);
  if (command === null) return null;
  const { name, folder, rest } = command;
  const { help, json, shop, out, set, file, category, ...values } = optionValues(rest, options[name]) as Values;
  if (help === true) return null;
  const missing = needed[name]?.find((each) => values[each] === undefined || values[each] === '');
  if (missing !== undefined) throw new UsageError(`${name} needs --${missing}.`);
  if (name === 'properties set' && set === undefined && file === undefined)
    throw new UsageError(`${name} needs --set or --file.`);
  const isImport = name === 'import';
  const { price, prices, onix, 'categories-from-subjects': bySubject, ...others } = values;
  const told = Object.entries(isImport ? others : values).flatMap(([key, value]) =>
    value === undefined || Array.isArray(value) ? [] : [[ofCommand(key), valueOf(key, value)] as const],
  );
  return {
    name: name === 'clock' ? `clock ${values['forward'] === undefined && values['to'] === undefined ? 'show' : 'move'}` : name,
    given: { ...Object.fromEntries(told), ...(name === 'properties set' ? { properties: propertiesIn(listOf(set)) } : {}) },
    json: json === true,
    shop: textOf(shop),
    out: textOf(out),
    file: textOf(file),
    imports: isImport
      ? {
          folder,
          price: textOf(price),
          prices: textOf(prices),
          onix: textOf(onix),
          categories: listOf(category),
          bySubject: bySubject === true,
        }
      : undefined,
  };
}
