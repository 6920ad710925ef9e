import { assign, setup } from 'xstate';
import { failed, toFailed, keepProblem } from '../loadable.ts';
import type { Device } from '../model/account/device.ts';
import type { Problem } from '../model/problem.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

type Context = {
  devices: Device[];
  problem: Problem | null;
  /** The device that is being signed out or removed. */
  removing: string | null;
  /** The device that was removed last, until the next press. */
  removed: Device | null;
};

/**
 * The known devices of the account, signed in or not. The customer can sign out and remove every
 * device except this one.
 */
export const devicesMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'retry.pressed' } | { type: 'remove.pressed'; deviceId: string };
  },
  actors: {
    /** All devices of the account, newest first. */
    loadDevices: requestPort<Device[]>(),
    /** Rejects with `refused sign_in_again` if the sign-in is not recent. */
    removeDevice: requestPort<object, { deviceId: string }>(),
  },
  actions: {
    keepDevices: assign({ devices: (_, devices: Device[]) => devices, problem: null }),
    keepRemoving: assign({ removing: (_, deviceId: string) => deviceId, removed: null, problem: null }),
    dropRemoving: assign({ removing: null }),
    dropDevice: assign(({ context: { devices, removing } }) => ({
      devices: devices.filter(({ id }) => id !== removing),
      removed: devices.find(({ id }) => id === removing) ?? null,
    })),
    keepProblem: keepProblem(),
  },
  guards: {
    canBeRemoved: ({ context }, deviceId: string) => context.devices.some(({ id, isThis }) => id === deviceId && !isThis),
  },
}).createMachine({
  id: 'devices',
  context: { devices: [], problem: null, removing: null, removed: null },
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.user/devices'] },
      tags: 'busy',
      invoke: {
        id: 'loadDevices',
        src: 'loadDevices',
        onDone: { target: 'shown', actions: { type: 'keepDevices', params: getOutput } },
        onError: toFailed,
      },
    },
    shown: {
      entry: 'dropRemoving',
      on: {
        'remove.pressed': {
          guard: { type: 'canBeRemoved', params: ({ event }) => event.deviceId },
          target: 'removing',
          actions: { type: 'keepRemoving', params: ({ event }) => event.deviceId },
        },
      },
    },
    removing: {
      meta: { spec: ['S7.user/devices/deregister'] },
      tags: 'busy',
      invoke: {
        id: 'removeDevice',
        src: 'removeDevice',
        input: ({ context }) => ({ deviceId: context.removing ?? '' }),
        onDone: { target: 'shown', actions: 'dropDevice' },
        onError: { target: 'shown', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    failed,
  },
});
