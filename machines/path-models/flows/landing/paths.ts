import { landingMachine } from '../../../browsing/landing.ts';
import { createFlowInput, problems, createRejectionCase, toRejectionCases, summary, type PathModel } from '../../path-model.ts';
import { landingDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

const owned = { instanceId: 'i1', purchasedAt: '2026-01-01T00:00:00Z', title: summary };
const titleInProgress = { ...owned, lastOpenedAt: '2026-01-02T00:00:00Z', progress: 0.4 };

const createModel = (part: Pick<PathModel, 'given' | 'input'>): PathModel => ({
  name: 'landing',
  machine: landingMachine,
  description: landingDescription,
  cases: {
    'xstate.done.actor.begun': [
      describeCase(
        'one that is not finished',
        { output: [titleInProgress] },
        'Get the free title 1011, read a few pages, and close the viewer',
      ),
      describeCase('nothing was begun', { output: [] }, 'Take a customer who has opened no title'),
    ],
    'xstate.error.actor.begun': [createRejectionCase(problems.offline, 'Block `user/purchases`')],
    'xstate.done.actor.carousels': [
      describeCase('with titles', { output: [{ type: 'all', titles: [summary], total: 1 }] }),
      describeCase('there are none', { output: [] }, 'Override `titles` with the answer of the step'),
    ],
    'xstate.error.actor.carousels': toRejectionCases(problems.offline),
  },
  ...part,
});

export const models: PathModel[] = [
  createModel({ given: 'As a visitor, open /.', input: createFlowInput() }),
  createModel({ given: 'Signed in, open /.', input: createFlowInput({}, { signedIn: true }) }),
];
