import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { tracksMachine } from '../../../../machines/reading/tracks.ts';
import type { TrackPosition, TracksInput } from '../../../../machines/model/reading/reading.ts';
import { ELSEWHERE, type Reacts } from '../../in-shop.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { hideWindow, pauseClock } from '../../causes.ts';
import { dispatchOnline, waitForContinuation, waitForInterruption, isInterrupted } from './book-page.ts';
import {
  closeViewer,
  buyShortLivedCopy,
  demoTitle,
  expireAddresses,
  inViewer,
  laptop,
  createMediaPort,
  changeModels,
  renewInTime,
  toRenewalEvents,
  renewalCases,
  savePort,
  toSettlement,
  tablet,
} from './adapter-helpers.ts';

/** The name of the recording, or of the film. */
const TITLE_NAMES = /The Night Signalman|Low Water/;
const headings: Headings<typeof tracksMachine> = {
  attached: TITLE_NAMES,
  failed: 'We couldn’t show this title',
  closing: TITLE_NAMES,
  closed: null,
};

/**
 * The parts of the demo recording that the walks use; the customer's position is in the last one.
 */
const [first, far, lost, last] = ['1', '3', '4', '5'];
const resumePosition = { itemId: last, seconds: 40 };
/** The end of the last part, in seconds. */
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

/** The only position in the model. */
const passedEvent = { type: 'position.passed', itemId: last, seconds: 40, totalProgression: 0.9 };

/** The reported position when it is requested: further on while it plays, else the last one. */
const getExpectedPosition = ({ plays, itemId, position, start: begun }: Context) => {
  const last = position ?? begun ?? { itemId, seconds: 0 };
  return plays ? { itemId, seconds: last.seconds + 1 } : { itemId: last.itemId, seconds: last.seconds };
};

/** The media element's reaction to commands. */
const toPlayerEvents = (fact: AnyEventObject, snapshot: AnyMachineSnapshot, because: AnyEventObject | null): AnyEventObject[] => {
  const { itemId } = getContext(snapshot);
  switch (fact.type) {
    case 'tracks.play':
      if (because?.['refused'] === true) return [{ type: 'tracks.blocked' }];
      if (because?.['slow'] === true) return [{ type: 'tracks.waiting' }];
      return [
        ...(isInState(snapshot, 'ended') ? [{ type: 'tracks.itemChanged', itemId: first }] : []),
        { type: 'tracks.playing' },
      ];
    case 'tracks.pause':
      return [passedEvent, { type: 'tracks.paused', itemId, seconds: 1 }];
    case 'tracks.seek':
      if (fact['itemId'] !== itemId) return [{ type: 'tracks.itemChanged', itemId: fact['itemId'] as string }];
      return because?.['seconds'] === END_S ? [passedEvent, { type: 'tracks.ended' }] : [passedEvent];
    case 'tracks.skip':
      return [passedEvent];
    case 'tracks.tell':
      return [{ ...passedEvent, type: 'tracks.told', ...getExpectedPosition(getContext(snapshot)) }];
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

const reacts: Reacts = (fact, snapshot, to, because) => {
  if (to === 'parent') return ELSEWHERE;
  // Without a position to save, the player closes at once.
  if (to === 'progress' && fact.type === 'close' && getContext(snapshot).position === null) return ELSEWHERE;
  if (to === 'addresses')
    return toRenewalEvents({ ...because, items: getContext(snapshot).items } as never, { type: 'tracks.ready' });
  return to === 'element' ? toPlayerEvents(fact, snapshot, because) : [];
};

/**
 * Possible events by state: buttons are always available; events of the element follow from them or
 * from requests.
 */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { medium, itemId, position, fullScreen } = getContext(snapshot);
  if (medium === 'video') {
    if (isInState(snapshot, 'opening')) return event.type === 'tracks.ready';
    return event.type === 'captions.chosen' || (event.type === 'fullScreen.pressed' && !fullScreen);
  }
  const isOpen = isInState(snapshot, 'paused', 'playing');
  const isPlaying = isInState(snapshot, 'playing');
  const awaitsLost = isInState(snapshot, 'waiting') && itemId === lost;
  const possible: Record<string, boolean> = {
    'play.pressed': event['refused'] !== true || isInState(snapshot, 'paused'),
    'skip.pressed': isOpen,
    'rate.chosen': isOpen,
    'volume.chosen': isOpen,
    'mute.pressed': isOpen,
    // Recordings have neither captions nor full screen.
    'captions.chosen': false,
    'fullScreen.pressed': false,
    'seek.chosen': event['seconds'] === END_S ? isPlaying && itemId === last : isOpen,
    'item.chosen': isOpen && itemId !== event['itemId'] && (event['slow'] !== true || isPlaying),
    'place.wanted': isOpen && itemId === last,
    'tracks.ready': true,
    'tracks.failed': isInState(snapshot, 'opening') || (isPlaying && itemId === last),
    'tracks.interrupted': awaitsLost,
    'tracks.continued': false,
    'continuation.wanted': awaitsLost,
    'connection.returned': snapshot.value === 'failed',
    'tracks.expired': isInState(snapshot, 'opening') && itemId !== far,
    'tracks.playing': isInState(snapshot, 'waiting') && itemId === far,
    // The browser caches a part that has loaded, so it cannot fail again.
    'pause.pressed': isPlaying || (isInState(snapshot, 'waiting') && itemId === far),
    'addresses.renewed': snapshot.value === 'failed',
    'close.pressed': isInState(snapshot, 'opening') || snapshot.value === 'failed' || (isOpen && position !== null),
    'xstate.done.actor.progress': snapshot.value === 'closing',
  };
  return possible[event.type] ?? !/^(tracks|position|addresses)\./.test(event.type);
};

/** Makes the browser refuse to play sound, once. */
const forbidSound = async ({ page, injected }: WalkContext): Promise<void> => {
  injected('a browser that blocks autoplay');
  await page.evaluate(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = () => {
      HTMLMediaElement.prototype.play = play;
      return Promise.reject(new DOMException('', 'NotAllowedError'));
    };
  });
};

