import { libraryMachine } from '../../../reading/library.ts';
import { createFlowInput, problems, toRejectionCases, createRoute, titleSummary, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { libraryDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

const ownedTitle = {
  instanceId: 'i1',
  purchasedAt: '2026-01-01T00:00:00Z',
  lastOpenedAt: null,
  progress: 0.2,
  title: titleSummary,
};

export const models: PathModel[] = [
  {
    name: 'library',
    machine: libraryMachine,
    description: libraryDescription,
    startInstruction: 'Signed in, open /mylibrary/ebook.',
    input: createFlowInput({ flow: 'library', params: { type: 'ebook' } }, { signedIn: true }),
    cases: {
      'route.changed': [{ route: createRoute({ flow: 'library', path: '/mylibrary?sort=title', query: { sort: 'title' } }) }],
      'sort.chosen': [{ sort: 'title' }],
      'title.opened': [{ instanceId: 'i1' }],
      'xstate.done.actor.purchases': [
        describeCase('some', { output: { titles: [ownedTitle], left: null } }, 'Get the free title 1011'),
        describeCase(
          'none, since a subscription has ended',
          { output: { titles: [], left: { count: 2, at: '2026-01-31T00:00:00Z' } } },
          preparations.formatEndedSubscriptionAfter('press “Read” on the page of the title 1006'),
        ),
      ],
      'xstate.error.actor.purchases': toRejectionCases(problems.offline, problems.unauthorized),
    },
  },
];
