import { writeFileSync } from 'node:fs';
import { optionValues, UsageError } from '../../tools/process/command-line.ts';
import { tryAll, type Tried } from './matrix.ts';
import { tableOf } from './table.ts';

const usage = `npm run faults                          tries every fault with every call of every way to buy, and prints the table
npm run faults -- --errand gift         those errands alone whose name has this in it
npm run faults -- --fault "shop killed" this fault alone
npm run faults -- --write               also writes docs/faults.md`;

const head = `# What goes wrong, and how it ends

Made by \`npm run faults -- --write\`. In a real shop with its gateway and database, a customer runs each errand by the machines and the
calls of the pages; one call goes wrong in the way of its column, and the customer does what the screen offers until they have what they
wanted. Afterwards the gateway's own book has one charge for what was given, and none for what costs nothing.

The cells say what the customer had to do for it:

`;

const flag = { type: 'boolean' } as const;
const text = { type: 'string' } as const;

async function run(): Promise<number> {
  const options = optionValues(process.argv.slice(2), { errand: text, fault: text, write: flag, help: flag });
  if (options.help === true) {
    console.log(usage);
    return 0;
  }
  const tried: Tried[] = [];
  // What the client logs of each failed call is not what is to be read here.
  console.info = () => undefined;
  const isWanted = (fault: string): boolean => options.fault === undefined || fault === options.fault;
  await tryAll({ errand: options.errand, isWanted }, (each) => {
    tried.push(each);
    if (each.wrong !== null) console.error(`${each.name}, ${each.call.path}, ${each.fault}: ${each.wrong}`);
    else process.stderr.write('.');
  });
  process.stderr.write('\n');
  const table = tableOf(tried);
  console.log(table);
  if (options.write === true) writeFileSync('docs/faults.md', head + table);
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
