import { assign, setup } from 'xstate';
import { openEnded, outputIn, requestPort, safePort } from '../ports.ts';

export type Shared = { titleId: string; name: string };

/** `link` is the title's own address; `sharesHere` whether the browser has a way of its own to share. */
export type Ways = { link: string; sharesHere: boolean };

type Context = Shared & Ways;

/** Telling others of a title: by the browser's own way, or by its link. */
export const sharingMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'share.pressed' } | { type: 'copy.pressed' };
    input: Shared;
  },
  actors: {
    ways: safePort<Ways, Shared>(),
    /** Settles when the browser's own share dialog is closed, whatever the outcome. */
    share: openEnded(safePort<null, { link: string; name: string }>()),
    /** Rejects when the browser does not let the shop copy. */
    copy: openEnded(requestPort<null, { link: string }>()),
  },
  actions: {
    keepWays: assign((_, ways: Ways) => ways),
  },
  guards: {
    sharesHere: ({ context }) => context.sharesHere,
  },
}).createMachine({
  id: 'sharing',
  context: ({ input }) => ({ ...input, link: '', sharesHere: false }),
  initial: 'looking',
  states: {
    looking: {
      invoke: {
        id: 'ways',
        src: 'ways',
        input: ({ context: { titleId, name } }) => ({ titleId, name }),
        onDone: { target: 'ready', actions: { type: 'keepWays', params: outputIn } },
      },
    },
    ready: {
      on: { 'share.pressed': { guard: 'sharesHere', target: 'sharing' }, 'copy.pressed': 'copying' },
      initial: 'untouched',
      states: { untouched: {}, copied: {}, notCopied: {} },
    },
    sharing: {
      invoke: {
        id: 'share',
        src: 'share',
        input: ({ context: { link, name } }) => ({ link, name }),
        onDone: 'ready',
      },
    },
    copying: {
      invoke: {
        id: 'copy',
        src: 'copy',
        input: ({ context: { link } }) => ({ link }),
        onDone: 'ready.copied',
        onError: 'ready.notCopied',
      },
    },
  },
});
