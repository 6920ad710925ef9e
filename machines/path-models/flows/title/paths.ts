import { sharingMachine } from '../../../browsing/sharing.ts';
import { titleMachine } from '../../../browsing/title.ts';
import {
  createFlowInput,
  problems,
  createRejectionCase,
  toRejectionCases,
  store,
  titleSummary,
  title as fullTitle,
  type PathModel,
} from '../../path-model.ts';
import { formatOperatorInstruction, preparations } from '../../preparations.ts';
import { sharingDescription, titleDescription } from './descriptions.ts';
import { noAccess, subscriberAccess, ownedAccess } from '../../access.ts';
import { describeCase } from '../../description.ts';

const link = 'https://shop.example/id:1001/The-Keeper’s-Third-Log';

const createModel = (overrides: Partial<PathModel>): PathModel => ({
  name: 'title',
  machine: titleMachine,
  description: titleDescription,
  startInstruction: 'As a visitor, open a title: /id:1008.',
  input: createFlowInput({ flow: 'title', params: { titleId: '1001' } }),
  cases: {
    'xstate.done.actor.title': [
      describeCase('for sale, with a sample', { output: fullTitle }),
      describeCase(
        'neither for sale nor with a sample',
        { output: { ...fullTitle, forSale: false, hasSample: false } },
        'Override `titles/byid` with the answer of the step',
      ),
    ],
    'xstate.error.actor.title': [
      ...toRejectionCases(problems.offline),
      createRejectionCase(problems.notFound, 'Take a title that does not exist: /id:9999'),
    ],
    'xstate.done.actor.ownership': [
      describeCase('yes', { output: ownedAccess('i1') }, 'Buy the title before'),
      describeCase('no', { output: noAccess }),
      describeCase('the subscription includes it', { output: subscriberAccess(null) }, `${preparations.month}, in another tab`),
      describeCase(
        'the subscription includes it, and the customer has opened it',
        { output: subscriberAccess('i1') },
        `${preparations.month}, press “Read” on the title’s page, and close the viewer`,
      ),
    ],
    'xstate.done.actor.grant': [{ output: 'i1' }],
    'xstate.error.actor.grant': toRejectionCases(problems.offline, problems.unauthorized),
    'xstate.error.actor.ownership': toRejectionCases(problems.offline, problems.unauthorized),
    'xstate.done.actor.related': [{ output: [{ kind: 'similar', titles: [titleSummary] }] }],
    'xstate.error.actor.related': toRejectionCases(problems.offline),
    'xstate.done.actor.comments': [{ output: null }],
    'xstate.error.actor.comments': [createRejectionCase(problems.offline, 'Block the host in CORAL_HOST')],
  },
  ...overrides,
});

const freeTitle = { ...fullTitle, prices: [{ amount: 0, currency: 'USD', symbol: '$' }], free: true };

/** The models of a title's page and of its machine for sharing. */
export const models: PathModel[] = [
  createModel({}),
  createModel({
    startInstruction: 'Signed in, open a title that is for sale, and that a subscription includes as well: /id:1006.',
    input: createFlowInput({ flow: 'title', params: { titleId: '1001' } }, { signedIn: true }),
  }),
  createModel({
    startInstruction:
      'As a visitor, open a title by its ISBN in a store that shows comments and no related titles (EnableMblurb on, ShowRelatedTitles off, and the shop started with a CORAL_HOST; without one, mark the tests as Blocked): /isbn:9798647982353.',
    input: createFlowInput(
      { flow: 'title', params: { isbn: '9780306406157' } },
      { store: { ...store, showRelatedTitles: false, enableMblurb: true } },
    ),
  }),
  createModel({
    startInstruction: 'As a visitor, open a free title: /id:1011.',
    cases: { ...createModel({}).cases, 'xstate.done.actor.title': [describeCase('free', { output: freeTitle })] },
  }),
  createModel({
    startInstruction:
      'As a visitor, press “Get it for free” on the page of a free title, /id:1011, then sign in as a customer who does not have it.',
    input: createFlowInput({ flow: 'title', params: { titleId: '1001' } }, { signedIn: true, resume: 'get' }),
    cases: {
      ...createModel({}).cases,
      'xstate.done.actor.title': [
        describeCase('free', { output: freeTitle }),
        describeCase(
          'no longer free',
          { output: fullTitle },
          `Before signing in, ${formatOperatorInstruction('titles set --id 1011 --price 4.99USD')}; after the test set 0USD again`,
        ),
      ],
    },
  }),
  {
    name: 'sharing',
    machine: sharingMachine,
    description: sharingDescription,
    startInstruction: 'Open a title: /id:1001.',
    input: { titleId: '1001', name: titleSummary.name },
    cases: {
      'xstate.done.actor.ways': [
        describeCase(
          'the browser has a share dialog',
          { output: { link, sharesHere: true } },
          'Take a browser that shares: Chrome on Windows or Android, or Safari',
        ),
        describeCase(
          'the browser has no share dialog',
          { output: { link, sharesHere: false } },
          'Take a browser that does not share: Chromium on Linux, or Firefox',
        ),
      ],
      'xstate.done.actor.share': [{ output: null }],
      'xstate.done.actor.copy': [{ output: null }],
      'xstate.error.actor.copy': [
        describeCase(
          'the browser does not allow it',
          { error: problems.offline },
          'In the console, `navigator.clipboard.writeText = () => Promise.reject(new Error())`',
        ),
      ],
    },
  },
];
