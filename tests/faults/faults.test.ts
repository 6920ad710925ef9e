import { expect, test } from 'vitest';
import { faultNames } from './faults.ts';
import { tryAll, type Tried } from './matrix.ts';
import { browserTableOf, cellOf } from './table.ts';

/** Of what `npm run faults` tries, one of so many; a shop that is killed takes seconds to be there again. */
const SAMPLE = 13;

test('whatever goes wrong with a call, who buys is charged once and gets it once (a sample)', { timeout: 300_000 }, async () => {
  const tried: Tried[] = [];
  await tryAll({ isWanted: (fault, at) => at % SAMPLE === 0 && fault !== 'shop killed' }, (each) => tried.push(each));
  expect(tried.filter(({ wrong }) => wrong !== null)).toEqual([]);
  const found = new Set(tried.map(({ fault }) => fault));
  expect([...found].toSorted()).toEqual(faultNames.filter((fault) => fault !== 'shop killed').toSorted());
});

test('a cell says what the customer had to do, or what is wrong', () => {
  const ending = { screen: 'receipt', did: ['Check', 'Check', 'signed in again'] };
  expect(cellOf({ wrong: null, ending })).toBe('C S');
  expect(cellOf({ wrong: null, ending: { screen: 'owned', did: [] } })).toBe('=');
  expect(cellOf({ wrong: 'charged 2 times for 1', ending })).toBe('✗ charged 2 times for 1');
});

test('the browser’s table has a line for each flow, and names the call that goes wrong', () => {
  const call = { path: 'purchase/free', time: 1 };
  const tried = { name: 'a free title', call, booked: null, ending: { screen: 'owned', did: ['Get it again'] }, wrong: null };
  const [, , line] = browserTableOf([{ ...tried, fault: 'reload' }]).split('\n');
  expect(line).toMatch(/^\| a free title \| `purchase\/free` \|(?:  \|){8} P = \|(?:  \|){3}$/);
});
