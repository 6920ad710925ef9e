import { InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../process/command-line.ts';

/** A command of the operator: how it is typed, and its help. */
export type StoreCommandSpec = {
  /** as it is typed: a thing and a verb, or one word */
  name: string;
  /** a word that follows the name, and its meaning */
  argument?: readonly [name: string, says: string];
  says: string;
  options?: readonly Option[];
  /** changes the shop, and can be tried out by --dry-run */
  changes?: true;
  /** more of the help, below the options */
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

/** One that may be said several times. */
const several = (flags: string, says: string): Option =>
  option(flags, says).argParser<string[] | undefined>((given, before) => [...(before ?? []), given]);

/** Makes the option a whole number. @param word a word that is allowed in place of a number */
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
  option('--store <ID>', 'the store, where there are several'),
  option('--json', 'prints lines of JSON instead of CSV'),
  option(
    '--out <FILE>',
    'prints into a new file; npm prints lines of its own before the others, except for npm run --silent store',
  ),
  option(
    '--shop <ADDRESS>',
    'the shop to ask, like https://books.example; without it the database of DATABASE_URL or DATA_DIR is opened, or the shop on PORT ' +
      'is asked while it runs on that database',
  ),
];

export const dryRun = option('--dry-run', 'checks whether it could be done, and changes nothing');

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
      option('--default', 'is the store of hosts that belong to no store'),
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
        'the currencies that the store sells in, its own among them; it takes prices in no others',
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
        'a property, and may be said several times; NAME= takes one back to its default; texts may be {"en": "…", "fr": "…"}',
      ),
      option('--file <FILE>', 'a JSON file with properties'),
    ],
  },
  { name: 'properties list', says: 'lists the properties that are set' },
  {
    name: 'import',
    argument: ['FOLDER', 'the folder of the files'],
    says:
      'brings the EPUBs, PDFs, recordings and films of a folder into the shop, with their metadata; run again it updates changed titles, ' +
      'and doubles no title: docs/importing.md',
    changes: true,
    options: [
      option('--price <4.99EUR>', 'the price of each: an amount in each currency, like 4.99EUR,5.49USD; 0EUR is free'),
      option('--prices <FILE>', 'CSV with columns isbn or file, price, categories (a;b), forsale (yes, no)'),
      several('--category <NAME>', 'a category for all titles, and may be said several times; one that is missing is made'),
      option('--categories-from-subjects', 'files each title by its subjects as well, as EPUBs and ONIX say them in words'),
      option('--onix <FILE>', 'ONIX 3.0 messages, which say more of titles than their files do'),
    ],
  },
  { name: 'titles list', says: 'lists the titles', options: [option('--search <TEXT>', 'only titles with these words')] },
  {
    name: 'titles set',
    says: 'sets prices and places of titles',
    changes: true,
    options: [
      title,
      option('--price <4.99EUR>', 'its price, an amount in each currency'),
      option('--for-sale <yes|no>', 'whether it is sold'),
      option('--listed <yes|no>', 'whether lists show it'),
      option('--categories <A,B>', 'its categories'),
      credits,
    ],
  },
  {
    name: 'plans add',
    says: 'adds a plan to subscribe to',
    changes: true,
    options: [
      id('its id'),
      needed('--name <NAME>', 'its name'),
      needed('--price <9.99EUR>', 'the price of a period'),
      needed('--period <PERIOD>', 'week, month, quarter or year'),
      asNumber(option('--trial-days <N>', 'free days before the first period'), 0),
      asNumber(option('--credits <N>', 'credits of each period'), 0),
      option('--description <HTML>', 'its description'),
    ],
  },
  { name: 'plans list', says: 'lists the plans' },
  {
    name: 'plans titles',
    says: 'sets the titles that subscribers read without buying them',
    changes: true,
    options: [
      plan,
      option('--add <ID,ID>', 'adds titles'),
      option('--remove <ID,ID>', 'removes titles'),
      option('--all <yes|no>', 'whether every listed title belongs to the plan'),
    ],
  },
  {
    name: 'plans withdraw',
    says: 'ends new subscriptions to a plan; running ones continue',
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
      needed('--titles <ID,ID=2.99EUR>', 'its titles, those with a price of their own at that'),
      option('--rewards <ID,ID>', 'titles of which buyers pick some'),
      asNumber(option('--buy <N>', 'titles to buy before one can be picked'), 1),
      asNumber(option('--pick <N>', 'titles that can be picked'), 1),
      option('--from <DAY>', `its first day, ${day}`),
      option('--to <DAY>', `its last day, ${day}`),
      option('--terms <HTML>', 'its terms'),
    ],
  },
  { name: 'campaigns list', says: 'lists the campaigns' },
  { name: 'campaigns end', says: 'ends a campaign now', changes: true, options: [id('the campaign')] },
  {
    name: 'codes make',
    says: 'makes codes to redeem',
    changes: true,
    options: [
      needed('--grants <GRANTS>', 'the grants of each code'),
      asNumber(option('--count <N>', 'the number of codes'), 1),
      option('--code <CODE>', 'a code of your own, like SPRING, instead of random ones'),
      asNumber(option('--uses <N>', 'customers who can use each, or unlimited; 1 by default'), 1, 'unlimited'),
      option('--expires <DAY>', `the last day on which they can be used, ${day}`),
    ],
    more:
      'GRANTS is title:ID, titles:ID,ID (one of them), plan:ID (a period, without a card), trial:ID:DAYS (with a card), credits:N,\n' +
      'discount:20% or discount:20%:ID (of a title).',
  },
  {
    name: 'codes withdraw',
    says: 'ends the use of codes; customers keep what a code has given',
    changes: true,
    options: [needed('--code <CODE[,CODE]>', 'the code, or several')],
  },
  { name: 'codes list', says: 'lists codes with their grants, and how often they can still be used' },
  {
    name: 'credits give',
    says: 'gives a customer credits; never twice with the same key',
    changes: true,
    options: [
      needed('--email <ADDRESS>', 'the e-mail address of the customer'),
      asNumber(needed('--amount <N>', 'the number of credits'), 1),
      needed('--key <KEY>', 'any text that names this gift'),
    ],
  },
  {
    name: 'purchases list',
    says: 'lists purchases',
    options: [option('--from <DAY>', `the first day, ${day}`), option('--to <DAY>', `the last day, ${day}`)],
  },
  {
    name: 'purchases refund',
    says: 'gives all money, or all credits, of an order back, and takes back what it paid for',
    changes: true,
    options: [needed('--order <NUMBER>', 'the number on the receipt')],
  },
  { name: 'ledger list', says: 'lists the sums of each account by month, and whether they balance' },
  {
    name: 'taxes set',
    says: 'adds a tax to prices, by the place in which customers say to live; it needs the property EnableTax',
    changes: true,
    options: [
      ...taxPlace,
      option('--region-name <NAME>', 'the region’s name, like California'),
      needed('--name <NAME>', 'the name of the tax, like “Sales tax”; several of one place add up'),
      needed('--percent <7.25>', 'its rate; 0 lets customers choose a region without tax'),
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
    says: 'shows the shop’s time, or moves it forward; due renewals and e-mails happen in their order. Refused with Stripe or Razorpay',
    changes: true,
    options: [
      option('--forward <TIME>', 'by 90min, 2h, 31d, 1mo or 1y'),
      option('--to <MOMENT>', 'to a moment like 2028-01-31T12:00Z'),
    ],
  },
];
