import { landingMachine } from '../../../machines/browsing/landing.ts';
import { flowInput, problems, rejections, summary, type PathModel } from '../../support/path-model.ts';
import { landingDescription } from './descriptions.ts';
import { described } from '../../support/description.ts';

export const models: PathModel[] = [
  {
    name: 'landing',
    machine: landingMachine,
    description: landingDescription,
    given: 'Open /.',
    input: flowInput(),
    cases: {
      'xstate.done.actor.carousels': [
        described('with titles', { output: [{ type: 'all', titles: [summary], total: 1 }] }),
        described('there are none', { output: [] }),
      ],
      'xstate.error.actor.carousels': rejections(problems.offline),
    },
  },
];
