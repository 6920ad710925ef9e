import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { tracksMachine } from '../../../../machines/reading/tracks.ts';
import type { TrackPosition, TracksInput } from '../../../../machines/model/reading/reading.ts';
import { ELSEWHERE, type GetReaction } from '../../in-shop.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { hideWindow } from '../../causes.ts';
import { dispatchOnline, waitForContinuation, waitForInterruption, isInterrupted } from './book-page.ts';
import {
  closeViewer,
  buyShortLivedCopy,
  demoTitleIds,
  expireMediaUrls,
  viewerStart,
  laptop,
  createMediaPort,
  changeModels,
  renewMediaUrls,
  toRenewalEvents,
  renewalCases,
  savePort,
  toSettlement,
  tablet,
} from './adapter-helpers.ts';
import { pauseClock } from '../../../browser/clock.ts';

/** The name of the recording, or of the film. */
const TITLE_NAMES = /The Night Signalman|Low Water/;
const headings: Headings<typeof tracksMachine> = {
  attached: TITLE_NAMES,
  failed: 'We couldn’t show this title',
  closing: TITLE_NAMES,
  closed: null,
};

/**
 * Ids of the demo recording's items that walks use; the customer's position is in the last item.
 */
const [firstItem, farItem, lostItem, lastItem] = ['1', '3', '4', '5'];
const resumePosition = { itemId: lastItem, seconds: 40 };
/** The end of the last item. */
const END_S = 71.6;

type Context = {
  medium: 'audio' | 'video';
  itemId: string;
  items: unknown[];
  position: TrackPosition | null;
  start: TracksInput['start'];
  plays: boolean;
  fullScreen: boolean;
};
const getContext = ({ context }: AnyMachineSnapshot): Context => context as Context;
const isInState = ({ value }: AnyMachineSnapshot, ...states: string[]): boolean =>
  states.includes((value as { attached?: string }).attached ?? '');

/** The event of the only position in the model. */
const passedEvent = { type: 'position.passed', itemId: lastItem, seconds: 40, totalProgression: 0.9 };

/**
 * Returns the position that the player reports on request: the last one, or later while it plays.
 */
const getExpectedPosition = ({ plays, itemId, position, start }: Context) => {
  const lastPosition = position ?? start ?? { itemId, seconds: 0 };
  return plays ? { itemId, seconds: lastPosition.seconds + 1 } : { itemId: lastPosition.itemId, seconds: lastPosition.seconds };
};

/** Returns the media element's reaction to a command. */
const toPlayerEvents = (fact: AnyEventObject, snapshot: AnyMachineSnapshot, cause: AnyEventObject | null): AnyEventObject[] => {
  const { itemId } = getContext(snapshot);
  switch (fact.type) {
    case 'tracks.play':
      if (cause?.['refused'] === true) return [{ type: 'tracks.blocked' }];
      if (cause?.['slow'] === true) return [{ type: 'tracks.waiting' }];
      return [
        ...(isInState(snapshot, 'ended') ? [{ type: 'tracks.itemChanged', itemId: firstItem }] : []),
        { type: 'tracks.playing' },
      ];
    case 'tracks.pause':
      return [passedEvent, { type: 'tracks.paused', itemId, seconds: 1 }];
    case 'tracks.seek':
      if (fact['itemId'] !== itemId) return [{ type: 'tracks.itemChanged', itemId: fact['itemId'] as string }];
      return cause?.['seconds'] === END_S ? [passedEvent, { type: 'tracks.ended' }] : [passedEvent];
    case 'tracks.skip':
      return [passedEvent];
    case 'tracks.reportPosition':
      return [{ ...passedEvent, type: 'tracks.positionReported', ...getExpectedPosition(getContext(snapshot)) }];
    case 'tracks.notRenewed':
      return [{ type: 'tracks.failed', problem: fact['problem'] }];
    case 'tracks.continue':
      return [{ type: 'tracks.continued' }, { type: 'tracks.playing' }];
    case 'tracks.fullScreen':
      return [{ type: 'tracks.fullScreenChanged', on: true }];
    default:
      return [];
  }
};

const getReaction: GetReaction = (fact, snapshot, target, cause) => {
  if (target === 'parent') return ELSEWHERE;
  // Without a position to save, the player closes at once.
  if (target === 'progress' && fact.type === 'close' && getContext(snapshot).position === null) return ELSEWHERE;
  if (target === 'addresses')
    return toRenewalEvents({ ...cause, items: getContext(snapshot).items } as never, { type: 'tracks.ready' });
  return target === 'element' ? toPlayerEvents(fact, snapshot, cause) : [];
};

