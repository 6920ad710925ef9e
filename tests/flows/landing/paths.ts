import { landingMachine } from '../../../machines/browsing/landing.ts';
import { flowInput, problems, rejections, summary, type PathModel } from '../../support/path-model.ts';
import { landingDescription } from './descriptions.ts';
import { described } from '../../support/description.ts';

const owned = { instanceId: 'i1', purchasedAt: '2026-01-01T00:00:00Z', title: summary };
const begun = { ...owned, lastOpenedAt: '2026-01-02T00:00:00Z', progress: 0.4 };

const landing = (part: Pick<PathModel, 'given' | 'input'>): PathModel => ({
  name: 'landing',
  machine: landingMachine,
  description: landingDescription,
  cases: {
    'xstate.done.actor.begun': [
      described('one that is not finished', { output: [begun] }),
      described('nothing was begun', { output: [] }),
    ],
    'xstate.error.actor.begun': rejections(problems.offline),
    'xstate.done.actor.carousels': [
      described('with titles', { output: [{ type: 'all', titles: [summary], total: 1 }] }),
      described('there are none', { output: [] }),
    ],
    'xstate.error.actor.carousels': rejections(problems.offline),
  },
  ...part,
});

export const models: PathModel[] = [
  landing({ given: 'As a visitor, open /.', input: flowInput() }),
  landing({ given: 'Signed in, open /.', input: flowInput({}, { signedIn: true }) }),
];
