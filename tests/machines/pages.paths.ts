import { accountMachine } from '../../machines/account/account.ts';
import { pageMachine } from '../../machines/browsing/page.ts';
import { placeholderMachine } from '../../machines/browsing/static-pages.ts';
import { subscriptionMachine } from '../../machines/buying/subscription.ts';
import { flowInput, problems, rejections, sessions, store, type PathModel } from './model.ts';
import { accountWords, pageWords, placeholderWords, subscriptionWords } from './words/pages.ts';
import { saying } from './words/words.ts';

const content = { name: 'The Reading Circle', html: '<p>We meet on Thursdays.</p>', titles: [] };
const record = {
  instanceId: 'i1',
  titleId: '1001',
  name: 'The Keeper’s Third Log',
  purchasedAt: '2026-01-01T00:00:00Z',
  paid: { amount: 9.99, currency: 'USD', symbol: '$' },
};

const subscription = (part: Partial<PathModel>): PathModel => ({
  name: 'subscription',
  machine: subscriptionMachine,
  words: subscriptionWords,
  given: 'As a visitor, open /subscription.',
  input: flowInput({ flow: 'subscription', path: '/subscription' }),
  cases: {
    'session.changed': sessions,
    'xstate.done.actor.subscriptionStatus': [
      saying('they have', { output: { subscribed: true, data: 'monthly' } }),
      saying('they have not', { output: { subscribed: false, data: null } }),
    ],
    'xstate.error.actor.subscriptionStatus': rejections(problems.offline, problems.unauthorized),
  },
  ...part,
});

/** Pages around the shelves. */
export const pageModels: PathModel[] = [
  {
    name: 'page',
    machine: pageMachine,
    words: pageWords,
    given: 'As a visitor, open a content page: /pages/public/reading-circle; for one that is for customers, /pages/private/….',
    input: flowInput({ flow: 'page', params: { kind: 'public', page: 'reading-circle' } }),
    cases: {
      'session.changed': sessions,
      'xstate.done.actor.page': [{ output: content }],
      'xstate.error.actor.page': rejections(problems.offline, problems.unauthorized, problems.notFound),
    },
  },
  {
    name: 'page',
    machine: pageMachine,
    words: pageWords,
    given: 'Open a campaign: /campaign/spring.',
    input: flowInput({ flow: 'page', params: { campaign: 'spring' } }),
    cases: {
      'session.changed': sessions,
      'xstate.done.actor.page': [{ output: content }],
      'xstate.error.actor.page': rejections(problems.offline, problems.unauthorized, problems.notFound),
    },
  },
  {
    name: 'placeholder',
    machine: placeholderMachine,
    words: placeholderWords,
    given: 'Open /redeem.',
    input: flowInput({ flow: 'placeholder', params: { page: 'redeem' } }),
  },
  subscription({}),
  subscription({
    given: 'Open /subscription of a store that has none (EnableSubscription off).',
    input: flowInput({ flow: 'subscription', path: '/subscription' }, { store: { ...store, enableSubscription: false } }),
  }),
  {
    name: 'account',
    machine: accountMachine,
    words: accountWords,
    given: 'Signed in, open /account.',
    input: flowInput({ flow: 'account', path: '/account' }, { signedIn: true }),
    cases: {
      'session.changed': sessions,
      'xstate.done.actor.purchaseRecords': [saying('some', { output: [record] }), saying('none', { output: [] })],
      'xstate.error.actor.purchaseRecords': rejections(problems.offline, problems.unauthorized),
    },
  },
];
