import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { StateValueFrom } from 'xstate';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';

type Value = StateValueFrom<typeof tracksMachine>;
type Attached = Extract<Extract<Value, object>['attached'], string>;
export type TrackScreen = Exclude<Extract<Value, string>, 'attached'> | Attached;

export const trackScreenOf = (value: Value): TrackScreen =>
  typeof value === 'string' ? (value === 'attached' ? 'opening' : value) : (value.attached ?? 'opening');

type Look = {
  /** What the player says of itself, when the buttons do not say it. */
  says: MessageDescriptor | null;
  /** Whether the big button pauses or plays. */
  button: 'play' | 'pause';
  /** What lies over the stage. */
  over: 'nothing' | 'wait' | 'end' | 'failed';
};

/** How each state of the player looks. */
export const trackScreens: Record<TrackScreen, Look> = {
  opening: { says: msg`Opening…`, button: 'play', over: 'wait' },
  paused: { says: null, button: 'play', over: 'nothing' },
  playing: { says: null, button: 'pause', over: 'nothing' },
  waiting: { says: msg`Waiting for the network…`, button: 'pause', over: 'wait' },
  blocked: { says: msg`Your browser waits for you: press play.`, button: 'play', over: 'nothing' },
  ended: { says: msg`The end`, button: 'play', over: 'end' },
  failed: { says: null, button: 'play', over: 'failed' },
  closing: { says: msg`Keeping your place…`, button: 'play', over: 'wait' },
  closed: { says: null, button: 'play', over: 'wait' },
};
