import { assign, setup } from 'xstate';
import { openEnded, outputIn, requestPort, safePort } from '../ports.ts';

export type SharedTitle = { titleId: string; name: string };

/** `link` is the title's own address; `sharesHere`: the browser has a share dialog. */
export type Ways = { link: string; sharesHere: boolean };

type Context = SharedTitle & Ways;

/** Sharing a title: by the browser's share dialog, or by copying its link. */
export const sharingMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'share.pressed' } | { type: 'copy.pressed' };
    input: SharedTitle;
  },
  actors: {
    ways: safePort<Ways, SharedTitle>(),
    /** Settles when the browser's share dialog closes, shared or not. */
    share: openEnded(safePort<null, { link: string; name: string }>()),
    /** Rejects if the browser denies access to the clipboard. */
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
