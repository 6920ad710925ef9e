import { test, expect } from '../support/shop.ts';
import { exceptions } from './exceptions.ts';
import { routeAt } from './in-shop.ts';
import { addressOf, firedBy, planTours, uncoveredBy } from './plan.ts';
import { play } from './play.ts';
import type { Stage } from './stage.ts';
import { stages } from './stages.ts';
import { replayed } from './trace.ts';
import { openWorld } from './world.ts';

/**
 * One test that a machine's tours together take its every transition, and one for each of them: what the page recorded of
 * itself must say that the transitions of the tour fired.
 */
const tourInBrowser = (stage: Stage): void => {
  const tours = planTours(stage);

  test(`the tours of ${stage.name} take its every transition`, () => {
    const toured = tours.flatMap(firedBy);
    const excepted = Object.keys(exceptions[stage.name] ?? {});
    expect(uncoveredBy(stage, toured)).toEqual(excepted);
    expect(excepted.length).toBeLessThanOrEqual(0.02 * uncoveredBy(stage, []).length);
  });

  for (const [at, tour] of tours.entries()) {
    const way = tour.steps.map(({ event }) => event.type.replace('xstate.', '').replace('.actor.', ' ')).join(', ');
    test(`${stage.name}, tour ${at + 1} of ${tours.length}: ${way || 'its start alone'}`, async ({
      page,
      context,
      shop,
      errors,
    }, info) => {
      errors.allow(/Failed to load resource/);
      const world = openWorld({ page, context, shop }, stage, info);
      world.ahead = tour.steps;
      const input = tour.model.input as { signedIn?: boolean; userId?: string | null } | undefined;
      const isCustomer =
        input?.signedIn === true || typeof input?.userId === 'string' || routeAt(addressOf(stage, tour.model)).access === 'login';
      if (isCustomer) await (await world.customer()).uses(context);
      await play(world, stage, tour);
      const fired = new Set(await replayed(page));
      expect(firedBy(tour).filter((name) => !fired.has(name))).toEqual([]);
    });
  }
};

for (const stage of stages) tourInBrowser(stage);
