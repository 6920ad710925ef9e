import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { tracksMachine } from '../../../../machines/reading/tracks.ts';
import type { TrackPosition, TracksInput } from '../../../../machines/model/reading/reading.ts';
import { elsewhere, type Reacts } from '../../in-shop.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import { hideWindow, stopTime } from '../../causes.ts';
import { connectionReturns, continued, interrupted, isInterrupted } from './book-page.ts';
import {
  close,
  copyForMinutes,
  demoTitle,
  expire,
  inViewer,
  laptop,
  mediaPort,
  modelsOf,
  renewInTime,
  renewalOf,
  renewals,
  savePort,
  settled,
  tablet,
} from './stage-helpers.ts';

/** The name of the recording, or of the film. */
const name = /The Night Signalman|Low Water/;
const headings: Headings<typeof tracksMachine> = {
  attached: name,
  failed: 'We couldn’t show this title',
  closing: name,
  closed: null,
};

/** The demo recording's parts that the tour needs; the customer has come to the last one. */
const [first, far, lost, last] = ['1', '3', '4', '5'];
const start = { itemId: last, seconds: 40 };
/** In seconds, where the last part ends. */
const atEnd = 71.6;

type Context = {
  medium: 'audio' | 'video';
  itemId: string;
  items: unknown[];
  position: TrackPosition | null;
  start: TracksInput['start'];
  plays: boolean;
  fullScreen: boolean;
};
const contextOf = ({ context }: AnyMachineSnapshot): Context => context as Context;
const isIn = ({ value }: AnyMachineSnapshot, ...states: string[]): boolean =>
  states.includes((value as { attached?: string }).attached ?? '');

/** The one place that the model knows of. */
const passed = { type: 'position.passed', itemId: last, seconds: 40, totalProgression: 0.9 };

/** What it says when it is asked where it is: further on while it plays, else where it said last. */
const toldIn = ({ plays, itemId, position, start: begun }: Context) => {
  const last = position ?? begun ?? { itemId, seconds: 0 };
  return plays ? { itemId, seconds: last.seconds + 1 } : { itemId: last.itemId, seconds: last.seconds };
};

