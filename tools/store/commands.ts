import { InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../process/command-line.ts';

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

const option = (flags: string, says: string): Option => new Option(flags, says);

const needed = (flags: string, says: string): Option =>
  option(flags, says)
    .argParser((given) => {
      if (given === '') throw new InvalidArgumentError('It must not be empty.');
      return given;
    })
    .makeOptionMandatory();

/** An option that may be repeated. */
const several = (flags: string, says: string): Option =>
  option(flags, says).argParser<string[] | undefined>((given, before) => [...(before ?? []), given]);

/** Makes the option a whole number. @param word a word that is allowed instead of a number */
const asNumber = (made: Option, least: 0 | 1, word?: string): Option =>
  made.argParser((given) => (given === word ? given : wholeNumber(made.name(), given, least, MAX_NUMBER)));

const id = (says: string): Option => needed('--id <ID>', says);
const title = needed('--id <ID[,ID]>', 'the title, or several');
const plan = id('the plan');
const day = 'a day like 2027-01-31, in UTC';
const credits = asNumber(option('--credits <N>', 'the price in credits of a subscription; 0 for none'), 0);
const taxPlace = [
  needed('--country <CODE>', 'the country in which a customer lives, like US'),
  option('--region <CODE>', 'a region of the country, like CA'),
] as const;

/** Options of every command. */
export const commonOptions: readonly Option[] = [
  option('--store <ID>', 'the store; required if there are several'),
  option('--json', 'prints lines of JSON instead of CSV'),
  option(
    '--out <FILE>',
    'prints into a new file; to stdout, npm prints lines of its own first, unless it is npm run --silent store',
  ),
  option(
    '--shop <ADDRESS>',
    'the shop to call, like https://books.example; without it the database of DATABASE_URL or DATA_DIR is opened, or ' +
      'the shop on PORT is called while it runs on that database',
  ),
];

export const dryRun = option('--dry-run', 'validates the command, and changes nothing');

/** All commands of `npm run store`. */
export const commands: readonly StoreCommandSpec[] = [
  {
    name: 'stores create',
    says: 'makes a store',
    changes: true,
    options: [
      id('its id, as in addresses'),
      needed('--name <NAME>', 'its name'),
      needed('--currency <CODE>', 'its currency, like EUR'),
      option('--language <CODE>', 'its language, like en'),
      option('--host <HOST>', 'the host at which customers reach it, like books.example'),
      option('--default', 'serves hosts that belong to no store'),
    ],
  },
  { name: 'stores list', says: 'lists the stores' },
  {
    name: 'stores set',
    says: 'sets the currencies of a store',
    changes: true,
    options: [
      needed(
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
      several(
        '--set <NAME=VALUE>',
        'a property, may be repeated; NAME= resets one to its default; texts may be {"en": "…", "fr": "…"}',
      ),
      option('--file <FILE>', 'a JSON file with properties'),
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
      option('--price <4.99EUR>', 'the price of each: an amount in each currency, like 4.99EUR,5.49USD; 0EUR is free'),
      option('--prices <FILE>', 'CSV with columns isbn or file, price, categories (a;b), forsale (yes, no)'),
      several('--category <NAME>', 'a category for all titles, may be repeated; created if it does not exist'),
      option('--categories-from-subjects', 'adds each title to categories named after its subjects in EPUB and ONIX'),
      option('--onix <FILE>', 'ONIX 3.0 messages, with more metadata than the files have'),
    ],
  },
  { name: 'titles list', says: 'lists the titles', options: [option('--search <TEXT>', 'only titles with these words')] },
  {
    name: 'titles set',
    says: 'sets prices, visibility and categories of titles',
    changes: true,
    options: [
      title,
      option('--price <4.99EUR>', 'its price, an amount in each currency'),
      option('--for-sale <yes|no>', 'whether it can be bought'),
      option('--listed <yes|no>', 'whether lists include it'),
      option('--categories <A,B>', 'its categories'),
      credits,
    ],
  },
  {
    name: 'plans add',
    says: 'adds a subscription plan',
    changes: true,
    options: [
      id('its id'),
      needed('--name <NAME>', 'its name'),
      needed('--price <9.99EUR>', 'the price of a period'),
      needed('--period <PERIOD>', 'week, month, quarter or year'),
      asNumber(option('--trial-days <N>', 'days of the free trial'), 0),
      asNumber(option('--credits <N>', 'credits of each period'), 0),
      option('--description <HTML>', 'its description'),
    ],
  },
  { name: 'plans list', says: 'lists the plans' },
  {
    name: 'plans titles',
    says: 'sets the titles included in a subscription',
    changes: true,
    options: [
      plan,
      option('--add <ID,ID>', 'adds titles'),
      option('--remove <ID,ID>', 'removes titles'),
      option('--all <yes|no>', 'whether the plan includes every listed title'),
    ],
  },
  {
    name: 'plans withdraw',
    says: 'closes a plan to new subscriptions; existing ones continue',
    changes: true,
    options: [plan],
  },
  {
    name: 'campaigns add',
    says: 'adds a campaign',
    changes: true,
    options: [
      id('its id'),
      needed('--name <NAME>', 'its name'),
      needed('--titles <ID,ID=2.99EUR>', 'its titles, optionally with a price for the campaign'),
      option('--rewards <ID,ID>', 'reward titles, from which buyers pick'),
      asNumber(option('--buy <N>', 'titles to buy before rewards can be picked'), 1),
      asNumber(option('--pick <N>', 'rewards that can then be picked'), 1),
      option('--from <DAY>', `its first day, ${day}`),
      option('--to <DAY>', `its last day, ${day}`),
      option('--terms <HTML>', 'its terms'),
    ],
  },
  { name: 'campaigns list', says: 'lists the campaigns' },
  { name: 'campaigns end', says: 'ends a campaign now', changes: true, options: [id('the campaign')] },
  {
    name: 'codes make',
    says: 'creates redeemable codes',
    changes: true,
    options: [
      needed('--grants <GRANTS>', 'the grants of each code'),
      asNumber(option('--count <N>', 'the number of codes'), 1),
      option('--code <CODE>', 'a custom code, like SPRING, instead of random ones'),
      asNumber(option('--uses <N>', 'customers who can use each code, or unlimited; 1 by default'), 1, 'unlimited'),
      option('--expires <DAY>', `the last day of validity, ${day}`),
    ],
    more:
      'GRANTS is title:ID, titles:ID,ID (one of them), plan:ID (a period, without a card), trial:ID:DAYS (with a card), credits:N,\n' +
      'discount:20% or discount:20%:ID (of a title).',
  },
  {
    name: 'codes withdraw',
    says: 'withdraws codes; customers keep what they have redeemed',
    changes: true,
    options: [needed('--code <CODE[,CODE]>', 'the code, or several')],
  },
  { name: 'codes list', says: 'lists codes with their grants and remaining uses' },
  {
    name: 'credits give',
    says: 'gives a customer credits; idempotent by key',
    changes: true,
    options: [
      needed('--email <ADDRESS>', 'the e-mail address of the customer'),
      asNumber(needed('--amount <N>', 'the number of credits'), 1),
      needed('--key <KEY>', 'idempotency key, any text'),
    ],
  },
  {
    name: 'purchases list',
    says: 'lists purchases',
    options: [option('--from <DAY>', `the first day, ${day}`), option('--to <DAY>', `the last day, ${day}`)],
  },
  {
    name: 'purchases refund',
    says: 'refunds an order in full, in money or credits, and revokes its grants',
    changes: true,
    options: [needed('--order <NUMBER>', 'the number on the receipt')],
  },
  { name: 'ledger list', says: 'lists monthly totals of each account, and whether they balance' },
  {
    name: 'taxes set',
    says: 'adds a tax to prices, by the customer’s declared place of residence; requires the property EnableTax',
    changes: true,
    options: [
      ...taxPlace,
      option('--region-name <NAME>', 'the region’s name, like California'),
      needed('--name <NAME>', 'the name of the tax, like “Sales tax”; several taxes of one place are added up'),
      needed('--percent <7.25>', 'its rate; 0 offers customers a region without tax'),
    ],
  },
  {
    name: 'taxes remove',
    says: 'removes a tax',
    changes: true,
    options: [...taxPlace, needed('--name <NAME>', 'the name of the tax')],
  },
  { name: 'taxes list', says: 'lists the taxes' },
  {
    name: 'clock',
    says: 'shows the shop’s clock, or moves it forward; due renewals and e-mails run in order. Refused with Stripe or Razorpay',
    changes: true,
    options: [
      option('--forward <TIME>', 'by 90min, 2h, 31d, 1mo or 1y'),
      option('--to <MOMENT>', 'to a moment like 2028-01-31T12:00Z'),
    ],
  },
];