/**
 * Whether an event is possible: buttons are always available; events of the media element follow
 * from buttons or from requests.
 */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { medium, itemId, position, fullScreen } = getContext(snapshot);
  if (medium === 'video') {
    if (isInState(snapshot, 'opening')) return event.type === 'tracks.ready';
    return event.type === 'captions.chosen' || (event.type === 'fullScreen.pressed' && !fullScreen);
  }
  const isOpen = isInState(snapshot, 'paused', 'playing');
  const isPlaying = isInState(snapshot, 'playing');
  const awaitsLostItem = isInState(snapshot, 'waiting') && itemId === lostItem;
  const possibleByType: Record<string, boolean> = {
    'play.pressed': event['refused'] !== true || isInState(snapshot, 'paused'),
    'skip.pressed': isOpen,
    'rate.chosen': isOpen,
    'volume.chosen': isOpen,
    'mute.pressed': isOpen,
    // Recordings have neither captions nor full screen.
    'captions.chosen': false,
    'fullScreen.pressed': false,
    'seek.chosen': event['seconds'] === END_S ? isPlaying && itemId === lastItem : isOpen,
    'item.chosen': isOpen && itemId !== event['itemId'] && (event['slow'] !== true || isPlaying),
    'place.requested': isOpen && itemId === lastItem,
    'tracks.ready': true,
    'tracks.failed': isInState(snapshot, 'opening') || (isPlaying && itemId === lastItem),
    'tracks.interrupted': awaitsLostItem,
    'tracks.continued': false,
    'continuation.requested': awaitsLostItem,
    'connection.returned': snapshot.value === 'failed',
    'tracks.expired': isInState(snapshot, 'opening') && itemId !== farItem,
    'tracks.playing': isInState(snapshot, 'waiting') && itemId === farItem,
    // The browser caches an item that has loaded, so it cannot fail again.
    'pause.pressed': isPlaying || (isInState(snapshot, 'waiting') && itemId === farItem),
    'addresses.renewed': snapshot.value === 'failed',
    'close.pressed': isInState(snapshot, 'opening') || snapshot.value === 'failed' || (isOpen && position !== null),
    'xstate.done.actor.progress': snapshot.value === 'closing',
  };
  return possibleByType[event.type] ?? !/^(tracks|position|addresses)\./.test(event.type);
};

/** Makes the browser refuse to play sound, once. */
const forbidSound = async ({ page, recordInjection }: WalkContext): Promise<void> => {
  recordInjection('a browser that blocks autoplay');
  await page.evaluate(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = () => {
      HTMLMediaElement.prototype.play = play;
      return Promise.reject(new DOMException('', 'NotAllowedError'));
    };
  });
};

const isFarItem = (pathname: string): boolean => [farItem, lostItem].some((id) => pathname.endsWith(`track-0${id}.mp3`));

const getPort = (snapshot: AnyMachineSnapshot): 'recording' | 'farItems' =>
  [farItem, lostItem].includes(getContext(snapshot).itemId) ? 'farItems' : 'recording';

/** Makes the player fail, once. */
const breakPlayer = async ({ page, flow, recordInjection }: WalkContext): Promise<void> => {
  recordInjection('a player that fails');
  await page.evaluate(() => {
    const { pause } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.pause = () => {
      HTMLMediaElement.prototype.pause = pause;
      throw new Error('The test failed the player.');
    };
  });
  await flow.locator('[data-event="pause.pressed"]').click();
};

const failFarItem = async (walk: WalkContext): Promise<void> => {
  await walk.settle(toSettlement('farItems', { kind: 'offline' }));
  await waitForInterruption(walk);
  walk.hold('farItems');
};

/** Waits until a playing player has passed the position at which the step starts. */
const waitForPlayback = async ({ flow }: WalkContext, snapshot: AnyMachineSnapshot): Promise<void> => {
  if (!isInState(snapshot, 'playing')) return;
  const readSeconds = async () => Number(await flow.locator('[data-clock="slider"]').inputValue());
  const secondsBefore = await readSeconds();
  await expect.poll(readSeconds).toBeGreaterThan(secondsBefore + 0.2);
};

/** The customer's position on the tablet, before the position on the laptop. */
const earlierPosition = { itemId: firstItem, seconds: 12, totalProgression: 0.1 };

