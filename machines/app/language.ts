import { assign, sendParent, setup } from 'xstate';
import type { Locale } from '../model/language.ts';
import { requestPort } from '../ports.ts';

type Context = { locale: Locale; wanted: Locale };

/** The language that the shop speaks; another one is spoken as soon as its catalogue is there. */
export const languageMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'language.chosen'; locale: Locale };
    input: { locale: Locale };
  },
  actors: {
    /** Loads the catalogue, speaks it from then on and remembers the choice. */
    loadLanguage: requestPort<null, { locale: Locale }>(),
  },
  actions: {
    keepWanted: assign({ wanted: (_, locale: Locale) => locale }),
    speakWanted: assign({ locale: ({ context }) => context.wanted }),
    forgetWanted: assign({ wanted: ({ context }) => context.locale }),
    reportLanguage: sendParent(({ context }) => ({ type: 'language.changed', locale: context.locale })),
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
        onDone: { target: 'spoken', actions: ['speakWanted', 'reportLanguage'] },
        onError: { target: 'unavailable', actions: 'forgetWanted' },
      },
    },
    unavailable: {},
  },
});
