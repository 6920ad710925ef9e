import { expect, test } from '../support/shop.ts';
import { exceptions } from './exceptions.ts';
import { sharedPageTest } from './one-page.ts';
import { listUncovered } from '../../../tools/tours/plan.ts';
import { adapters } from '../../../tools/tours/adapters.ts';
import { expectAllCovered, testTours } from './tour-tests.ts';

const testInOnePage = sharedPageTest(test);

for (const adapter of adapters) {
  test(`the generated walks of ${adapter.name} take every transition`, () => expectAllCovered(adapter, exceptions[adapter.name]));
  testTours(adapter, { test, testInOnePage }, (on, title, body) => on(title, body));
}

test('few transitions are left out of the generated walks', () => {
  for (const adapter of adapters) {
    const excepted = Object.keys(exceptions[adapter.name] ?? {});
    expect(excepted.length).toBeLessThanOrEqual(0.02 * listUncovered(adapter, []).length);
  }
});
