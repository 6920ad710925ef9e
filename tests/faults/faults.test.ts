import { expect, test } from 'vitest';
import { faultNames } from './faults.ts';
import { runMatrix, type FaultResult } from './matrix.ts';
import { formatBrowserTable, formatCell } from './table.ts';

/** Every 13th fault of `npm run faults` runs here; not kills, which take seconds to restart. */
const SAMPLE_SIZE = 13;

test('a customer is charged once and gets the purchase once, for a sample of all faults', { timeout: 300_000 }, async () => {
  const tried: FaultResult[] = [];
  await runMatrix({ isWanted: (fault, at) => at % SAMPLE_SIZE === 0 && fault !== 'shop killed' }, (each) => tried.push(each));
  expect(tried.filter(({ wrong }) => wrong !== null)).toEqual([]);
  const found = new Set(tried.map(({ fault }) => fault));
  expect([...found].toSorted()).toEqual(faultNames.filter((fault) => fault !== 'shop killed').toSorted());
});

test('a cell lists the extra steps of the customer, or says what went wrong', () => {
  const ending = { screen: 'receipt', extraSteps: ['Check', 'Check', 'signed in again'] };
  expect(formatCell({ wrong: null, ending })).toBe('C S');
  expect(formatCell({ wrong: null, ending: { screen: 'owned', extraSteps: [] } })).toBe('=');
  expect(formatCell({ wrong: 'charged 2 times for 1', ending })).toBe('✗ charged 2 times for 1');
});

test('the browser table has a row for each flow and names the faulty call', () => {
  const call = { path: 'purchase/free', time: 1 };
  const tried = {
    name: 'a free title',
    call,
    booked: null,
    ending: { screen: 'owned', extraSteps: ['Get it again'] },
    wrong: null,
  };
  const [, , line] = formatBrowserTable([{ ...tried, fault: 'reload' }]).split('\n');
  expect(line).toMatch(/^\| a free title \| `purchase\/free` \|(?:  \|){8} P = \|(?:  \|){3}$/);
});
