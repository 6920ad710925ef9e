import { expect, test } from '../support/shop.ts';
import { exceptions } from './exceptions.ts';
import { withOnePage } from './one-page.ts';
import { uncoveredBy } from '../../../tools/tours/plan.ts';
import { stages } from '../../../tools/tours/stages.ts';
import { expectAllToured, testTours } from './tour-tests.ts';

const testInOnePage = withOnePage(test);

for (const stage of stages) {
  test(`the tours of ${stage.name} take its every transition`, () => expectAllToured(stage, exceptions[stage.name]));
  testTours(stage, { test, testInOnePage }, (on, title, body) => on(title, body));
}

test('few transitions are left out of the tours', () => {
  for (const stage of stages) {
    const excepted = Object.keys(exceptions[stage.name] ?? {});
    expect(excepted.length).toBeLessThanOrEqual(0.02 * uncoveredBy(stage, []).length);
  }
});