/** What the media element does with its orders. */
const obey = (fact: AnyEventObject, snapshot: AnyMachineSnapshot, because: AnyEventObject | null): AnyEventObject[] => {
  const { itemId } = contextOf(snapshot);
  switch (fact.type) {
    case 'tracks.play':
      if (because?.['refused'] === true) return [{ type: 'tracks.blocked' }];
      if (because?.['slow'] === true) return [{ type: 'tracks.waiting' }];
      return [...(isIn(snapshot, 'ended') ? [{ type: 'tracks.itemChanged', itemId: first }] : []), { type: 'tracks.playing' }];
    case 'tracks.pause':
      return [passed, { type: 'tracks.paused', itemId, seconds: 1 }];
    case 'tracks.seek':
      if (fact['itemId'] !== itemId) return [{ type: 'tracks.itemChanged', itemId: fact['itemId'] as string }];
      return because?.['seconds'] === atEnd ? [passed, { type: 'tracks.ended' }] : [passed];
    case 'tracks.skip':
      return [passed];
    case 'tracks.tell':
      return [{ ...passed, type: 'tracks.told', ...toldIn(contextOf(snapshot)) }];
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
  if (to === 'parent') return elsewhere;
  // With nothing to save, the player is gone at once.
  if (to === 'progress' && fact.type === 'close' && contextOf(snapshot).position === null) return elsewhere;
  if (to === 'addresses') return renewalOf({ ...because, items: contextOf(snapshot).items } as never, { type: 'tracks.ready' });
  return to === 'element' ? obey(fact, snapshot, because) : [];
};

/** What can happen when: the buttons are always there, what the element says follows from them or from its requests. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { medium, itemId, position, fullScreen } = contextOf(snapshot);
  if (medium === 'video') {
    if (isIn(snapshot, 'opening')) return event.type === 'tracks.ready';
    return event.type === 'captions.chosen' || (event.type === 'fullScreen.pressed' && !fullScreen);
  }
  const isOpen = isIn(snapshot, 'paused', 'playing');
  const isPlaying = isIn(snapshot, 'playing');
  const awaitsLost = isIn(snapshot, 'waiting') && itemId === lost;
  const possible: Record<string, boolean> = {
    'play.pressed': event['refused'] !== true || isIn(snapshot, 'paused'),
    'skip.pressed': isOpen,
    'rate.chosen': isOpen,
    'volume.chosen': isOpen,
    'mute.pressed': isOpen,
    // A recording has neither.
    'captions.chosen': false,
    'fullScreen.pressed': false,
    'seek.chosen': event['seconds'] === atEnd ? isPlaying && itemId === last : isOpen,
    'item.chosen': isOpen && itemId !== event['itemId'] && (event['slow'] !== true || isPlaying),
    'place.wanted': isOpen && itemId === last,
    'tracks.ready': true,
    'tracks.failed': isIn(snapshot, 'opening') || (isPlaying && itemId === last),
    'tracks.interrupted': awaitsLost,
    'tracks.continued': false,
    'continuation.wanted': awaitsLost,
    'connection.returned': snapshot.value === 'failed',
    'tracks.expired': isIn(snapshot, 'opening') && itemId !== far,
    'tracks.playing': isIn(snapshot, 'waiting') && itemId === far,
    // A part that has come is kept by the browser, and does not get lost again.
    'pause.pressed': isPlaying || (isIn(snapshot, 'waiting') && itemId === far),
    'addresses.renewed': snapshot.value === 'failed',
    'close.pressed': isIn(snapshot, 'opening') || snapshot.value === 'failed' || (isOpen && position !== null),
    'xstate.done.actor.progress': snapshot.value === 'closing',
  };
  return possible[event.type] ?? !/^(tracks|position|addresses)\./.test(event.type);
};

/** A browser that forbids sound once. */
const forbidSound = async ({ page, injected }: World): Promise<void> => {
  injected('a browser that forbids sound');
  await page.evaluate(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = () => {
      HTMLMediaElement.prototype.play = play;
      return Promise.reject(new DOMException('', 'NotAllowedError'));
    };
  });
};

const isFar = (pathname: string): boolean => [far, lost].some((part) => pathname.endsWith(`track-0${part}.mp3`));

const portOf = (snapshot: AnyMachineSnapshot): 'recording' | 'farPart' =>
  [far, lost].includes(contextOf(snapshot).itemId) ? 'farPart' : 'recording';

/** A player that has a defect, once. */
const breakPlayer = async ({ page, flow, injected }: World): Promise<void> => {
  injected('a player with a defect');
  await page.evaluate(() => {
    const { pause } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.pause = () => {
      HTMLMediaElement.prototype.pause = pause;
      throw new Error('a defect');
    };
  });
  await flow.locator('[data-event="pause.pressed"]').click();
};

const loseFarPart = async (world: World): Promise<void> => {
  await world.settle(settled('farPart', { kind: 'offline' }));
  await interrupted(world);
  world.hold('farPart');
};

/** What plays has come further than it has said. */
const playOn = async ({ flow }: World, from: AnyMachineSnapshot): Promise<void> => {
  if (!isIn(from, 'playing')) return;
  const clock = async () => Number(await flow.locator('[data-clock="slider"]').inputValue());
  const before = await clock();
  await expect.poll(clock).toBeGreaterThan(before + 0.2);
};

/** Where the customer left off before, on another device. */
const earlier = { itemId: first, seconds: 12, totalProgression: 0.1 };
const leftBefore = async (world: World): Promise<void> => {
  const customer = await world.customer();
  await customer.hasReached(demoTitle.audio, 'audio', earlier, tablet);
  await customer.hasReached(demoTitle.audio, 'audio', { ...start, totalProgression: 0.9 }, laptop);
};

