import { languageMachine } from '../../../machines/app/language.ts';
import { problems, rejections, type PathModel } from '../../support/path-model.ts';
import { languageWords } from './words.ts';
import { saying } from '../../support/words.ts';

export const models: PathModel[] = [
  {
    name: 'language',
    machine: languageMachine,
    words: languageWords,
    given: 'Open any address of the shop in English.',
    input: { locale: 'en' },
    cases: {
      'language.chosen': [saying('French', { locale: 'fr' })],
      'xstate.error.actor.loadLanguage': rejections(problems.offline),
    },
  },
];
