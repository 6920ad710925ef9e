import { expect } from '@playwright/test';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { Edge } from '../../../machines/paths/explore.ts';
import { problemOf } from '../../../machines/model/problem.ts';
import { hasLeft } from '../../../tools/tours/in-shop.ts';
import { goTo, isOpen } from './one-page.ts';
import { addressOf, type Tour } from '../../../tools/tours/plan.ts';
import { press } from '../../../tools/tours/press.ts';
import { portSettledBy } from '../../../tools/tours/settle.ts';
import type { Stage, World } from '../../../tools/tours/stage.ts';

const topOf = (value: AnyMachineSnapshot['value']): string =>
  typeof value === 'string' ? value : (Object.keys(value as object)[0] ?? '');

/** The screen says that the machine is where the model is, and is headed as that state is. */
const check = async (world: World, stage: Stage, snapshot: AnyMachineSnapshot): Promise<void> => {
  if (stage.isPassing?.(snapshot)) return;
  if (stage.shows) return stage.shows(world, snapshot);
  if (hasLeft(snapshot)) return expect(world.flow, `${stage.name} has been left`).toHaveCount(0);
  const { value } = snapshot;
  await expect(world.flow).toHaveAttribute('data-state', JSON.stringify(value));
  const heading = stage.innerHeading?.(snapshot) ?? stage.headings?.[topOf(value)] ?? null;
  const shown = world.flow.getByRole('heading');
  if (heading === null) await expect(shown, `headings in ${JSON.stringify(value)}`).toHaveCount(0);
  else await expect(shown.filter({ hasText: heading }).first()).toBeVisible();
};

const isTimer = ({ event }: Edge): boolean => event.type.startsWith('xstate.after.');

const afterDelay = /^xstate\.after\.(.+?)\.[^.]*\b/;

/** Milliseconds of a delayed transition. */
const delayOf = (machine: AnyStateMachine, { from, event }: Edge): number => {
  const name = afterDelay.exec(event.type)?.[1] ?? '';
  const delay = machine.implementations.delays[name as never] as number | ((args: unknown) => number) | undefined;
  if (typeof delay === 'function') return delay({ context: from.snapshot.context, event });
  return delay ?? Number(name);
};

/** Steps of half a second within which the longest limit of a call has passed. */
const longest = 60;

/** A call that fails on its way may be sent again, each time later, or is given up only when its limit has passed. */
const takesTime = ({ event }: Edge): boolean =>
  event.type.startsWith('xstate.error.') && ['offline', 'timeout', 'http'].includes(problemOf(event['error']).kind);

/** Lets the page's time go on until it is where a failing call leads; each look gives the page a moment to get there. */
const passTime = async ({ page, flow }: World, stage: Stage, { to: { snapshot } }: Edge): Promise<void> => {
  const state = JSON.stringify(snapshot.value);
  const look = expect.configure({ timeout: 100 });
  for (let steps = 0; steps < longest; steps += 1) {
    const isThere = stage.shows
      ? false
      : await look(flow)
          .toHaveAttribute('data-state', state)
          .then(
            () => true,
            () => false,
          );
    if (isThere) return;
    await page.clock.runFor(500);
  }
};

/** Sets up the page's clock, by which the limits of calls are measured, too. */
const installClock = async ({ page }: World): Promise<void> => {
  await page.clock.install();
  await page.addInitScript(() => {
    // After a reload, one of the two may be read before the page's clock is in place: their sum
    // must be its time in any case.
    for (const owner of [performance, Performance.prototype])
      Object.defineProperty(owner, 'timeOrigin', { configurable: true, get: () => Date.now() - performance.now() });
    AbortSignal.timeout = (ms) => {
      const limit = new AbortController();
      setTimeout(() => limit.abort(new DOMException('The limit was reached.', 'TimeoutError')), ms);
      return limit.signal;
    };
  });
};

/** From here on time only moves where the tour moves it; on a busy machine it may run away from an attempt to stop it. */
const stopTime = ({ page }: World): Promise<void> =>
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)).toPass();

/** Makes a step's event come about. */
const act = async (world: World, stage: Stage, tour: Tour, edge: Edge): Promise<void> => {
  const { event, from } = edge;
  const cause = stage.causes?.[event.type];
  if (stage.comesByItself?.(event)) return;
  if (cause) return cause(world, event, from.snapshot);
  if (isTimer(edge)) return world.page.clock.runFor(delayOf(tour.model.machine, edge));
  return portSettledBy(event) === null ? press(world, event) : world.settle(event);
};

/** Plays a tour to its end; after each step the screen must show the state that the model is in. */
export const play = async (world: World, stage: Stage, tour: Tour): Promise<void> => {
  const { page } = world;
  const isOpenAlready = isOpen(page);
  if (!isOpenAlready) await installClock(world);
  const address = (await stage.prepares?.(world, tour.model)) ?? addressOf(stage, tour.model);
  await world.startHolding();
  await (isOpenAlready ? goTo(page, address) : page.goto(address));
  await stage.arrives?.(world, tour.model);
  await check(world, stage, tour.start.snapshot);
  if (!stage.timeGoesOn || tour.steps.some(isTimer)) await stopTime(world);

  for (const [at, edge] of tour.steps.entries()) {
    world.ahead = tour.steps.slice(at + 1);
    await act(world, stage, tour, edge);
    const port = portSettledBy(edge.event);
    if (port !== null && takesTime(edge) && !stage.comesByItself?.(edge.event)) await passTime(world, stage, edge);
    await check(world, stage, edge.to.snapshot);
    if (port !== null) world.hold(port);
  }
};
