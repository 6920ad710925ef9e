import { expect, test } from 'vitest';
import { faultNames } from './faults.ts';
import { runMatrix, type FaultResult } from './matrix.ts';
import { formatBrowserTable, formatCell } from './table.ts';

/** Every 13th fault of `npm run faults` runs here, except kills, whose restarts take seconds. */
const SAMPLE_STEP = 13;

test('each purchase is charged and granted once, for a sample of all faults except kills', { timeout: 300_000 }, async () => {
  const results: FaultResult[] = [];
  await runMatrix({ isWanted: (fault, index) => index % SAMPLE_STEP === 0 && fault !== 'shop killed' }, (each) =>
    results.push(each),
  );
  expect(results.filter(({ wrong }) => wrong !== null)).toEqual([]);
  const triedFaults = new Set(results.map(({ fault }) => fault));
  expect([...triedFaults].toSorted()).toEqual(faultNames.filter((fault) => fault !== 'shop killed').toSorted());
});

test('a cell lists the extra steps of the customer, or the violation', () => {
  const ending = { screen: 'receipt', extraSteps: ['Check', 'Check', 'signed in again'] };
  expect(formatCell({ wrong: null, ending })).toBe('C S');
  expect(formatCell({ wrong: null, ending: { screen: 'owned', extraSteps: [] } })).toBe('=');
  expect(formatCell({ wrong: 'charged 2 times, expected 1', ending })).toBe('✗ charged 2 times, expected 1');
});

test('the browser table has a row for each flow and names the faulty call', () => {
  const call = { path: 'purchase/free', time: 1 };
  const result = {
    name: 'a free title',
    call,
    bookings: null,
    ending: { screen: 'owned', extraSteps: ['Get it again'] },
    wrong: null,
  };
  const [, , row] = formatBrowserTable([{ ...result, fault: 'reload' }]).split('\n');
  expect(row).toMatch(/^\| a free title \| `purchase\/free` \|(?:  \|){8} P = \|(?:  \|){3}$/);
});
