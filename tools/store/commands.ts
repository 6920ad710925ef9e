import { InvalidArgumentError, Option } from 'commander';
import { parseWholeNumber } from '../process/command-line.ts';

/** A command of the operator with its help. */
export type StoreCommandSpec = {
  /** as typed: a noun and a verb, or one word */
  name: string;
  /** the positional argument, and its meaning */
  argument?: readonly [name: string, says: string];
  says: string;
  options?: readonly Option[];
  /** modifies the shop, and supports --dry-run */
  changes?: true;
  /** further help, below the options */
  more?: string;
};

const MAX_NUMBER = 1_000_000_000;

const createOption = (flags: string, says: string): Option => new Option(flags, says);

const requiredOption = (flags: string, says: string): Option =>
  createOption(flags, says)
    .argParser((given) => {
      if (given === '') throw new InvalidArgumentError('It must not be empty.');
      return given;
    })
    .makeOptionMandatory();

/** An option that may be repeated. */
const repeatableOption = (flags: string, says: string): Option =>
  createOption(flags, says).argParser<string[] | undefined>((given, before) => [...(before ?? []), given]);

/** Makes the option a whole number. @param word a word that is allowed instead of a number */
const toNumberOption = (made: Option, least: 0 | 1, word?: string): Option =>
  made.argParser((given) => (given === word ? given : parseWholeNumber(made.name(), given, least, MAX_NUMBER)));

