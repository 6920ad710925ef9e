import { InvalidArgumentError, Option } from 'commander';
import { parseWholeNumber } from '../process/command-line.ts';

/** A command of the operator with its help. */
export type StoreCommandSpec = {
  /** as typed: a noun and a verb, or one word */
  name: string;
  /** the positional argument, and its meaning */
  argument?: readonly [name: string, meaning: string];
  summary: string;
  options?: readonly Option[];
  /** modifies the shop, and supports --dry-run */
  isMutating?: true;
  /** further help, below the options */
  extraHelp?: string;
};

const MAX_NUMBER = 1_000_000_000;

const createOption = (flags: string, description: string): Option => new Option(flags, description);

const createRequiredOption = (flags: string, description: string): Option =>
  createOption(flags, description)
    .argParser((value) => {
      if (value === '') throw new InvalidArgumentError('It must not be empty.');
      return value;
    })
    .makeOptionMandatory();

/** An option that may be repeated. */
const createRepeatableOption = (flags: string, description: string): Option =>
  createOption(flags, description).argParser<string[] | undefined>((value, values) => [...(values ?? []), value]);

/** Makes an option take a whole number. @param word a word that is allowed instead of a number */
const toNumberOption = (option: Option, min: 0 | 1, word?: string): Option =>
  option.argParser((value) => (value === word ? value : parseWholeNumber(option.name(), value, min, MAX_NUMBER)));

const createIdOption = (description: string): Option => createRequiredOption('--id <ID>', description);
const titleOption = createRequiredOption('--id <ID[,ID]>', 'the title, or several');
const planOption = createIdOption('the plan');
const DAY_TEXT = 'a day like 2027-01-31, in UTC';
const creditsOption = toNumberOption(createOption('--credits <N>', 'the price in credits of a subscription; 0 for none'), 0);
const taxPlaceOptions = [
  createRequiredOption('--country <CODE>', 'the country in which a customer lives, like US'),
  createOption('--region <CODE>', 'a region of the country, like CA'),
] as const;

/** Options of every command. */
export const commonOptions: readonly Option[] = [
  createOption('--store <ID>', 'the store; required if there are several'),
  createOption('--json', 'prints lines of JSON instead of CSV'),
  createOption(
    '--out <FILE>',
    'prints into a new file; to stdout, npm prints lines of its own first, unless it is npm run --silent store',
  ),
  createOption(
    '--shop <ADDRESS>',
    'the shop to call, like https://books.example; without it the database of DATABASE_URL or DATA_DIR is opened, or ' +
      'the shop on PORT is called while it runs on that database',
  ),
];

export const dryRun = createOption('--dry-run', 'validates the command, and changes nothing');

