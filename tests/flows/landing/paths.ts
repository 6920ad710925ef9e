import { landingMachine } from '../../../machines/browsing/landing.ts';
import { flowInput, problems, rejections, summary, type PathModel } from '../../support/path-model.ts';
import { landingWords } from './words.ts';
import { saying } from '../../support/words.ts';

export const models: PathModel[] = [
  {
    name: 'landing',
    machine: landingMachine,
    words: landingWords,
    given: 'Open /.',
    input: flowInput(),
    cases: {
      'xstate.done.actor.carousels': [
        saying('with titles', { output: [{ type: 'all', titles: [summary], total: 1 }] }),
        saying('there are none', { output: [] }),
      ],
      'xstate.error.actor.carousels': rejections(problems.offline),
    },
  },
];
