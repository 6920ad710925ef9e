import { assign, setup } from 'xstate';
import { markOpenEnded, getOutput, requestPort, safePort } from '../ports.ts';

export type SharedTitle = { titleId: string; name: string };

/** `link` is the URL of the title's page; `sharesHere` if the browser has a share dialog. */
export type SharingOptions = { link: string; sharesHere: boolean };

type Context = SharedTitle & SharingOptions;

/** Sharing a title: by the browser's share dialog, or by copying its link. */
export const sharingMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'share.pressed' } | { type: 'copy.pressed' };
    input: SharedTitle;
  },
  actors: {
    ways: safePort<SharingOptions, SharedTitle>(),
    /** Settles when the browser's share dialog closes, shared or not. */
    share: markOpenEnded(safePort<null, { link: string; name: string }>()),
    /** Rejects if the browser denies access to the clipboard. */
    copy: markOpenEnded(requestPort<null, { link: string }>()),
  },
  actions: {
    keepWays: assign((_, options: SharingOptions) => options),
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
        onDone: { target: 'ready', actions: { type: 'keepWays', params: getOutput } },
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