export const stage: Stage = {
  ...inViewer,
  name: 'tracks',
  timeGoesOn: true,
  models: modelsOf('tracks', ({ input, cases }) => {
    const { tracks: usual, progress } = input as { tracks: TracksInput; progress: unknown };
    const film = usual.medium === 'video';
    const items = usual.items.flatMap((item) => (film ? [first] : [first, far, lost, last]).map((id) => ({ ...item, id })));
    return {
      input: { tracks: { ...usual, items, start: film ? null : start }, progress },
      kind: (snapshot) => {
        const { itemId, position, plays, fullScreen } = contextOf(snapshot);
        return [snapshot.value as unknown, itemId, position !== null, plays, fullScreen];
      },
      cases: {
        ...cases,
        'tracks.expired': renewals,
        'tracks.failed': [{ problem: { kind: 'offline' } }],
        'addresses.renewed': [{ items }],
        'play.pressed': [{}, { refused: true }],
        'skip.pressed': [{ seconds: -15 }],
        'seek.chosen': [{ seconds: 36 }, { seconds: atEnd }],
        'item.chosen': [{ itemId: first }, { itemId: far, slow: true }, { itemId: lost, slow: true }],
        'place.wanted': [{ place: earlier }],
      },
    };
  }),
  prepares: async (world, { input }) => {
    const { medium } = (input as { tracks: TracksInput }).tracks;
    const address = await copyForMinutes(world, medium);
    if (medium === 'audio') await leftBefore(world);
    return address;
  },
  headings,
  reacts,
  isPossible,
  ports: {
    recording: mediaPort(({ pathname }) => /^\/media\/.*\.mp[34]$/.test(pathname) && !isFar(pathname)),
    farPart: mediaPort(({ pathname }) => isFar(pathname)),
    saveProgress: savePort,
  },
  causes: {
    'tracks.ready': (world, _, from) => world.settle(settled(portOf(from))),
    'tracks.failed': async (world, _, from) => {
      if (isIn(from, 'playing')) await breakPlayer(world);
      else await world.settle(settled(portOf(from), { kind: 'offline' }));
      await expect(world.flow.getByRole('alert')).toBeVisible();
      world.hold(portOf(from));
    },
    'tracks.expired': (world, { answer }) => expire(world, 'recording', answer),
    'tracks.interrupted': loseFarPart,
    'continuation.wanted': async (world) => {
      if (!(await isInterrupted(world))) await loseFarPart(world);
      await world.settle(settled('farPart'));
      await continued(world);
    },
    'connection.returned': connectionReturns,
    'addresses.renewed': renewInTime,
    'tracks.playing': (world) => world.settle(settled('farPart')),
    'play.pressed': async (world, { refused }) => {
      if (refused === true) await forbidSound(world);
      await world.flow.locator('[data-event="play.pressed"]').click();
    },
    'seek.chosen': async ({ flow }, { seconds }) => {
      const slider = flow.locator('[data-event="seek.chosen"]');
      await (seconds === atEnd ? slider.press('End') : slider.click());
    },
    'place.wanted': ({ flow }) => flow.locator('[data-event="earlier.chosen"]').first().click(),
    'volume.chosen': ({ flow }) => flow.locator('[data-event="volume.chosen"]').click(),
    'page.hidden': async (world, _, from) => {
      await playOn(world, from);
      await hideWindow(world);
    },
    // A message covers the bar, and closes too.
    'close.pressed': async (world, _, from) => {
      await playOn(world, from);
      if (from.value !== 'failed') return close(world);
      await stopTime(world);
      await world.flow.getByRole('alert').locator('[data-event="close.pressed"]').click();
    },
    'xstate.done.actor.progress': (world) => world.settle(settled('saveProgress')),
  },
};
