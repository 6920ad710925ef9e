import { test as base } from '@playwright/test';
import type { ShopPlace } from '../../../tools/shop/running-shop.ts';
import { watchErrors, type Errors } from '../support/errors.ts';
import { startSpecificationServer } from '../support/specification/server.ts';
import { specificationStages, standIns, tourProperties } from '../support/specification/stages.ts';
import { expect } from '../support/specification/test.ts';
import { withOnePage } from '../tours/one-page.ts';
import { expectAllToured, testTours } from '../tours/tour-tests.ts';

/** The built page on a server that knows the specification alone, one for all tours of a worker. */
const test = base.extend<{ errors: Errors }, { shop: ShopPlace }>({
  shop: [
    async ({}, use) => {
      const server = await startSpecificationServer({ base: '/api', properties: tourProperties });
      // No file says what it did.
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
      expect(errors.left(), 'errors of the page that no test allowed').toEqual([]);
    },
    { auto: true },
  ],
});

const testInOnePage = withOnePage(test);

for (const { stage, beyond } of specificationStages) {
  test(`the tours of ${stage.name} take its every transition`, () => expectAllToured(stage, beyond));
  testTours(stage, { test, testInOnePage }, (on, title, body) => on(title, body));
}

test.afterEach(({}, { annotations }) => {
  const inPlace = annotations.flatMap(({ type, description = '' }) =>
    type === 'injected' && description.startsWith('xstate.done.') ? description.split(':').slice(0, 1) : [],
  );
  expect(
    inPlace.filter((name) => standIns[name] === undefined),
    'answers that are not the server’s own',
  ).toEqual([]);
});