const savePositions = async (walk: WalkContext): Promise<void> => {
  const customer = await walk.getCustomer();
  await customer.saveProgress(demoTitleIds.audio, 'audio', earlierPosition, tablet);
  await customer.saveProgress(demoTitleIds.audio, 'audio', { ...resumePosition, totalProgression: 0.9 }, laptop);
};

export const adapter: BrowserAdapter = {
  ...viewerStart,
  name: 'tracks',
  keepsClockRunning: true,
  models: changeModels('tracks', ({ input, cases }) => {
    const { tracks, progress } = input as { tracks: TracksInput; progress: unknown };
    const isVideo = tracks.medium === 'video';
    const items = tracks.items.flatMap((item) =>
      (isVideo ? [firstItem] : [firstItem, farItem, lostItem, lastItem]).map((id) => ({ ...item, id })),
    );
    return {
      input: { tracks: { ...tracks, items, start: isVideo ? null : resumePosition }, progress },
      kind: (snapshot) => {
        const { itemId, position, plays, fullScreen } = getContext(snapshot);
        return [snapshot.value as unknown, itemId, position !== null, plays, fullScreen];
      },
      cases: {
        ...cases,
        'tracks.expired': renewalCases,
        'tracks.failed': [{ problem: { kind: 'offline' } }],
        'addresses.renewed': [{ items }],
        'play.pressed': [{}, { refused: true }],
        'skip.pressed': [{ seconds: -15 }],
        'seek.chosen': [{ seconds: 36 }, { seconds: END_S }],
        'item.chosen': [{ itemId: firstItem }, { itemId: farItem, slow: true }, { itemId: lostItem, slow: true }],
        'place.requested': [{ place: earlierPosition }],
      },
    };
  }),
  prepare: async (walk, { input }) => {
    const { medium } = (input as { tracks: TracksInput }).tracks;
    const path = await buyShortLivedCopy(walk, medium);
    if (medium === 'audio') await savePositions(walk);
    return path;
  },
  headings,
  getReaction,
  isPossible,
  ports: {
    recording: createMediaPort(({ pathname }) => /^\/media\/.*\.mp[34]$/.test(pathname) && !isFarItem(pathname)),
    farItems: createMediaPort(({ pathname }) => isFarItem(pathname)),
    saveProgress: savePort,
  },
  causes: {
    'tracks.ready': (walk, _, snapshot) => walk.settle(toSettlement(getPort(snapshot))),
    'tracks.failed': async (walk, _, snapshot) => {
      if (isInState(snapshot, 'playing')) await breakPlayer(walk);
      else await walk.settle(toSettlement(getPort(snapshot), { kind: 'offline' }));
      await expect(walk.flow.getByRole('alert')).toBeVisible();
      walk.hold(getPort(snapshot));
    },
    'tracks.expired': (walk, { answer }) => expireMediaUrls(walk, 'recording', answer),
    'tracks.interrupted': failFarItem,
    'continuation.requested': async (walk) => {
      if (!(await isInterrupted(walk))) await failFarItem(walk);
      await walk.settle(toSettlement('farItems'));
      await waitForContinuation(walk);
    },
    'connection.returned': dispatchOnline,
    'addresses.renewed': renewMediaUrls,
    'tracks.playing': (walk) => walk.settle(toSettlement('farItems')),
    'play.pressed': async (walk, { refused }) => {
      if (refused === true) await forbidSound(walk);
      await walk.flow.locator('[data-event="play.pressed"]').click();
    },
    'seek.chosen': async ({ flow }, { seconds }) => {
      const slider = flow.locator('[data-event="seek.chosen"]');
      await (seconds === END_S ? slider.press('End') : slider.click());
    },
    'place.requested': ({ flow }) => flow.locator('[data-event="earlier.chosen"]').first().click(),
    'volume.chosen': ({ flow }) => flow.locator('[data-event="volume.chosen"]').click(),
    'page.hidden': async (walk, _, snapshot) => {
      await waitForPlayback(walk, snapshot);
      await hideWindow(walk);
    },
    // A message covers the bar, and has its own Close button.
    'close.pressed': async (walk, _, snapshot) => {
      await waitForPlayback(walk, snapshot);
      if (snapshot.value !== 'failed') return closeViewer(walk);
      await pauseClock(walk);
      await walk.flow.getByRole('alert').locator('[data-event="close.pressed"]').click();
    },
    'xstate.done.actor.progress': (walk) => walk.settle(toSettlement('saveProgress')),
  },
};
