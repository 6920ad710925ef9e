import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { interactiveMachine } from '../../../../machines/reading/interactive.ts';
import { elsewhere } from '../../in-shop.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import { hideWindow } from '../../causes.ts';
import {
  close,
  copyForMinutes,
  demoTitle,
  expire,
  inViewer,
  keepsPlace,
  laptop,
  mediaPort,
  modelsOf,
  renewInTime,
  renewalOf,
  renewals,
  savePort,
  settled,
} from './stage-helpers.ts';

const name = 'Night Ferry to Corrow';
const headings: Headings<typeof interactiveMachine> = {
  running: name,
  failed: 'We couldn’t show this title',
  closing: name,
  closed: null,
};

/** The demo title says where it is as soon as it runs. */
const moved = { type: 'interactive.moved', node: 'cave', totalProgression: 0.3 };

const isAt = ({ value }: AnyMachineSnapshot, state: string): boolean => (value as { running?: string }).running === state;
const hasMoved = ({ context }: AnyMachineSnapshot): boolean => (context as { start: string | null }).start !== null;

/** The demo title says where it is as soon as it runs; one that does not speak can neither move nor end. */
const isPossible = (snapshot: AnyMachineSnapshot, { type }: AnyEventObject): boolean => {
  const possible: Record<string, boolean> = {
    'addresses.renewed': snapshot.value === 'failed',
    // Another place in it is shown without another request.
    'interactive.ready': isAt(snapshot, 'opening') && !hasMoved(snapshot),
    'interactive.failed': isAt(snapshot, 'opening') && !hasMoved(snapshot),
    'interactive.expired': isAt(snapshot, 'opening') && !hasMoved(snapshot),
    'interactive.moved': isAt(snapshot, 'opening') || hasMoved(snapshot),
    'interactive.ended': isAt(snapshot, 'open') && hasMoved(snapshot),
    'place.wanted': isAt(snapshot, 'open') && hasMoved(snapshot),
    'close.pressed': hasMoved(snapshot),
    'xstate.done.actor.progress': snapshot.value === 'closing',
  };
  return possible[type] ?? !type.startsWith('addresses.');
};

/** Where the customer left off in this browser. */
const office = { node: 'office', totalProgression: 0.2 };

const scene = ({ flow }: World) => flow.frameLocator('iframe');
const choose = async (world: World, ...choices: RegExp[]): Promise<void> => {
  for (const choice of choices) await scene(world).getByRole('button', { name: choice }).click();
};

/** A title that keeps its story to itself. */
const silence = async (world: World): Promise<void> => {
  world.injected('a title that says nothing');
  await world.page.route(
    ({ pathname }) => /\/play\/(player|story)\.js$/.test(pathname),
    (route) => route.fulfill({ contentType: 'text/javascript', body: '' }),
  );
};

export const stage: Stage = {
  ...inViewer,
  name: 'interactive',
  timeGoesOn: true,
  models: modelsOf('interactive', ({ cases }) => ({
    cases: { ...cases, 'interactive.expired': renewals },
    kind: (snapshot) => [snapshot.value as unknown, hasMoved(snapshot)],
  })),
  prepares: async (world) => {
    const address = await copyForMinutes(world, 'interactive');
    await (
      await world.customer()
    ).hasReached(demoTitle.interactive, 'interactive', { node: 'quay', totalProgression: 0 }, laptop);
    await keepsPlace(world, { position: office, titleId: demoTitle.interactive, contextKey: 'interactive' });
    return address;
  },
  headings,
  reacts: (_, { context }, to, because) => {
    if (to === 'addresses') return renewalOf({ ...because, items: [{ url: (context as { url: string }).url }] } as never, moved);
    return to === 'parent' ? elsewhere : null;
  },
  isPossible,
  ports: {
    scene: mediaPort(({ pathname }) => /^\/media\/.*\/index\.html$/.test(pathname)),
    saveProgress: savePort,
  },
  causes: {
    'interactive.ready': async (world) => {
      await silence(world);
      await world.settle(settled('scene'));
    },
    'interactive.moved': async (world, _, from) => {
      if (isAt(from, 'opening') && hasMoved(from)) return;
      if (isAt(from, 'opening')) await world.settle(settled('scene'));
      else await choose(world, /go aboard/i);
    },
    'interactive.ended': async (world) => {
      const atQuay = await scene(world)
        .getByRole('button', { name: /ticket office/ })
        .isVisible();
      await choose(world, ...(atQuay ? [/ticket office/] : []), /walk home/);
      await expect(world.flow.getByText('The end', { exact: true })).toBeVisible();
    },
    'interactive.expired': (world, { answer }) => expire(world, 'scene', answer),
    'addresses.renewed': renewInTime,
    'interactive.failed': async (world) => {
      await world.settle(settled('scene', { kind: 'offline' }));
      await expect(world.flow.getByRole('alert')).toBeVisible();
      world.hold('scene');
    },
    'place.wanted': ({ flow }) => flow.locator('[data-event="place.taken"]').click(),
    'page.hidden': hideWindow,
    'close.pressed': close,
    'xstate.done.actor.progress': (world) => world.settle(settled('saveProgress')),
  },
};
