import { assign, sendParent, setup } from 'xstate';
import type { Locale } from '../model/store/language.ts';
import type { StoreTexts } from '../model/store/store.ts';
import { markOpenEnded, getOutput, requestPort } from '../ports.ts';

type Context = { locale: Locale; wanted: Locale };

/**
 * The shop's language. Another language applies once its message catalogue and the store's texts
 * are loaded.
 */
export const languageMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'language.chosen'; locale: Locale };
    input: { locale: Locale };
  },
  actors: {
    /**
     * Loads the message catalogue and the store's texts, activates the language and stores the
     * choice.
     */
    loadLanguage: markOpenEnded(requestPort<StoreTexts, { locale: Locale }>()),
  },
  actions: {
    keepWanted: assign({ wanted: (_, locale: Locale) => locale }),
    applyRequestedLocale: assign({ locale: ({ context }) => context.wanted }),
    dropRequestedLocale: assign({ wanted: ({ context }) => context.locale }),
    reportLanguage: sendParent(({ context }, words: StoreTexts) => ({
      type: 'language.changed',
      words: { ...words, locale: context.locale },
    })),
  },
}).createMachine({
  id: 'language',
  context: ({ input: { locale } }) => ({ locale, wanted: locale }),
  initial: 'spoken',
  on: {
    'language.chosen': {
      target: '.loading',
      reenter: true,
      actions: { type: 'keepWanted', params: ({ event }) => event.locale },
    },
  },
  states: {
    spoken: {},
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadLanguage',
        src: 'loadLanguage',
        input: ({ context }) => ({ locale: context.wanted }),
        onDone: { target: 'spoken', actions: ['applyRequestedLocale', { type: 'reportLanguage', params: getOutput }] },
        onError: { target: 'unavailable', actions: 'dropRequestedLocale' },
      },
    },
    unavailable: {},
  },
});
