import type { languageMachine } from '../../../app/language.ts';
import type { Description } from '../../description.ts';

export const languageDescription = {
  title: 'The language of the shop',
  about: 'The choice of a language in the frame of every page.',
  states: {
    'language.spoken': 'Every text of the frame is in the chosen language.',
    'language.loading': 'The texts are still in the language before.',
    'language.unavailable': 'The texts stay in the language before, and so does the choice.',
  },
  presses: { 'language.chosen': 'Choose a language' },
  happens: {
    'xstate.done.actor.loadLanguage': 'The words of the language come',
    'xstate.error.actor.loadLanguage': 'The words of the language do not come',
  },
} satisfies Description<typeof languageMachine>;
