import type { PlaywrightTestArgs, TestInfo, TestType } from '@playwright/test';
import type { ShopLocation } from '../../../tools/shop/running-shop.ts';
import { expect } from '../support/shop.ts';
import type { PageErrors } from '../support/errors.ts';
import { isShopOpen, resetShop, type SharedPage } from './one-page.ts';
import { getFiredNames, planTours, startsSignedIn, listUncovered, type Tour } from '../../../tools/tours/plan.ts';
import { playTour } from './play.ts';
import type { ShopTest, TestFixtures, WorkerFixtures } from './shop-test.ts';
import type { BrowserAdapter } from '../../../tools/tours/browser-adapter.ts';
import { replayRecord } from './trace.ts';
import { createWalk } from './world.ts';

/** The `test` of walks that run one after another in one page. */
type OnePageTest = TestType<TestFixtures, WorkerFixtures & { sharedPage: SharedPage }>;

type TourTestBody = (args: PlaywrightTestArgs & { shop: ShopLocation; errors: PageErrors }, info: TestInfo) => Promise<void>;

/** Runs a walk; the page's own record must contain the transitions of the walk. */
const createBody =
  (adapter: BrowserAdapter, tour: Tour): TourTestBody =>
  async ({ page, context, shop, errors }, info) => {
    errors.allow(/Failed to load resource/);
    // The book renderer measures a page after a scroll, even while its chapter is being replaced.
    errors.allow(/getComputedStyle.*not of type 'Element'[^]*\/assets\/paginator-/);
    const walk = createWalk({ page, context, shop }, adapter, info);
    walk.remainingSteps = tour.steps;
    const customer = startsSignedIn(adapter, tour.model) ? await walk.getCustomer() : null;
    if (isShopOpen(page)) await resetShop(page, customer);
    else await customer?.signInBrowser(context);
    await playTour(walk, adapter, tour);
    const fired = new Set(await replayRecord(page));
    expect(getFiredNames(tour).filter((name) => !fired.has(name))).toEqual([]);
  };

const plannedTours = new WeakMap<BrowserAdapter, Tour[]>();

const getTours = (adapter: BrowserAdapter): Tour[] => {
  const tours = plannedTours.get(adapter) ?? planTours(adapter);
  plannedTours.set(adapter, tours);
  return tours;
};

const formatTitle = (adapter: BrowserAdapter, tours: Tour[], tour: Tour): string => {
  const eventNames = tour.steps.map(({ event }) => event.type.replace('xstate.', '').replace('.actor.', ' ')).join(', ');
  return `${adapter.name}, tour ${tours.indexOf(tour) + 1} of ${tours.length}: ${eventNames || 'its start alone'}`;
};

/**
 * Expects that the walks of a machine together take every transition.
 * @param uncovered the transitions that no walk takes, each with the reason
 */
export const expectAllCovered = (adapter: BrowserAdapter, uncovered: Readonly<Record<string, string>> = {}): void =>
  expect(listUncovered(adapter, getTours(adapter).flatMap(getFiredNames))).toEqual(Object.keys(uncovered));

/**
 * Declares a test for each walk. The spec file passes `declare`, since Playwright assigns a test to
 * the file that declares it.
 */
export const testTours = (
  adapter: BrowserAdapter,
  { test, testInOnePage }: { test: ShopTest; testInOnePage: OnePageTest },
  declare: (test: ShopTest, title: string, body: TourTestBody) => void,
): void => {
  const tours = getTours(adapter);
  const declareTour = (baseTest: ShopTest, tour: Tour): void =>
    declare(baseTest, formatTitle(adapter, tours, tour), createBody(adapter, tour));
  if (!adapter.reusesPage) return tours.forEach((tour) => declareTour(test, tour));

  for (const modelTours of Map.groupBy(tours, ({ model }) => model).values()) {
    test.describe(() => {
      // The tests run one after the other, in one worker.
      test.describe.configure({ mode: 'default' });
      testInOnePage.afterAll(({ sharedPage }) => sharedPage.close());
      for (const tour of modelTours) declareTour(testInOnePage, tour);
    });
  }
};
