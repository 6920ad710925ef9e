import { readFileSync, writeFileSync } from 'node:fs';
import { optionValues, UsageError } from '../../tools/process/command-line.ts';
import { tryAllInBrowser } from './in-browser/all.ts';
import { tryAll, type Tried } from './matrix.ts';
import { browserTableOf, cellOf, tableOf } from './table.ts';

const usage = `npm run faults                          tries every fault with every call of every way to buy, and prints the table
npm run faults -- --errand gift         those errands alone whose name has this in it
npm run faults -- --fault "shop killed" this fault alone
npm run faults -- --browser             tries every fault once with each flow in Chromium, on the built shop
npm run faults -- --write               also writes the table into docs/faults.md`;

const head = `# What goes wrong, and how it ends

Made by \`npm run faults -- --write\`. In a real shop with its gateway and database, a customer runs each errand by the machines and the
calls of the pages; one call goes wrong in the way of its column, and the customer does what the screen offers until they have what they
wanted. Afterwards the gateway's own book has one charge for what was given, and none for what costs nothing.

\`npm run kills\` adds what one column cannot show: the shop, one of two shops on PostgreSQL, or the database connections of that one die as a
call is sent, some milliseconds into it, or once it has answered; 135 times, spread evenly by a seed over the kinds of purchase. Afterwards
sweeps of the next day leave no reserved money, no unfinished transaction and no ledger that does not balance, and a kill that ended wrong is
printed with the command that repeats it.

The cells say what the customer had to do for it:

`;

/** Begins the part of the document that is the browser's. */
const BROWSER = '# In the browser';

const browserHead = `${BROWSER}

Made by \`npm run faults -- --browser --write\`. The same errands in Chromium, by the built pages: a customer presses what the screen
offers, and fills in what it asks for. Of each flow the call goes wrong that charges, or gives what costs no money; on the wire itself,
for whose sake a proxy stands between browser and shop. “Sent twice” is here the customer's double press on every button. A screen that says
that nothing was charged is compared with the gateway's book. At the end there is one charge and one copy, or one copy of what is free.

`;

/** Writes one of the two parts of the document; the other stays as it is. */
function write(table: string, isBrowsers: boolean): void {
  const [own = '', browsers = ''] = readFileSync('docs/faults.md', 'utf8').split(`\n${BROWSER}`);
  const parts = isBrowsers ? [own, browserHead.slice(BROWSER.length) + table] : [head + table, browsers];
  writeFileSync('docs/faults.md', parts.filter((part) => part !== '').join(`\n${BROWSER}`));
}

const flag = { type: 'boolean' } as const;
const text = { type: 'string' } as const;

async function run(): Promise<number> {
  const options = optionValues(process.argv.slice(2), { errand: text, fault: text, browser: flag, write: flag, help: flag });
  if (options.help === true) {
    console.log(usage);
    return 0;
  }
  const tried: Tried[] = [];
  // What the client logs of each failed call is not what is to be read here.
  console.info = () => undefined;
  const isWanted = (fault: string): boolean => options.fault === undefined || fault === options.fault;
  const isBrowsers = options.browser === true;
  await (isBrowsers ? tryAllInBrowser : tryAll)({ errand: options.errand, isWanted }, (each) => {
    tried.push(each);
    if (each.wrong !== null) console.error(`${each.name}, ${each.call.path}, ${each.fault}: ${each.wrong}`);
    else if (isBrowsers) console.error(`${each.name}, ${each.fault}: ${cellOf(each)}`);
    else process.stderr.write('.');
  });
  process.stderr.write('\n');
  const table = isBrowsers ? browserTableOf(tried) : tableOf(tried);
  console.log(table);
  if (options.write === true) write(table, isBrowsers);
  const wrong = tried.filter((each) => each.wrong !== null).length;
  console.log(`${tried.length} faults tried, ${wrong} ended wrong`);
  return wrong === 0 && tried.length > 0 ? 0 : 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
