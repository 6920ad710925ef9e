import type { Playback, TrackPosition } from '../model/reading/reading.ts';
import { tracksSetup } from './tracks-setup.ts';

/** The actions of an event that changes a playback setting. */
const toPlaybackActions = <Event>(getPlayback: (event: Event) => Partial<Playback>) =>
  [
    { type: 'keepPlayback', params: ({ event }: { event: Event }) => getPlayback(event) },
    'changePlayback',
    'rememberPlayback',
  ] as const;

/** Listening or watching: play, pause, skip, choose a track and a speed; saves the position. */
export const tracksMachine = tracksSetup.createMachine({
  id: 'tracks',
  context: ({ input: { tracks, progress, addresses } }) => ({
    ...tracks,
    progress,
    addresses,
    itemId: tracks.start?.itemId ?? tracks.items[0]?.id ?? '',
    position: null,
    plays: false,
    fullScreen: false,
    problem: null,
  }),
  invoke: [
    { id: 'progress', src: 'progress', input: ({ context }) => context.progress, onDone: '.closed' },
    { id: 'addresses', src: 'addresses', input: ({ context }) => context.addresses },
    { id: 'memory', src: 'memory' },
  ],
  on: {
    'page.hidden': { actions: 'sendToProgress' },
    'close.pressed': '.closing',
    // After a failure, the retry opens the new URLs.
    'addresses.renewed': { actions: { type: 'keepAddresses', params: ({ event }) => event.items } },
    'addresses.refused': { actions: { type: 'reportRefused', params: ({ event }) => event.problem } },
  },
  initial: 'attached',
  states: {
    attached: {
      meta: { spec: ['S2./viewer'] },
      invoke: [
        {
          id: 'element',
          src: 'element',
          input: ({ context: { medium, items, start, playback, about } }) => ({ medium, items, start, playback, about }),
        },
        { id: 'interruption', src: 'interruption' },
      ],
      on: {
        // The element knows its exact second; its last report may be five seconds old.
        'page.hidden': { actions: 'requestPosition' },
        'close.pressed': '.leaving',
        'tracks.positionReported': [
          {
            guard: { type: 'hasMoved', params: ({ event }) => event },
            actions: [
              { type: 'keepPosition', params: ({ event }) => event },
              { type: 'savePosition', params: ({ event }) => event },
              'saveNow',
            ],
          },
          { actions: 'saveNow' },
        ],
        'position.passed': {
          meta: { spec: ['S3.player', 'S4.player'] },
          actions: [
            { type: 'keepPosition', params: ({ event }) => event },
            { type: 'savePosition', params: ({ event }) => event },
          ],
        },
        'tracks.itemChanged': { actions: { type: 'keepItem', params: ({ event }) => event.itemId } },
        'tracks.failed': { target: 'failed', actions: { type: 'keepProblem', params: ({ event }) => event.problem } },
        'tracks.interrupted': { actions: { type: 'reportInterrupted', params: ({ event }) => event.problem } },
        'tracks.continued': { actions: 'reportContinued' },
        'continuation.requested': { actions: 'continue' },
        'tracks.expired': { actions: 'requestRenewal' },
        'addresses.renewed': { actions: [{ type: 'keepAddresses', params: ({ event }) => event.items }, 'useRenewed'] },
        'addresses.failed': { actions: { type: 'reportNotRenewed', params: ({ event }) => event.problem } },
        'tracks.playing': { target: '.playing', actions: { type: 'keepPlays', params: true } },
        'tracks.paused': { target: '.paused', actions: { type: 'keepPlays', params: false } },
        'tracks.ended': { target: '.ended', actions: { type: 'keepPlays', params: false } },
        'tracks.fullScreenChanged': { actions: { type: 'keepFullScreen', params: ({ event }) => event.on } },
        'skip.pressed': { actions: { type: 'skip', params: ({ event }) => event.seconds } },
        'seek.chosen': { actions: { type: 'seek', params: ({ event }) => event.seconds } },
        'item.chosen': {
          actions: [{ type: 'seekItem', params: ({ event }) => event }, { type: 'keepPlays', params: true }, 'play'],
        },
        'place.requested': {
          guard: { type: 'isInRecording', params: ({ event }) => event.place },
          actions: { type: 'seekItem', params: ({ event }) => event.place as TrackPosition },
        },
        'rate.chosen': {
          actions: [{ type: 'keepPlayback', params: ({ event: { rate } }) => ({ rate }) }, 'changePlayback', 'rememberRate'],
        },
        'volume.chosen': {
          actions: toPlaybackActions(({ volume }) => (volume === 0 ? { muted: true } : { volume, muted: false })),
        },
        'captions.chosen': { actions: toPlaybackActions(({ language }) => ({ captions: language })) },
        'mute.pressed': { actions: ['keepMuted', 'changePlayback', 'rememberPlayback'] },
        'fullScreen.pressed': { actions: 'changeFullScreen' },
      },
      initial: 'opening',
      states: {
        opening: {
          tags: 'busy',
          on: {
            'tracks.ready': [{ guard: 'wasPlaying', target: 'paused', actions: 'play' }, { target: 'paused' }],
            // No element exists yet that could report a position.
            'page.hidden': { actions: 'sendToProgress' },
            'close.pressed': '#tracks.closing',
          },
        },
        paused: { on: { 'play.pressed': { actions: 'play' }, 'tracks.blocked': 'blocked' } },
        playing: { on: { 'pause.pressed': { actions: 'pause' }, 'tracks.waiting': 'waiting' } },
        waiting: { tags: 'busy', on: { 'pause.pressed': { actions: 'pause' } } },
        blocked: { on: { 'play.pressed': { actions: 'play' } } },
        ended: { on: { 'play.pressed': { actions: 'play' } } },
        leaving: {
          tags: 'busy',
          entry: 'requestPosition',
          on: {
            'tracks.positionReported': [
              {
                guard: { type: 'hasMoved', params: ({ event }) => event },
                target: '#tracks.closing',
                actions: [
                  { type: 'keepPosition', params: ({ event }) => event },
                  { type: 'savePosition', params: ({ event }) => event },
                ],
              },
              { target: '#tracks.closing' },
            ],
          },
        },
      },
    },
    failed: {
      entry: 'startHere',
      invoke: { id: 'connection', src: 'connection' },
      on: { 'retry.pressed': 'attached', 'connection.returned': { guard: 'mayContinue', target: 'attached' } },
    },
    closing: { tags: 'busy', entry: 'closeProgress' },
    closed: { type: 'final' },
  },
});
