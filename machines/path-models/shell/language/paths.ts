import { languageMachine } from '../../../app/language.ts';
import { problems, createRejectionCase, store, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { languageDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

export const models: PathModel[] = [
  {
    name: 'language',
    machine: languageMachine,
    description: languageDescription,
    startInstruction: 'Open any address of the shop in English.',
    input: { locale: 'en' },
    cases: {
      'language.chosen': [describeCase('French', { locale: 'fr' })],
      'xstate.done.actor.loadLanguage': [{ output: { store, categories: [] } }],
      'xstate.error.actor.loadLanguage': [createRejectionCase(problems.offline, preparations.offline)],
    },
  },
];
