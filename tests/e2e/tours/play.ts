import { expect } from '@playwright/test';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { Edge } from '../../../machines/paths/explore.ts';
import { elsewhere } from './in-shop.ts';
import { Held } from './held.ts';
import { addressOf, type Tour } from './plan.ts';
import { press } from './press.ts';
import { portSettledBy, settle } from './settle.ts';
import type { Stage, World } from './stage.ts';

const topOf = (value: AnyMachineSnapshot['value']): string =>
  typeof value === 'string' ? value : (Object.keys(value as object)[0] ?? '');

/** The screen says that the machine is where the model is, and is headed as that state is. */
const check = async (world: World, stage: Stage, snapshot: AnyMachineSnapshot): Promise<void> => {
  const { value } = snapshot;
  if (stage.shows) return stage.shows(world, snapshot);
  if (value === elsewhere) return expect(world.flow, `${stage.name} has been left`).toHaveCount(0);
  await expect(world.flow).toHaveAttribute('data-state', JSON.stringify(value));
  const heading = stage.headings[topOf(value)];
  const shown = world.flow.getByRole('heading');
  if (heading === null) await expect(shown, `headings in ${JSON.stringify(value)}`).toHaveCount(0);
  else await expect(shown.filter({ hasText: heading ?? /^$/ }).first()).toBeVisible();
};

const afterDelay = /^xstate\.after\.(.+?)\.[^.]*\b/;

/** Milliseconds of a delayed transition. */
const delayOf = (machine: AnyStateMachine, { from, event }: Edge): number => {
  const name = afterDelay.exec(event.type)?.[1] ?? '';
  const delay = machine.implementations.delays[name as never] as number | ((args: unknown) => number) | undefined;
  if (typeof delay === 'function') return delay({ context: from.snapshot.context, event });
  return delay ?? Number(name);
};

/** Waits for the state while the page's time goes on: a call that fails is sent again before it is given up. */
const passTime = async (world: World, isThere: () => Promise<boolean>): Promise<void> => {
  for (let waits = 0; waits < 80 && !(await isThere()); waits += 1) await world.page.clock.runFor(500);
};

/** Plays a tour to its end; after each step the screen must show the state that the model is in. */
export const play = async (world: World, stage: Stage, tour: Tour): Promise<void> => {
  const { page } = world;
  const held = new Held(page, stage.ports);
  const isTimed = tour.steps.some(({ event }) => event.type.startsWith('xstate.after.'));
  await page.clock.install();
  await page.addInitScript(() => {
    // Limits of calls are measured by the page's clock, too.
    AbortSignal.timeout = (ms) => {
      const limit = new AbortController();
      setTimeout(() => limit.abort(new DOMException('The limit was reached.', 'TimeoutError')), ms);
      return limit.signal;
    };
  });
  world.ahead = tour.steps;
  const address = (await stage.prepares?.(world, tour.model)) ?? addressOf(stage, tour.model);
  await held.start();
  await page.goto(address);
  await stage.arrives?.(world);
  await check(world, stage, tour.start.snapshot);
  if (isTimed) await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);

  for (const [at, edge] of tour.steps.entries()) {
    const { event, to } = edge;
    world.ahead = tour.steps.slice(at + 1);
    const port = portSettledBy(event);
    const cause = stage.causes?.[event.type];
    if (cause) await cause(world, event);
    else if (event.type.startsWith('xstate.after.')) await page.clock.runFor(delayOf(tour.model.machine, edge));
    else if (port === null) await press(world, event);
    else {
      await settle(world, held, port, event);
      await passTime(world, async () => {
        if (stage.shows) return true;
        if (to.snapshot.value === elsewhere) return (await world.flow.count()) === 0;
        return (await world.flow.getAttribute('data-state')) === JSON.stringify(to.snapshot.value);
      });
    }
    await check(world, stage, to.snapshot);
    if (port !== null) held.holdAgain(port);
  }
};
