import { expect, test } from '../support/shop.ts';
import { exceptions } from './exceptions.ts';
import { createSharedPageTest } from './one-page.ts';
import { listUncovered } from '../../../tools/tours/plan.ts';
import { adapters } from '../../../tools/tours/adapters.ts';
import { expectAllCovered, testTours } from './tour-tests.ts';

const testInOnePage = createSharedPageTest(test);

for (const adapter of adapters) {
  test(`the generated walks of ${adapter.name} take every transition`, () => expectAllCovered(adapter, exceptions[adapter.name]));
  testTours(adapter, { test, testInOnePage }, (baseTest, title, body) => baseTest(title, body));
}

test('at most 2% of a machine’s transitions are left out of the generated walks', () => {
  for (const adapter of adapters) {
    const exceptedNames = Object.keys(exceptions[adapter.name] ?? {});
    expect(exceptedNames.length).toBeLessThanOrEqual(0.02 * listUncovered(adapter, []).length);
  }
});
