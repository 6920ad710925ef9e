import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { interactiveMachine } from '../../../../machines/reading/interactive.ts';
import { ELSEWHERE } from '../../in-shop.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { hideWindow } from '../../causes.ts';
import {
  closeViewer,
  buyShortLivedCopy,
  demoTitle,
  expireAddresses,
  inViewer,
  rememberPlace,
  laptop,
  createMediaPort,
  changeModels,
  renewInTime,
  toRenewalEvents,
  renewalCases,
  savePort,
  toSettlement,
} from './adapter-helpers.ts';

const TITLE_NAME = 'Night Ferry to Corrow';
const headings: Headings<typeof interactiveMachine> = {
  running: TITLE_NAME,
  failed: 'We couldn’t show this title',
  closing: TITLE_NAME,
  closed: null,
};

/** The demo title reports its position as soon as it runs. */
const movedEvent = { type: 'interactive.moved', node: 'cave', totalProgression: 0.3 };

const isAt = ({ value }: AnyMachineSnapshot, state: string): boolean => (value as { running?: string }).running === state;
const hasMoved = ({ context }: AnyMachineSnapshot): boolean => (context as { start: string | null }).start !== null;

/**
 * The demo title reports its position as soon as it runs; a silent one can neither move nor end.
 */
const isPossible = (snapshot: AnyMachineSnapshot, { type }: AnyEventObject): boolean => {
  const possible: Record<string, boolean> = {
    'addresses.renewed': snapshot.value === 'failed',
    // Another position in it is shown without a request.
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

/** The customer's last position in this browser. */
const officeNode = { node: 'office', totalProgression: 0.2 };

const getScene = ({ flow }: WalkContext) => flow.frameLocator('iframe');
const chooseOptions = async (world: WalkContext, ...choices: RegExp[]): Promise<void> => {
  for (const choice of choices) await getScene(world).getByRole('button', { name: choice }).click();
};

/** Makes the title silent: it reports no progress. */
const blockPlayer = async (world: WalkContext): Promise<void> => {
  world.injected('a title that reports no progress');
  await world.page.route(
    ({ pathname }) => /\/play\/(player|story)\.js$/.test(pathname),
    (route) => route.fulfill({ contentType: 'text/javascript', body: '' }),
  );
};

export const adapter: BrowserAdapter = {
  ...inViewer,
  name: 'interactive',
  timeGoesOn: true,
  models: changeModels('interactive', ({ cases }) => ({
    cases: { ...cases, 'interactive.expired': renewalCases },
    kind: (snapshot) => [snapshot.value as unknown, hasMoved(snapshot)],
  })),
  prepares: async (world) => {
    const address = await buyShortLivedCopy(world, 'interactive');
    await (
      await world.customer()
    ).saveProgress(demoTitle.interactive, 'interactive', { node: 'quay', totalProgression: 0 }, laptop);
    await rememberPlace(world, { position: officeNode, titleId: demoTitle.interactive, contextKey: 'interactive' });
    return address;
  },
  headings,
  reacts: (_, { context }, to, because) => {
    if (to === 'addresses')
      return toRenewalEvents({ ...because, items: [{ url: (context as { url: string }).url }] } as never, movedEvent);
    return to === 'parent' ? ELSEWHERE : null;
  },
  isPossible,
  ports: {
    scene: createMediaPort(({ pathname }) => /^\/media\/.*\/index\.html$/.test(pathname)),
    saveProgress: savePort,
  },
  causes: {
    'interactive.ready': async (world) => {
      await blockPlayer(world);
      await world.settle(toSettlement('scene'));
    },
    'interactive.moved': async (world, _, from) => {
      if (isAt(from, 'opening') && hasMoved(from)) return;
      if (isAt(from, 'opening')) await world.settle(toSettlement('scene'));
      else await chooseOptions(world, /go aboard/i);
    },
    'interactive.ended': async (world) => {
      const atQuay = await getScene(world)
        .getByRole('button', { name: /ticket office/ })
        .isVisible();
      await chooseOptions(world, ...(atQuay ? [/ticket office/] : []), /walk home/);
      await expect(world.flow.getByText('The end', { exact: true })).toBeVisible();
    },
    'interactive.expired': (world, { answer }) => expireAddresses(world, 'scene', answer),
    'addresses.renewed': renewInTime,
    'interactive.failed': async (world) => {
      await world.settle(toSettlement('scene', { kind: 'offline' }));
      await expect(world.flow.getByRole('alert')).toBeVisible();
      world.hold('scene');
    },
    'place.wanted': ({ flow }) => flow.locator('[data-event="place.taken"]').click(),
    'page.hidden': hideWindow,
    'close.pressed': closeViewer,
    'xstate.done.actor.progress': (world) => world.settle(toSettlement('saveProgress')),
  },
};
