import { sharingMachine } from '../../../browsing/sharing.ts';
import { titleMachine } from '../../../browsing/title.ts';
import {
  flowInput,
  problems,
  rejected,
  rejections,
  store,
  summary,
  title as fullTitle,
  type PathModel,
} from '../../path-model.ts';
import { operator, preparations } from '../../preparations.ts';
import { sharingDescription, titleDescription } from './descriptions.ts';
import { notTheirs, subscribedTo, theirs } from '../../access.ts';
import { described } from '../../description.ts';

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
      described(
        'neither for sale nor with a sample',
        { output: { ...fullTitle, forSale: false, hasSample: false } },
        'Override `titles/byid` with the answer of the step',
      ),
    ],
    'xstate.error.actor.title': [
      ...rejections(problems.offline),
      rejected(problems.notFound, 'Take a title that is not there: /id:9999'),
    ],
    'xstate.done.actor.ownership': [
      described('it is', { output: theirs('i1') }, 'Buy the title before'),
      described('it is not', { output: notTheirs }),
      described('their subscription opens it', { output: subscribedTo(null) }, `${preparations.month}, in another tab`),
      described(
        'their subscription opens it, and they have begun it',
        { output: subscribedTo('i1') },
        `${preparations.month}, press “Read” on the title’s page, and close the viewer`,
      ),
    ],
    'xstate.done.actor.grant': [{ output: 'i1' }],
    'xstate.error.actor.grant': rejections(problems.offline, problems.unauthorized),
    'xstate.error.actor.ownership': rejections(problems.offline, problems.unauthorized),
    'xstate.done.actor.related': [{ output: [{ kind: 'similar', titles: [summary] }] }],
    'xstate.error.actor.related': rejections(problems.offline),
    'xstate.done.actor.comments': [{ output: null }],
    'xstate.error.actor.comments': [rejected(problems.offline, 'Block the host in CORAL_HOST')],
  },
  ...part,
});

const free = { ...fullTitle, prices: [{ amount: 0, currency: 'USD', symbol: '$' }], free: true };

/** A title's page, and what stands on it as a machine of its own. */
export const models: PathModel[] = [
  title({}),
  title({
    given: 'Signed in, open a title that is for sale, and that a subscription opens as well: /id:1006.',
    input: flowInput({ flow: 'title', params: { titleId: '1001' } }, { signedIn: true }),
  }),
  title({
    given:
      'As a visitor, open a title by its ISBN in a store that shows comments and no related titles (EnableMblurb on, ShowRelatedTitles off, and the shop started with a CORAL_HOST; without one as Blocked): /isbn:9798647982353.',
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
    given:
      'As a visitor, press “Get it for free” on the page of a free title, /id:1011, then sign in as a customer who has not got it.',
    input: flowInput({ flow: 'title', params: { titleId: '1001' } }, { signedIn: true, resume: 'get' }),
    cases: {
      ...title({}).cases,
      'xstate.done.actor.title': [
        described('free', { output: free }),
        described(
          'no longer free',
          { output: fullTitle },
          `Before signing in, ${operator('titles set --id 1011 --price 4.99USD')}; afterwards 0USD`,
        ),
      ],
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
        described(
          'the browser has one of its own',
          { output: { link, sharesHere: true } },
          'Take a browser that shares: Chrome on Windows or Android, or Safari',
        ),
        described(
          'the browser has none of its own',
          { output: { link, sharesHere: false } },
          'Take a browser that does not share: Chromium on Linux, or Firefox',
        ),
      ],
      'xstate.done.actor.share': [{ output: null }],
      'xstate.done.actor.copy': [{ output: null }],
      'xstate.error.actor.copy': [
        described(
          'the browser does not allow it',
          { error: problems.offline },
          'In the console, `navigator.clipboard.writeText = () => Promise.reject(new Error())`',
        ),
      ],
    },
  },
];
