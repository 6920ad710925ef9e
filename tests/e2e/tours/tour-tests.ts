import type { PlaywrightTestArgs, TestInfo, TestType } from '@playwright/test';
import type { ShopPlace } from '../../../tools/shop/running-shop.ts';
import { expect } from '../support/shop.ts';
import type { Errors } from '../support/errors.ts';
import { isOpen, startAnew, type KeptPage } from './one-page.ts';
import { firedBy, planTours, startsSignedIn, uncoveredBy, type Tour } from '../../../tools/tours/plan.ts';
import { play } from './play.ts';
import type { ShopTest, TestFixtures, WorkerFixtures } from './shop-test.ts';
import type { Stage } from '../../../tools/tours/stage.ts';
import { replayed } from './trace.ts';
import { openWorld } from './world.ts';

/** A test of several that are played one after another in one page. */
type OnePageTest = TestType<TestFixtures, WorkerFixtures & { kept: KeptPage }>;

type Body = (args: PlaywrightTestArgs & { shop: ShopPlace; errors: Errors }, info: TestInfo) => Promise<void>;

/** Plays a tour; the page's own record must contain the transitions of the tour. */
const bodyOf =
  (stage: Stage, tour: Tour): Body =>
  async ({ page, context, shop, errors }, info) => {
    errors.allow(/Failed to load resource/);
    // The book renderer measures a page after a scroll, even while its chapter is being replaced.
    errors.allow(/getComputedStyle.*not of type 'Element'[^]*\/assets\/paginator-/);
    const world = openWorld({ page, context, shop }, stage, info);
    world.ahead = tour.steps;
    const customer = startsSignedIn(stage, tour.model) ? await world.customer() : null;
    if (isOpen(page)) await startAnew(page, customer);
    else await customer?.uses(context);
    await play(world, stage, tour);
    const fired = new Set(await replayed(page));
    expect(firedBy(tour).filter((name) => !fired.has(name))).toEqual([]);
  };

const planned = new WeakMap<Stage, Tour[]>();

const toursOf = (stage: Stage): Tour[] => {
  const tours = planned.get(stage) ?? planTours(stage);
  planned.set(stage, tours);
  return tours;
};

const titleOf = (stage: Stage, tours: Tour[], tour: Tour): string => {
  const way = tour.steps.map(({ event }) => event.type.replace('xstate.', '').replace('.actor.', ' ')).join(', ');
  return `${stage.name}, tour ${tours.indexOf(tour) + 1} of ${tours.length}: ${way || 'its start alone'}`;
};

/**
 * The tours of a machine together take its every transition.
 * @param untoured the transitions that none of them takes, each with the reason
 */
export const expectAllToured = (stage: Stage, untoured: Readonly<Record<string, string>> = {}): void =>
  expect(uncoveredBy(stage, toursOf(stage).flatMap(firedBy))).toEqual(Object.keys(untoured));

/** A test for each tour. `declare` is in the spec file: Playwright finds a test by its file. */
export const testTours = (
  stage: Stage,
  { test, testInOnePage }: { test: ShopTest; testInOnePage: OnePageTest },
  declare: (test: ShopTest, title: string, body: Body) => void,
): void => {
  const tours = toursOf(stage);
  const declareOn = (on: ShopTest, tour: Tour): void => declare(on, titleOf(stage, tours, tour), bodyOf(stage, tour));
  if (!stage.sharesPage) return tours.forEach((tour) => declareOn(test, tour));

  for (const ofModel of Map.groupBy(tours, ({ model }) => model).values()) {
    test.describe(() => {
      // One after the other, in one worker.
      test.describe.configure({ mode: 'default' });
      testInOnePage.afterAll(({ kept }) => kept.close());
      for (const tour of ofModel) declareOn(testInOnePage, tour);
    });
  }
};
