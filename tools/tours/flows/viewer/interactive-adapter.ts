import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { interactiveMachine } from '../../../../machines/reading/interactive.ts';
import { ELSEWHERE } from '../../in-shop.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { hideWindow } from '../../causes.ts';
import {
  closeViewer,
  buyShortLivedCopy,
  demoTitleIds,
  expireMediaUrls,
  viewerStart,
  storePosition,
  laptop,
  createMediaPort,
  changeModels,
  renewMediaUrls,
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
 * Whether an event is possible: the demo title reports its position as soon as it runs; a silent
 * title can neither move nor end.
 */
const isPossible = (snapshot: AnyMachineSnapshot, { type }: AnyEventObject): boolean => {
  const possibleByType: Record<string, boolean> = {
    'addresses.renewed': snapshot.value === 'failed',
    // Another position in the title is shown without a request.
    'interactive.ready': isAt(snapshot, 'opening') && !hasMoved(snapshot),
    'interactive.failed': isAt(snapshot, 'opening') && !hasMoved(snapshot),
    'interactive.expired': isAt(snapshot, 'opening') && !hasMoved(snapshot),
    'interactive.moved': isAt(snapshot, 'opening') || hasMoved(snapshot),
    'interactive.ended': isAt(snapshot, 'open') && hasMoved(snapshot),
    'place.requested': isAt(snapshot, 'open') && hasMoved(snapshot),
    'close.pressed': hasMoved(snapshot),
    'xstate.done.actor.progress': snapshot.value === 'closing',
  };
  return possibleByType[type] ?? !type.startsWith('addresses.');
};

/** The customer's last position in this browser. */
const officePosition = { node: 'office', totalProgression: 0.2 };

const getScene = ({ flow }: WalkContext) => flow.frameLocator('iframe');
const chooseOptions = async (walk: WalkContext, ...choices: RegExp[]): Promise<void> => {
  for (const choice of choices) await getScene(walk).getByRole('button', { name: choice }).click();
};

/** Makes the title silent: its scripts are empty, so it reports no progress. */
const blockPlayer = async (walk: WalkContext): Promise<void> => {
  walk.recordInjection('a title that reports no progress');
  await walk.page.route(
    ({ pathname }) => /\/play\/(player|story)\.js$/.test(pathname),
    (route) => route.fulfill({ contentType: 'text/javascript', body: '' }),
  );
};

export const adapter: BrowserAdapter = {
  ...viewerStart,
  name: 'interactive',
  keepsClockRunning: true,
  models: changeModels('interactive', ({ cases }) => ({
    cases: { ...cases, 'interactive.expired': renewalCases },
    kind: (snapshot) => [snapshot.value as unknown, hasMoved(snapshot)],
  })),
  prepare: async (walk) => {
    const path = await buyShortLivedCopy(walk, 'interactive');
    await (
      await walk.getCustomer()
    ).saveProgress(demoTitleIds.interactive, 'interactive', { node: 'quay', totalProgression: 0 }, laptop);
    await storePosition(walk, { position: officePosition, titleId: demoTitleIds.interactive, contextKey: 'interactive' });
    return path;
  },
  headings,
  getReaction: (_, { context }, target, cause) => {
    if (target === 'addresses')
      return toRenewalEvents({ ...cause, items: [{ url: (context as { url: string }).url }] } as never, movedEvent);
    return target === 'parent' ? ELSEWHERE : null;
  },
  isPossible,
  ports: {
    scene: createMediaPort(({ pathname }) => /^\/media\/.*\/index\.html$/.test(pathname)),
    saveProgress: savePort,
  },
  causes: {
    'interactive.ready': async (walk) => {
      await blockPlayer(walk);
      await walk.settle(toSettlement('scene'));
    },
    'interactive.moved': async (walk, _, snapshot) => {
      if (isAt(snapshot, 'opening') && hasMoved(snapshot)) return;
      if (isAt(snapshot, 'opening')) await walk.settle(toSettlement('scene'));
      else await chooseOptions(walk, /go aboard/i);
    },
    'interactive.ended': async (walk) => {
      const isAtQuay = await getScene(walk)
        .getByRole('button', { name: /ticket office/ })
        .isVisible();
      await chooseOptions(walk, ...(isAtQuay ? [/ticket office/] : []), /walk home/);
      await expect(walk.flow.getByText('The end', { exact: true })).toBeVisible();
    },
    'interactive.expired': (walk, { answer }) => expireMediaUrls(walk, 'scene', answer),
    'addresses.renewed': renewMediaUrls,
    'interactive.failed': async (walk) => {
      await walk.settle(toSettlement('scene', { kind: 'offline' }));
      await expect(walk.flow.getByRole('alert')).toBeVisible();
      walk.hold('scene');
    },
    'place.requested': ({ flow }) => flow.locator('[data-event="place.accepted"]').click(),
    'page.hidden': hideWindow,
    'close.pressed': closeViewer,
    'xstate.done.actor.progress': (walk) => walk.settle(toSettlement('saveProgress')),
  },
};
