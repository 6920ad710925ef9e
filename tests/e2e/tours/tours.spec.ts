import { test, expect } from '../support/shop.ts';
import { exceptions } from './exceptions.ts';
import { isOpen, startAnew, testInOnePage } from './one-page.ts';
import { firedBy, planTours, startsSignedIn, uncoveredBy, type Tour } from './plan.ts';
import { play } from './play.ts';
import type { Stage } from './stage.ts';
import { stages } from './stages.ts';
import { replayed } from './trace.ts';
import { openWorld } from './world.ts';

/** Plays a tour: what the page recorded of itself must say that the transitions of the tour fired. */
const testTour = (stage: Stage, tours: Tour[], tour: Tour): void => {
  const way = tour.steps.map(({ event }) => event.type.replace('xstate.', '').replace('.actor.', ' ')).join(', ');
  const title = `${stage.name}, tour ${tours.indexOf(tour) + 1} of ${tours.length}: ${way || 'its start alone'}`;
  const testHere = stage.sharesPage ? testInOnePage : test;
  testHere(title, async ({ page, context, shop, errors }, info) => {
    errors.allow(/Failed to load resource/);
    // The book renderer measures a page a moment after it was scrolled, even if its chapter is just being replaced.
    errors.allow(/getComputedStyle.*not of type 'Element'[^]*\/assets\/paginator-/);
    const world = openWorld({ page, context, shop }, stage, info);
    world.ahead = tour.steps;
    const customer = startsSignedIn(stage, tour.model) ? await world.customer() : null;
    if (isOpen(page)) await startAnew(page, customer);
    else await customer?.uses(context);
    await play(world, stage, tour);
    const fired = new Set(await replayed(page));
    expect(firedBy(tour).filter((name) => !fired.has(name))).toEqual([]);
  });
};

/** One test that a machine's tours together take its every transition, and one for each of them. */
const tourInBrowser = (stage: Stage): void => {
  const tours = planTours(stage);

  test(`the tours of ${stage.name} take its every transition`, () => {
    const toured = tours.flatMap(firedBy);
    const excepted = Object.keys(exceptions[stage.name] ?? {});
    expect(uncoveredBy(stage, toured)).toEqual(excepted);
    expect(excepted.length).toBeLessThanOrEqual(0.02 * uncoveredBy(stage, []).length);
  });

  if (!stage.sharesPage) return tours.forEach((tour) => testTour(stage, tours, tour));

  for (const ofModel of Map.groupBy(tours, ({ model }) => model).values()) {
    test.describe(() => {
      // One after the other, in one worker.
      test.describe.configure({ mode: 'default' });
      testInOnePage.afterAll(({ kept }) => kept.close());
      for (const tour of ofModel) testTour(stage, tours, tour);
    });
  }
};

for (const stage of stages) tourInBrowser(stage);
