import { contentPageMachine } from '../../../browsing/content-page.ts';
import { createFlowInput, problems, createRejectionCase, toRejectionCases, type PathModel } from '../../path-model.ts';
import { pageDescription } from './descriptions.ts';

const content = { name: 'The Reading Circle', html: '<p>We meet on Thursdays.</p>' };

export const models: PathModel[] = [
  {
    name: 'page',
    machine: contentPageMachine,
    description: pageDescription,
    startInstruction:
      'As a visitor, open a content page: /pages/public/reading-circle; for one that is for customers, /pages/private/customers-notes.',
    input: createFlowInput({ flow: 'page', params: { kind: 'public', page: 'reading-circle' } }),
    cases: {
      'xstate.done.actor.page': [{ output: content }],
      'xstate.error.actor.page': [
        ...toRejectionCases(problems.offline, problems.unauthorized),
        createRejectionCase(problems.notFound, 'Take a page that is not there: /pages/public/nothing'),
      ],
    },
  },
];
