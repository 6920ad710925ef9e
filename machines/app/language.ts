import { assign, sendParent, setup } from 'xstate';
import type { Locale } from '../model/store/language.ts';
import type { StoreWords } from '../model/store/store.ts';
import { openEnded, outputIn, requestPort } from '../ports.ts';

type Context = { locale: Locale; wanted: Locale };

/** The language that the shop speaks; another one is spoken as soon as its catalogue and the store's words in it are there. */
export const languageMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'language.chosen'; locale: Locale };
    input: { locale: Locale };
  },
  actors: {
    /** Loads the catalogue and the store's own words, speaks the language from then on and remembers the choice. */
    loadLanguage: openEnded(requestPort<StoreWords, { locale: Locale }>()),
  },
  actions: {
    keepWanted: assign({ wanted: (_, locale: Locale) => locale }),
    speakWanted: assign({ locale: ({ context }) => context.wanted }),
    forgetWanted: assign({ wanted: ({ context }) => context.locale }),
    reportLanguage: sendParent(({ context }, words: StoreWords) => ({
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
        onDone: { target: 'spoken', actions: ['speakWanted', { type: 'reportLanguage', params: outputIn }] },
        onError: { target: 'unavailable', actions: 'forgetWanted' },
      },
    },
    unavailable: {},
  },
});