const isFar = (pathname: string): boolean => [far, lost].some((part) => pathname.endsWith(`track-0${part}.mp3`));

const getPort = (snapshot: AnyMachineSnapshot): 'recording' | 'farPart' =>
  [far, lost].includes(getContext(snapshot).itemId) ? 'farPart' : 'recording';

/** Makes the player fail, once. */
const breakPlayer = async ({ page, flow, injected }: WalkContext): Promise<void> => {
  injected('a player that fails');
  await page.evaluate(() => {
    const { pause } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.pause = () => {
      HTMLMediaElement.prototype.pause = pause;
      throw new Error('a defect');
    };
  });
  await flow.locator('[data-event="pause.pressed"]').click();
};

const failFarPart = async (world: WalkContext): Promise<void> => {
  await world.settle(toSettlement('farPart', { kind: 'offline' }));
  await waitForInterruption(world);
  world.hold('farPart');
};

/** Waits until the player has moved on from its last reported position. */
const waitForPlayback = async ({ flow }: WalkContext, from: AnyMachineSnapshot): Promise<void> => {
  if (!isInState(from, 'playing')) return;
  const clock = async () => Number(await flow.locator('[data-clock="slider"]').inputValue());
  const before = await clock();
  await expect.poll(clock).toBeGreaterThan(before + 0.2);
};

/** The customer's last position, on another device. */
const earlierPosition = { itemId: first, seconds: 12, totalProgression: 0.1 };
const saveEarlierPosition = async (world: WalkContext): Promise<void> => {
  const customer = await world.customer();
  await customer.saveProgress(demoTitle.audio, 'audio', earlierPosition, tablet);
  await customer.saveProgress(demoTitle.audio, 'audio', { ...resumePosition, totalProgression: 0.9 }, laptop);
};

export const adapter: BrowserAdapter = {
  ...inViewer,
  name: 'tracks',
  timeGoesOn: true,
  models: changeModels('tracks', ({ input, cases }) => {
    const { tracks: usual, progress } = input as { tracks: TracksInput; progress: unknown };
    const film = usual.medium === 'video';
    const items = usual.items.flatMap((item) => (film ? [first] : [first, far, lost, last]).map((id) => ({ ...item, id })));
    return {
      input: { tracks: { ...usual, items, start: film ? null : resumePosition }, progress },
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
        'item.chosen': [{ itemId: first }, { itemId: far, slow: true }, { itemId: lost, slow: true }],
        'place.wanted': [{ place: earlierPosition }],
      },
    };
  }),
  prepares: async (world, { input }) => {
    const { medium } = (input as { tracks: TracksInput }).tracks;
    const address = await buyShortLivedCopy(world, medium);
    if (medium === 'audio') await saveEarlierPosition(world);
    return address;
  },
  headings,
  reacts,
  isPossible,
  ports: {
    recording: createMediaPort(({ pathname }) => /^\/media\/.*\.mp[34]$/.test(pathname) && !isFar(pathname)),
    farPart: createMediaPort(({ pathname }) => isFar(pathname)),
    saveProgress: savePort,
  },
  causes: {
    'tracks.ready': (world, _, from) => world.settle(toSettlement(getPort(from))),
    'tracks.failed': async (world, _, from) => {
      if (isInState(from, 'playing')) await breakPlayer(world);
      else await world.settle(toSettlement(getPort(from), { kind: 'offline' }));
      await expect(world.flow.getByRole('alert')).toBeVisible();
      world.hold(getPort(from));
    },
    'tracks.expired': (world, { answer }) => expireAddresses(world, 'recording', answer),
    'tracks.interrupted': failFarPart,
    'continuation.wanted': async (world) => {
      if (!(await isInterrupted(world))) await failFarPart(world);
      await world.settle(toSettlement('farPart'));
      await waitForContinuation(world);
    },
    'connection.returned': dispatchOnline,
    'addresses.renewed': renewInTime,
    'tracks.playing': (world) => world.settle(toSettlement('farPart')),
    'play.pressed': async (world, { refused }) => {
      if (refused === true) await forbidSound(world);
      await world.flow.locator('[data-event="play.pressed"]').click();
    },
    'seek.chosen': async ({ flow }, { seconds }) => {
      const slider = flow.locator('[data-event="seek.chosen"]');
      await (seconds === END_S ? slider.press('End') : slider.click());
    },
    'place.wanted': ({ flow }) => flow.locator('[data-event="earlier.chosen"]').first().click(),
    'volume.chosen': ({ flow }) => flow.locator('[data-event="volume.chosen"]').click(),
    'page.hidden': async (world, _, from) => {
      await waitForPlayback(world, from);
      await hideWindow(world);
    },
    // A message covers the bar, and has its own Close.
    'close.pressed': async (world, _, from) => {
      await waitForPlayback(world, from);
      if (from.value !== 'failed') return closeViewer(world);
      await pauseClock(world);
      await world.flow.getByRole('alert').locator('[data-event="close.pressed"]').click();
    },
    'xstate.done.actor.progress': (world) => world.settle(toSettlement('saveProgress')),
  },
};