/** All commands of `npm run store`. */
export const commands: readonly StoreCommandSpec[] = [
  {
    name: 'stores create',
    summary: 'makes a store',
    isMutating: true,
    options: [
      createIdOption('its id, as in addresses'),
      createRequiredOption('--name <NAME>', 'its name'),
      createRequiredOption('--currency <CODE>', 'its currency, like EUR'),
      createOption('--language <CODE>', 'its language, like en'),
      createOption('--host <HOST>', 'the host at which customers reach it, like books.example'),
      createOption('--default', 'serves hosts that belong to no store'),
    ],
  },
  { name: 'stores list', summary: 'lists the stores' },
  {
    name: 'stores set',
    summary: 'sets the currencies of a store',
    isMutating: true,
    options: [
      createRequiredOption(
        '--currencies <EUR,USD>',
        'the currencies that the store sells in, including its own; prices in other currencies are refused',
      ),
    ],
  },
  {
    name: 'properties set',
    summary: 'sets properties of a store: docs/store-properties.md',
    isMutating: true,
    options: [
      createRepeatableOption(
        '--set <NAME=VALUE>',
        'a property, may be repeated; NAME= resets one to its default; texts may be {"en": "…", "fr": "…"}',
      ),
      createOption('--file <FILE>', 'a JSON file with properties'),
    ],
  },
  { name: 'properties list', summary: 'lists the properties that are set' },
  {
    name: 'import',
    argument: ['FOLDER', 'the folder of the files'],
    summary:
      'imports the EPUBs, PDFs, audiobooks and films of a folder, with their metadata; run again, it updates changed titles, ' +
      'and never duplicates a title: docs/importing.md',
    isMutating: true,
    options: [
      createOption('--price <4.99EUR>', 'the price of each: an amount in each currency, like 4.99EUR,5.49USD; 0EUR is free'),
      createOption('--prices <FILE>', 'CSV with columns isbn or file, price, categories (a;b), forsale (yes, no)'),
      createRepeatableOption('--category <NAME>', 'a category for all titles, may be repeated; created if it does not exist'),
      createOption('--categories-from-subjects', 'adds each title to categories named after its subjects in EPUB and ONIX'),
      createOption('--onix <FILE>', 'ONIX 3.0 messages, with more metadata than the files have'),
    ],
  },
  {
    name: 'titles list',
    summary: 'lists the titles',
    options: [createOption('--search <TEXT>', 'only titles with these words')],
  },
  {
    name: 'titles set',
    summary: 'sets prices, visibility and categories of titles',
    isMutating: true,
    options: [
      titleOption,
      createOption('--price <4.99EUR>', 'its price, an amount in each currency'),
      createOption('--for-sale <yes|no>', 'whether it can be bought'),
      createOption('--listed <yes|no>', 'whether lists include it'),
      createOption('--categories <A,B>', 'its categories'),
      creditsOption,
    ],
  },
  {
    name: 'plans add',
    summary: 'adds a subscription plan',
    isMutating: true,
    options: [
      createIdOption('its id'),
      createRequiredOption('--name <NAME>', 'its name'),
      createRequiredOption('--price <9.99EUR>', 'the price of a period'),
      createRequiredOption('--period <PERIOD>', 'week, month, quarter or year'),
      toNumberOption(createOption('--trial-days <N>', 'days of the free trial'), 0),
      toNumberOption(createOption('--credits <N>', 'credits of each period'), 0),
      createOption('--description <HTML>', 'its description'),
    ],
  },
  { name: 'plans list', summary: 'lists the plans' },
  {
    name: 'plans titles',
    summary: 'sets the titles included in a subscription',
    isMutating: true,
    options: [
      planOption,
      createOption('--add <ID,ID>', 'adds titles'),
      createOption('--remove <ID,ID>', 'removes titles'),
      createOption('--all <yes|no>', 'whether the plan includes every listed title'),
    ],
  },
  {
    name: 'plans withdraw',
    summary: 'closes a plan to new subscriptions; existing ones continue',
    isMutating: true,
    options: [planOption],
  },
  {
    name: 'campaigns add',
    summary: 'adds a campaign',
    isMutating: true,
    options: [
      createIdOption('its id'),
      createRequiredOption('--name <NAME>', 'its name'),
      createRequiredOption('--titles <ID,ID=2.99EUR>', 'its titles, optionally with a price for the campaign'),
      createOption('--rewards <ID,ID>', 'reward titles, from which buyers pick'),
      toNumberOption(createOption('--buy <N>', 'titles to buy before rewards can be picked'), 1),
      toNumberOption(createOption('--pick <N>', 'rewards that can then be picked'), 1),
      createOption('--from <DAY>', `its first day, ${DAY_TEXT}`),
      createOption('--to <DAY>', `its last day, ${DAY_TEXT}`),
      createOption('--terms <HTML>', 'its terms'),
    ],
  },
  { name: 'campaigns list', summary: 'lists the campaigns' },
  { name: 'campaigns end', summary: 'ends a campaign now', isMutating: true, options: [createIdOption('the campaign')] },
  {
    name: 'codes make',
    summary: 'creates redeemable codes',
    isMutating: true,
    options: [
      createRequiredOption('--grants <GRANTS>', 'the grants of each code'),
      toNumberOption(createOption('--count <N>', 'the number of codes'), 1),
      createOption('--code <CODE>', 'a custom code, like SPRING, instead of random ones'),
      toNumberOption(createOption('--uses <N>', 'customers who can use each code, or unlimited; 1 by default'), 1, 'unlimited'),
      createOption('--expires <DAY>', `the last day of validity, ${DAY_TEXT}`),
    ],
    extraHelp:
      'GRANTS is title:ID, titles:ID,ID (one of them), plan:ID (a period, without a card), trial:ID:DAYS (with a card), credits:N,\n' +
      'discount:20% or discount:20%:ID (of a title).',
  },
  {
    name: 'codes withdraw',
    summary: 'withdraws codes; customers keep what they have redeemed',
    isMutating: true,
    options: [createRequiredOption('--code <CODE[,CODE]>', 'the code, or several')],
  },
  { name: 'codes list', summary: 'lists codes with their grants and remaining uses' },
  {
    name: 'credits give',
    summary: 'gives a customer credits; idempotent by key',
    isMutating: true,
    options: [
      createRequiredOption('--email <ADDRESS>', 'the e-mail address of the customer'),
      toNumberOption(createRequiredOption('--amount <N>', 'the number of credits'), 1),
      createRequiredOption('--key <KEY>', 'idempotency key, any text'),
    ],
  },
  {
    name: 'purchases list',
    summary: 'lists purchases',
    options: [
      createOption('--from <DAY>', `the first day, ${DAY_TEXT}`),
      createOption('--to <DAY>', `the last day, ${DAY_TEXT}`),
    ],
  },
  {
    name: 'purchases refund',
    summary: 'refunds an order in full, in money or credits, and revokes its grants',
    isMutating: true,
    options: [createRequiredOption('--order <NUMBER>', 'the number on the receipt')],
  },
  { name: 'ledger list', summary: 'lists monthly totals of each account, and whether they balance' },
  {
    name: 'taxes set',
    summary: 'adds a tax to prices, by the customer’s declared place of residence; requires the property EnableTax',
    isMutating: true,
    options: [
      ...taxPlaceOptions,
      createOption('--region-name <NAME>', 'the region’s name, like California'),
      createRequiredOption('--name <NAME>', 'the name of the tax, like “Sales tax”; several taxes of one place are added up'),
      createRequiredOption('--percent <7.25>', 'its rate; 0 offers customers a region without tax'),
    ],
  },
  {
    name: 'taxes remove',
    summary: 'removes a tax',
    isMutating: true,
    options: [...taxPlaceOptions, createRequiredOption('--name <NAME>', 'the name of the tax')],
  },
  { name: 'taxes list', summary: 'lists the taxes' },
  {
    name: 'clock',
    summary:
      'shows the shop’s clock, or moves it forward; due renewals and e-mails run in order. Refused with Stripe or Razorpay',
    isMutating: true,
    options: [
      createOption('--forward <TIME>', 'by 90min, 2h, 31d, 1mo or 1y'),
      createOption('--to <MOMENT>', 'to a moment like 2028-01-31T12:00Z'),
    ],
  },
];
