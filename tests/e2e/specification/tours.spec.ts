import { test as base } from '@playwright/test';
import type { ShopLocation } from '../../../tools/shop/running-shop.ts';
import { watchErrors, type PageErrors } from '../support/errors.ts';
import { startSpecificationServer } from '../support/specification/server.ts';
import { specificationAdapters, injectionReasons, tourProperties } from '../support/specification/adapters.ts';
import { expect } from '../support/specification/test.ts';
import { createSharedPageTest } from '../tours/one-page.ts';
import { expectAllCovered, testTours } from '../tours/tour-tests.ts';

/**
 * The built page on a server that implements the specification alone, one for all generated walks
 * of a worker.
 */
const test = base.extend<{ errors: PageErrors }, { shop: ShopLocation }>({
  shop: [
    async ({}, use) => {
      const server = await startSpecificationServer({ base: '/api', properties: tourProperties });
      // This server writes no files.
      await use({ url: server.url, data: '' });
      await server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  errors: [
    async ({ context }, use) => {
      const errors = watchErrors(context);
      await use(errors);
      expect(errors.getUnexpected(), 'errors of the page that no test allowed').toEqual([]);
    },
    { auto: true },
  ],
});

const testInOnePage = createSharedPageTest(test);

for (const { adapter, unreachableReasons } of specificationAdapters) {
  test(`the generated walks of ${adapter.name} take every transition`, () => expectAllCovered(adapter, unreachableReasons));
  testTours(adapter, { test, testInOnePage }, (declareTest, title, body) => declareTest(title, body));
}

test.afterEach(({}, { annotations }) => {
  const injectedEvents = annotations.flatMap(({ type, description = '' }) =>
    type === 'injected' && description.startsWith('xstate.done.') ? description.split(':').slice(0, 1) : [],
  );
  expect(
    injectedEvents.filter((name) => injectionReasons[name] === undefined),
    'answers that a walk injects without a stated reason',
  ).toEqual([]);
});
