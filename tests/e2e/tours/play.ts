import { expect } from '@playwright/test';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { Edge } from '../../../machines/paths/explore.ts';
import { toProblem } from '../../../machines/model/problem.ts';
import { hasLeft } from '../../../tools/tours/in-shop.ts';
import { navigateInShop, isShopOpen } from './one-page.ts';
import { getStartPath, type Tour } from '../../../tools/tours/plan.ts';
import { press } from '../../../tools/tours/press.ts';
import { getSettledPort } from '../../../tools/tours/settle.ts';
import type { BrowserAdapter, WalkContext } from '../../../tools/tours/browser-adapter.ts';
import { pauseClock } from '../../../tools/browser/clock.ts';

const getTopState = (value: AnyMachineSnapshot['value']): string =>
  typeof value === 'string' ? value : (Object.keys(value as object)[0] ?? '');

/** Expects the screen to show the machine in the model's state, with that state's heading. */
const checkScreen = async (walk: WalkContext, adapter: BrowserAdapter, snapshot: AnyMachineSnapshot): Promise<void> => {
  if (adapter.isTransient?.(snapshot)) return;
  if (adapter.checkState) return adapter.checkState(walk, snapshot);
  if (hasLeft(snapshot)) return expect(walk.flow, `${adapter.name} has been left`).toHaveCount(0);
  const { value } = snapshot;
  await expect(walk.flow).toHaveAttribute('data-state', JSON.stringify(value));
  const heading = adapter.getNestedHeading?.(snapshot) ?? adapter.headings?.[getTopState(value)] ?? null;
  const headings = walk.flow.getByRole('heading');
  if (heading === null) await expect(headings, `headings in ${JSON.stringify(value)}`).toHaveCount(0);
  else await expect(headings.filter({ hasText: heading }).first()).toBeVisible();
};

const isTimer = ({ event }: Edge): boolean => event.type.startsWith('xstate.after.');

const afterDelay = /^xstate\.after\.(.+?)\.[^.]*\b/;

/** Returns the delay of a delayed transition, in milliseconds. */
const getDelayMs = (machine: AnyStateMachine, { from, event }: Edge): number => {
  const name = afterDelay.exec(event.type)?.[1] ?? '';
  const delay = machine.implementations.delays[name as never] as number | ((args: unknown) => number) | undefined;
  if (typeof delay === 'function') return delay({ context: from.snapshot.context, event });
  return delay ?? Number(name);
};

/** Steps of half a second; together they exceed the longest time limit of a call. */
const MAX_CLOCK_STEPS = 60;

/**
 * Whether a step needs the clock to advance: a call without a response may be retried with growing
 * delays, or fails only when its time limit has passed.
 */
const needsClock = ({ event }: Edge): boolean =>
  event.type.startsWith('xstate.error.') && ['offline', 'timeout', 'http'].includes(toProblem(event['error']).kind);

/**
 * Advances the page's clock until the state after a failing call is reached; between two steps the
 * page has a moment to run.
 */
const advanceTime = async ({ page, flow }: WalkContext, adapter: BrowserAdapter, { to: { snapshot } }: Edge): Promise<void> => {
  const state = JSON.stringify(snapshot.value);
  const expectSoon = expect.configure({ timeout: 100 });
  for (let steps = 0; steps < MAX_CLOCK_STEPS; steps += 1) {
    const isReached = adapter.checkState
      ? false
      : await expectSoon(flow)
          .toHaveAttribute('data-state', state)
          .then(
            () => true,
            () => false,
          );
    if (isReached) return;
    await page.clock.runFor(500);
  }
};

/** Installs a fake clock in the page, which also measures the time limits of calls. */
const installClock = async ({ page }: WalkContext): Promise<void> => {
  await page.clock.install();
  await page.addInitScript(() => {
    // After a reload, `timeOrigin` may be read before the fake clock is installed: the sum of
    // `timeOrigin` and `now()` must always be the fake time.
    for (const owner of [performance, Performance.prototype])
      Object.defineProperty(owner, 'timeOrigin', { configurable: true, get: () => Date.now() - performance.now() });
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('The limit was reached.', 'TimeoutError')), ms);
      return controller.signal;
    };
  });
};

/** Causes the event of a step, unless the event occurs by itself. */
const performStep = async (walk: WalkContext, adapter: BrowserAdapter, tour: Tour, edge: Edge): Promise<void> => {
  const { event, from } = edge;
  const cause = adapter.causes?.[event.type];
  if (adapter.settlesByItself?.(event)) return;
  if (cause) return cause(walk, event, from.snapshot);
  if (isTimer(edge)) return walk.page.clock.runFor(getDelayMs(tour.model.machine, edge));
  return getSettledPort(event) === null ? press(walk, event) : walk.settle(event);
};

/** Runs a walk to its end; after each step the screen must show the model's state. */
export const playTour = async (walk: WalkContext, adapter: BrowserAdapter, tour: Tour): Promise<void> => {
  const { page } = walk;
  const isAlreadyOpen = isShopOpen(page);
  if (!isAlreadyOpen) await installClock(walk);
  const address = (await adapter.prepare?.(walk, tour.model)) ?? getStartPath(adapter, tour.model);
  await walk.startHolding();
  await (isAlreadyOpen ? navigateInShop(page, address) : page.goto(address));
  await adapter.openScreen?.(walk, tour.model);
  await checkScreen(walk, adapter, tour.start.snapshot);
  if (!adapter.keepsClockRunning || tour.steps.some(isTimer)) await pauseClock(walk);

  for (const [index, edge] of tour.steps.entries()) {
    walk.remainingSteps = tour.steps.slice(index + 1);
    await performStep(walk, adapter, tour, edge);
    const port = getSettledPort(edge.event);
    if (port !== null && needsClock(edge) && !adapter.settlesByItself?.(edge.event)) await advanceTime(walk, adapter, edge);
    await checkScreen(walk, adapter, edge.to.snapshot);
    if (port !== null) walk.hold(port);
  }
};
