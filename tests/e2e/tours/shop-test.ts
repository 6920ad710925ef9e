import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test';
import type { ShopLocation } from '../../../tools/shop/running-shop.ts';
import type { PageErrors } from '../support/errors.ts';

export type TestFixtures = PlaywrightTestArgs & PlaywrightTestOptions & { errors: PageErrors };
export type WorkerFixtures = PlaywrightWorkerArgs & PlaywrightWorkerOptions & { shop: ShopLocation };

/** A `test` with pages of a shop, which all tests of a worker share. */
export type ShopTest = TestType<TestFixtures, WorkerFixtures>;