const createIdOption = (says: string): Option => requiredOption('--id <ID>', says);
const titleOption = requiredOption('--id <ID[,ID]>', 'the title, or several');
const planOption = createIdOption('the plan');
const DAY_TEXT = 'a day like 2027-01-31, in UTC';
const creditsOption = toNumberOption(createOption('--credits <N>', 'the price in credits of a subscription; 0 for none'), 0);
const taxPlaceOptions = [
  requiredOption('--country <CODE>', 'the country in which a customer lives, like US'),
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
    says: 'makes a store',
    changes: true,
    options: [
      createIdOption('its id, as in addresses'),
      requiredOption('--name <NAME>', 'its name'),
      requiredOption('--currency <CODE>', 'its currency, like EUR'),
      createOption('--language <CODE>', 'its language, like en'),
      createOption('--host <HOST>', 'the host at which customers reach it, like books.example'),
      createOption('--default', 'serves hosts that belong to no store'),
    ],
  },
  { name: 'stores list', says: 'lists the stores' },
  {
    name: 'stores set',
    says: 'sets the currencies of a store',
    changes: true,
    options: [
      requiredOption(
        '--currencies <EUR,USD>',
        'the currencies that the store sells in, including its own; prices in other currencies are refused',
      ),
    ],
  },
  {
    name: 'properties set',
    says: 'sets properties of a store: docs/store-properties.md',
    changes: true,
    options: [
      repeatableOption(
        '--set <NAME=VALUE>',
        'a property, may be repeated; NAME= resets one to its default; texts may be {"en": "…", "fr": "…"}',
      ),
      createOption('--file <FILE>', 'a JSON file with properties'),
    ],
  },
  { name: 'properties list', says: 'lists the properties that are set' },
  {
    name: 'import',
    argument: ['FOLDER', 'the folder of the files'],
    says:
      'imports the EPUBs, PDFs, audiobooks and films of a folder, with their metadata; run again, it updates changed titles, ' +
      'and never duplicates a title: docs/importing.md',
    changes: true,
    options: [
      createOption('--price <4.99EUR>', 'the price of each: an amount in each currency, like 4.99EUR,5.49USD; 0EUR is free'),
      createOption('--prices <FILE>', 'CSV with columns isbn or file, price, categories (a;b), forsale (yes, no)'),
      repeatableOption('--category <NAME>', 'a category for all titles, may be repeated; created if it does not exist'),
      createOption('--categories-from-subjects', 'adds each title to categories named after its subjects in EPUB and ONIX'),
      createOption('--onix <FILE>', 'ONIX 3.0 messages, with more metadata than the files have'),
    ],
  },
  { name: 'titles list', says: 'lists the titles', options: [createOption('--search <TEXT>', 'only titles with these words')] },
  {
    name: 'titles set',
    says: 'sets prices, visibility and categories of titles',
    changes: true,
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
    says: 'adds a subscription plan',
    changes: true,
    options: [
      createIdOption('its id'),
      requiredOption('--name <NAME>', 'its name'),
      requiredOption('--price <9.99EUR>', 'the price of a period'),
      requiredOption('--period <PERIOD>', 'week, month, quarter or year'),
      toNumberOption(createOption('--trial-days <N>', 'days of the free trial'), 0),
      toNumberOption(createOption('--credits <N>', 'credits of each period'), 0),
      createOption('--description <HTML>', 'its description'),
    ],
  },
  { name: 'plans list', says: 'lists the plans' },
  {
    name: 'plans titles',
    says: 'sets the titles included in a subscription',
    changes: true,
    options: [
      planOption,
      createOption('--add <ID,ID>', 'adds titles'),
      createOption('--remove <ID,ID>', 'removes titles'),
      createOption('--all <yes|no>', 'whether the plan includes every listed title'),
    ],
  },
  {
    name: 'plans withdraw',
    says: 'closes a plan to new subscriptions; existing ones continue',
    changes: true,
    options: [planOption],
  },
  {
    name: 'campaigns add',
    says: 'adds a campaign',
    changes: true,
    options: [
      createIdOption('its id'),
      requiredOption('--name <NAME>', 'its name'),
      requiredOption('--titles <ID,ID=2.99EUR>', 'its titles, optionally with a price for the campaign'),
      createOption('--rewards <ID,ID>', 'reward titles, from which buyers pick'),
      toNumberOption(createOption('--buy <N>', 'titles to buy before rewards can be picked'), 1),
      toNumberOption(createOption('--pick <N>', 'rewards that can then be picked'), 1),
      createOption('--from <DAY>', `its first day, ${DAY_TEXT}`),
      createOption('--to <DAY>', `its last day, ${DAY_TEXT}`),
      createOption('--terms <HTML>', 'its terms'),
    ],
  },
  { name: 'campaigns list', says: 'lists the campaigns' },
  { name: 'campaigns end', says: 'ends a campaign now', changes: true, options: [createIdOption('the campaign')] },
  {
    name: 'codes make',
    says: 'creates redeemable codes',
    changes: true,
    options: [
      requiredOption('--grants <GRANTS>', 'the grants of each code'),
      toNumberOption(createOption('--count <N>', 'the number of codes'), 1),
      createOption('--code <CODE>', 'a custom code, like SPRING, instead of random ones'),
      toNumberOption(createOption('--uses <N>', 'customers who can use each code, or unlimited; 1 by default'), 1, 'unlimited'),
      createOption('--expires <DAY>', `the last day of validity, ${DAY_TEXT}`),
    ],
    more:
      'GRANTS is title:ID, titles:ID,ID (one of them), plan:ID (a period, without a card), trial:ID:DAYS (with a card), credits:N,\n' +
      'discount:20% or discount:20%:ID (of a title).',
  },
  {
    name: 'codes withdraw',
    says: 'withdraws codes; customers keep what they have redeemed',
    changes: true,
    options: [requiredOption('--code <CODE[,CODE]>', 'the code, or several')],
  },
  { name: 'codes list', says: 'lists codes with their grants and remaining uses' },
  {
    name: 'credits give',
    says: 'gives a customer credits; idempotent by key',
    changes: true,
    options: [
      requiredOption('--email <ADDRESS>', 'the e-mail address of the customer'),
      toNumberOption(requiredOption('--amount <N>', 'the number of credits'), 1),
      requiredOption('--key <KEY>', 'idempotency key, any text'),
    ],
  },
  {
    name: 'purchases list',
    says: 'lists purchases',
    options: [
      createOption('--from <DAY>', `the first day, ${DAY_TEXT}`),
      createOption('--to <DAY>', `the last day, ${DAY_TEXT}`),
    ],
  },
  {
    name: 'purchases refund',
    says: 'refunds an order in full, in money or credits, and revokes its grants',
    changes: true,
    options: [requiredOption('--order <NUMBER>', 'the number on the receipt')],
  },
  { name: 'ledger list', says: 'lists monthly totals of each account, and whether they balance' },
  {
    name: 'taxes set',
    says: 'adds a tax to prices, by the customer’s declared place of residence; requires the property EnableTax',
    changes: true,
    options: [
      ...taxPlaceOptions,
      createOption('--region-name <NAME>', 'the region’s name, like California'),
      requiredOption('--name <NAME>', 'the name of the tax, like “Sales tax”; several taxes of one place are added up'),
      requiredOption('--percent <7.25>', 'its rate; 0 offers customers a region without tax'),
    ],
  },
  {
    name: 'taxes remove',
    says: 'removes a tax',
    changes: true,
    options: [...taxPlaceOptions, requiredOption('--name <NAME>', 'the name of the tax')],
  },
  { name: 'taxes list', says: 'lists the taxes' },
  {
    name: 'clock',
    says: 'shows the shop’s clock, or moves it forward; due renewals and e-mails run in order. Refused with Stripe or Razorpay',
    changes: true,
    options: [
      createOption('--forward <TIME>', 'by 90min, 2h, 31d, 1mo or 1y'),
      createOption('--to <MOMENT>', 'to a moment like 2028-01-31T12:00Z'),
    ],
  },
];
