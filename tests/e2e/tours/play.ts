import { expect } from '@playwright/test';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { Edge } from '../../../machines/paths/explore.ts';
import { toProblem } from '../../../machines/model/problem.ts';
import { hasLeft } from '../../../tools/tours/in-shop.ts';
import { navigateInShop, isShopOpen } from './one-page.ts';
import { getAddress, type Tour } from '../../../tools/tours/plan.ts';
import { press } from '../../../tools/tours/press.ts';
import { getSettledPort } from '../../../tools/tours/settle.ts';
import type { BrowserAdapter, WalkContext } from '../../../tools/tours/browser-adapter.ts';

const topState = (value: AnyMachineSnapshot['value']): string =>
  typeof value === 'string' ? value : (Object.keys(value as object)[0] ?? '');

/** Expects the screen to show the machine in the model's state, with that state's heading. */
const checkScreen = async (world: WalkContext, adapter: BrowserAdapter, snapshot: AnyMachineSnapshot): Promise<void> => {
  if (adapter.isPassing?.(snapshot)) return;
  if (adapter.shows) return adapter.shows(world, snapshot);
  if (hasLeft(snapshot)) return expect(world.flow, `${adapter.name} has been left`).toHaveCount(0);
  const { value } = snapshot;
  await expect(world.flow).toHaveAttribute('data-state', JSON.stringify(value));
  const heading = adapter.innerHeading?.(snapshot) ?? adapter.headings?.[topState(value)] ?? null;
  const shown = world.flow.getByRole('heading');
  if (heading === null) await expect(shown, `headings in ${JSON.stringify(value)}`).toHaveCount(0);
  else await expect(shown.filter({ hasText: heading }).first()).toBeVisible();
};

const isTimer = ({ event }: Edge): boolean => event.type.startsWith('xstate.after.');

const afterDelay = /^xstate\.after\.(.+?)\.[^.]*\b/;

/** Milliseconds of a delayed transition. */
const getDelayMs = (machine: AnyStateMachine, { from, event }: Edge): number => {
  const name = afterDelay.exec(event.type)?.[1] ?? '';
  const delay = machine.implementations.delays[name as never] as number | ((args: unknown) => number) | undefined;
  if (typeof delay === 'function') return delay({ context: from.snapshot.context, event });
  return delay ?? Number(name);
};

/** Steps of half a second within which the longest limit of a call has passed. */
const MAX_TIMER_S = 60;

/**
 * A call that fails on its way may be retried, with growing delays, or is given up only when its
 * limit has passed.
 */
const needsClock = ({ event }: Edge): boolean =>
  event.type.startsWith('xstate.error.') && ['offline', 'timeout', 'http'].includes(toProblem(event['error']).kind);

/**
 * Advances the page's time until the state after a failing call is reached; between steps the page
 * gets a moment to run.
 */
const advanceTime = async ({ page, flow }: WalkContext, adapter: BrowserAdapter, { to: { snapshot } }: Edge): Promise<void> => {
  const state = JSON.stringify(snapshot.value);
  const look = expect.configure({ timeout: 100 });
  for (let steps = 0; steps < MAX_TIMER_S; steps += 1) {
    const isThere = adapter.shows
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
const installClock = async ({ page }: WalkContext): Promise<void> => {
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

/**
 * From here on time advances only on request; on a busy machine it may run away from an attempt to
 * stop it.
 */
const pauseClock = ({ page }: WalkContext): Promise<void> =>
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)).toPass();

/** Causes a step's event. */
const performStep = async (world: WalkContext, adapter: BrowserAdapter, tour: Tour, edge: Edge): Promise<void> => {
  const { event, from } = edge;
  const cause = adapter.causes?.[event.type];
  if (adapter.comesByItself?.(event)) return;
  if (cause) return cause(world, event, from.snapshot);
  if (isTimer(edge)) return world.page.clock.runFor(getDelayMs(tour.model.machine, edge));
  return getSettledPort(event) === null ? press(world, event) : world.settle(event);
};

/** Runs a walk to its end; after each step the screen must show the model's state. */
export const playTour = async (world: WalkContext, adapter: BrowserAdapter, tour: Tour): Promise<void> => {
  const { page } = world;
  const isOpenAlready = isShopOpen(page);
  if (!isOpenAlready) await installClock(world);
  const address = (await adapter.prepares?.(world, tour.model)) ?? getAddress(adapter, tour.model);
  await world.startHolding();
  await (isOpenAlready ? navigateInShop(page, address) : page.goto(address));
  await adapter.arrives?.(world, tour.model);
  await checkScreen(world, adapter, tour.start.snapshot);
  if (!adapter.timeGoesOn || tour.steps.some(isTimer)) await pauseClock(world);

  for (const [at, edge] of tour.steps.entries()) {
    world.ahead = tour.steps.slice(at + 1);
    await performStep(world, adapter, tour, edge);
    const port = getSettledPort(edge.event);
    if (port !== null && needsClock(edge) && !adapter.comesByItself?.(edge.event)) await advanceTime(world, adapter, edge);
    await checkScreen(world, adapter, edge.to.snapshot);
    if (port !== null) world.hold(port);
  }
};
