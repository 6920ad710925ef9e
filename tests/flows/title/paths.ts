import { sharingMachine } from '../../../machines/browsing/sharing.ts';
import { titleMachine } from '../../../machines/browsing/title.ts';
import { flowInput, problems, rejections, store, summary, title as fullTitle, type PathModel } from '../../support/path-model.ts';
import { sharingDescription, titleDescription } from './descriptions.ts';
import { notTheirs, subscribedTo, theirs } from '../../support/access.ts';
import { described } from '../../support/description.ts';

const link = 'https://shop.example/id:1001/The-Keeper’s-Third-Log';

const title = (part: Partial<PathModel>): PathModel => ({
  name: 'title',
  machine: titleMachine,
  description: titleDescription,
  given: 'As a visitor, open a title: /id:1008.',
  input: flowInput({ flow: 'title', params: { titleId: '1001' } }),
  cases: {
    'xstate.done.actor.title': [
      described('for sale, with a sample', { output: fullTitle }),
      described('neither for sale nor with a sample', { output: { ...fullTitle, forSale: false, hasSample: false } }),
    ],
    'xstate.error.actor.title': rejections(problems.offline, problems.notFound),
    'xstate.done.actor.ownership': [
      described('it is', { output: theirs('i1') }),
      described('it is not', { output: notTheirs }),
      described('their subscription opens it', { output: subscribedTo(null) }),
      described('their subscription opens it, and they have begun it', { output: subscribedTo('i1') }),
    ],
    'xstate.done.actor.grant': [{ output: 'i1' }],
    'xstate.error.actor.grant': rejections(problems.offline, problems.unauthorized),
    'xstate.error.actor.ownership': rejections(problems.offline, problems.unauthorized),
    'xstate.done.actor.related': [{ output: [{ kind: 'similar', titles: [summary] }] }],
    'xstate.error.actor.related': rejections(problems.offline),
    'xstate.done.actor.comments': [{ output: null }],
    'xstate.error.actor.comments': rejections(problems.offline),
  },
  ...part,
});

const free = { ...fullTitle, prices: [{ amount: 0, currency: 'USD', symbol: '$' }], free: true };

/** A title's page, and what stands on it as a machine of its own. */
export const models: PathModel[] = [
  title({}),
  title({
    given: 'Signed in, open a title: /id:1008.',
    input: flowInput({ flow: 'title', params: { titleId: '1001' } }, { signedIn: true }),
  }),
  title({
    given: 'As a visitor, open a title by its ISBN in a store that shows comments and no related titles: /isbn:9780306406157.',
    input: flowInput(
      { flow: 'title', params: { isbn: '9780306406157' } },
      { store: { ...store, showRelatedTitles: false, enableMblurb: true } },
    ),
  }),
  title({
    given: 'As a visitor, open a free title: /id:1011.',
    cases: { ...title({}).cases, 'xstate.done.actor.title': [described('free', { output: free })] },
  }),
  title({
    given: 'As a visitor, press “Get it for free” on a title’s page, then sign in.',
    input: flowInput({ flow: 'title', params: { titleId: '1001' } }, { signedIn: true, resume: 'get' }),
    cases: {
      ...title({}).cases,
      'xstate.done.actor.title': [described('free', { output: free }), described('no longer free', { output: fullTitle })],
    },
  }),
  {
    name: 'sharing',
    machine: sharingMachine,
    description: sharingDescription,
    given: 'Open a title: /id:1001.',
    input: { titleId: '1001', name: summary.name },
    cases: {
      'xstate.done.actor.ways': [
        described('the browser has one of its own', { output: { link, sharesHere: true } }),
        described('the browser has none of its own', { output: { link, sharesHere: false } }),
      ],
      'xstate.done.actor.share': [{ output: null }],
      'xstate.done.actor.copy': [{ output: null }],
      'xstate.error.actor.copy': [described('the browser does not allow it', { error: problems.offline })],
    },
  },
];
