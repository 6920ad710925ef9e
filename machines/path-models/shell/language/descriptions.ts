import type { languageMachine } from '../../../app/language.ts';
import type { Description } from '../../description.ts';

export const languageDescription = {
  title: 'The language of the shop',
  about: 'The choice of a language in the frame of every page.',
  states: {
    'language.spoken': 'Every text of the frame is in the chosen language.',
    'language.loading': 'The texts are still in the previous language.',
    'language.unavailable': 'The texts and the choice stay in the previous language.',
  },
  presses: { 'language.chosen': 'Choose a language' },
  happens: {
    'xstate.done.actor.loadLanguage': 'The texts of the language have loaded',
    'xstate.error.actor.loadLanguage': 'The texts of the language fail to load',
  },
} satisfies Description<typeof languageMachine>;
