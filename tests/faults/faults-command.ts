import { readFileSync, writeFileSync } from 'node:fs';
import { parseOptionValues, UsageError } from '../../tools/process/command-line.ts';
import { runAllInBrowser } from './in-browser/all.ts';
import { runMatrix, type FaultResult } from './matrix.ts';
import { formatBrowserTable, formatCell, formatTable } from './table.ts';

const usage = `npm run faults                          tries every fault on every call of each way to buy, and prints the table
npm run faults -- --errand gift         only errands whose names contain this text
npm run faults -- --fault "shop killed" only this fault
npm run faults -- --browser             tries every fault once with each flow in Chromium, on the built shop
npm run faults -- --write               also writes the table into docs/faults.md`;

const tableHead = `# Fault table: each fault of a purchase, and its outcome

Made by \`npm run faults -- --write\`. In a real shop with its gateway and database, a customer runs each errand through the machines and
the API calls of the pages. One call fails with the fault of its column, and the customer presses what the screen offers until the errand is
complete. Afterwards the gateway's journal has one charge for each purchase, and none for a free one.

\`npm run kills\` adds cases that one column cannot show: it kills the shop, one of two shops on PostgreSQL, or the database connections of that
one, when a call is sent, some ms into it, or after its response; 135 times, spread evenly by a seed over the errands. After the sweeps of the
next day no money is reserved, no transaction is unfinished and every ledger balances. A kill with a wrong outcome is printed with the
command that reproduces it.

The cells show the customer's extra steps:

`;

/** Heading of the browser part of the document. */
const BROWSER_HEADING = '# In the browser';

const browserTableHead = `${BROWSER_HEADING}

Made by \`npm run faults -- --browser --write\`. The same errands in Chromium, on the built pages: a customer presses the buttons
that the screen offers, and fills in its forms. In each flow the call fails that charges, or grants something free; a proxy between browser and
shop breaks it on the network. “Sent twice” means here that the customer presses every button twice. When a screen says that nothing was
charged, the gateway's journal must agree. At the end there is one charge and one copy, or one copy of a free title.

`;

/** Writes one of the two parts of the document and leaves the other unchanged. */
function writeTable(table: string, isBrowsers: boolean): void {
  const [own = '', browsers = ''] = readFileSync('docs/faults.md', 'utf8').split(`\n${BROWSER_HEADING}`);
  const parts = isBrowsers ? [own, browserTableHead.slice(BROWSER_HEADING.length) + table] : [tableHead + table, browsers];
  writeFileSync('docs/faults.md', parts.filter((part) => part !== '').join(`\n${BROWSER_HEADING}`));
}

const flagOption = { type: 'boolean' } as const;
const textOption = { type: 'string' } as const;

async function run(): Promise<number> {
  const options = parseOptionValues(process.argv.slice(2), {
    errand: textOption,
    fault: textOption,
    browser: flagOption,
    write: flagOption,
    help: flagOption,
  });
  if (options.help === true) {
    console.log(usage);
    return 0;
  }
  const tried: FaultResult[] = [];
  // Silences the client's log of each failed call.
  console.info = () => undefined;
  const isWanted = (fault: string): boolean => options.fault === undefined || fault === options.fault;
  const isBrowsers = options.browser === true;
  await (isBrowsers ? runAllInBrowser : runMatrix)({ errand: options.errand, isWanted }, (each) => {
    tried.push(each);
    if (each.wrong !== null) console.error(`${each.name}, ${each.call.path}, ${each.fault}: ${each.wrong}`);
    else if (isBrowsers) console.error(`${each.name}, ${each.fault}: ${formatCell(each)}`);
    else process.stderr.write('.');
  });
  process.stderr.write('\n');
  const table = isBrowsers ? formatBrowserTable(tried) : formatTable(tried);
  console.log(table);
  if (options.write === true) writeTable(table, isBrowsers);
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
