import { landingMachine } from '../../../browsing/landing.ts';
import {
  createFlowInput,
  problems,
  createRejectionCase,
  toRejectionCases,
  titleSummary,
  type PathModel,
} from '../../path-model.ts';
import { landingDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

const ownedTitle = { instanceId: 'i1', purchasedAt: '2026-01-01T00:00:00Z', title: titleSummary };
const titleInProgress = { ...ownedTitle, lastOpenedAt: '2026-01-02T00:00:00Z', progress: 0.4 };

const createModel = (start: Pick<PathModel, 'startInstruction' | 'input'>): PathModel => ({
  name: 'landing',
  machine: landingMachine,
  description: landingDescription,
  cases: {
    'xstate.done.actor.startedTitles': [
      describeCase(
        'one that is not finished',
        { output: [titleInProgress] },
        'Get the free title 1011, read a few pages, and close the viewer',
      ),
      describeCase('nothing was begun', { output: [] }, 'Take a customer who has opened no title'),
    ],
    'xstate.error.actor.startedTitles': [createRejectionCase(problems.offline, 'Block `user/purchases`')],
    'xstate.done.actor.carousels': [
      describeCase('with titles', { output: [{ type: 'all', titles: [titleSummary], total: 1 }] }),
      describeCase('there are none', { output: [] }, 'Override `titles` with the answer of the step'),
    ],
    'xstate.error.actor.carousels': toRejectionCases(problems.offline),
  },
  ...start,
});

export const models: PathModel[] = [
  createModel({ startInstruction: 'As a visitor, open /.', input: createFlowInput() }),
  createModel({ startInstruction: 'Signed in, open /.', input: createFlowInput({}, { signedIn: true }) }),
];
