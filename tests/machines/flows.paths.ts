import { bootMachine } from '../../machines/app/boot.ts';
import { catalogueMachine } from '../../machines/browsing/catalogue.ts';
import { landingMachine } from '../../machines/browsing/landing.ts';
import { languageMachine } from '../../machines/app/language.ts';
import { libraryMachine } from '../../machines/reading/library.ts';
import { locationMachine } from '../../machines/app/location.ts';
import { receiptMachine } from '../../machines/buying/receipt.ts';
import { sessionMachine } from '../../machines/app/session.ts';
import { signInMachine } from '../../machines/account/sign-in.ts';
import { signUpMachine } from '../../machines/account/sign-up.ts';
import { informationMachine, notFoundMachine } from '../../machines/browsing/static-pages.ts';
import { flowInput, problems, rejections, route, sessions, store, summary, type PathModel } from './model.ts';
import { catalogueWords, informationWords, landingWords, libraryWords, notFoundWords } from './words/browse.ts';
import { signInWords, signUpWords } from './words/entry.ts';
import { titleModels } from './title.paths.ts';
import { receiptWords } from './words/purchase.ts';
import { bootWords, languageWords, locationWords, sessionWords } from './words/shop.ts';
import { saying } from './words/words.ts';

const about = { total: 500, categoryName: null, categoryId: null, place: 0 };
const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const owned = { instanceId: 'i1', purchasedAt: '2026-01-01T00:00:00Z', lastOpenedAt: null, progress: 0.2, title: summary };
const receipt = {
  transId: 't1',
  titleId: '1001',
  instanceId: 'i1',
  name: summary.name,
  amount: 9.99,
  currency: 'USD',
  symbol: '$',
  paidAt: '2026-01-01T00:00:00Z',
};
const credentials = {
  signIn: { email: 'reader@example.com', password: 'harbour light', remember: true },
  signUp: { name: 'A Reader', email: 'reader@example.com', password: 'harbour light', agree: true, newsletter: false },
};

export const flowModels: PathModel[] = [
  {
    name: 'boot',
    machine: bootMachine,
    words: bootWords,
    given: 'Open any address of the shop.',
    cases: {
      'xstate.done.actor.storeProperties': [{ output: store }],
      'xstate.error.actor.storeProperties': rejections(problems.offline, problems.invalidStore),
    },
  },
  {
    name: 'location',
    machine: locationMachine,
    words: locationWords,
    given: 'Open any address of the shop.',
    cases: {
      'history.changed': [{ route: route() }],
      go: [
        saying('to /all, by a link', { to: '/all', replace: false }),
        saying('to /all, in place of this address', { to: '/all', replace: true }),
      ],
      leave: [{ url: 'https://pay.example/1' }],
    },
  },
  {
    name: 'session',
    machine: sessionMachine,
    words: sessionWords,
    given: 'Open any address of the shop; for the stored session, sign in before and reload.',
    cases: {
      'xstate.done.actor.restoreSession': [
        saying('it holds a valid session', { output: customer }),
        saying('it holds none', { output: null }),
      ],
      'xstate.error.actor.restoreSession': rejections(problems.offline),
      'session.started': [customer],
      'session.startedElsewhere': [customer],
    },
  },
  {
    name: 'language',
    machine: languageMachine,
    words: languageWords,
    given: 'Open any address of the shop in English.',
    input: { locale: 'en' },
    cases: {
      'language.chosen': [saying('French', { locale: 'fr' })],
      'xstate.error.actor.loadLanguage': rejections(problems.offline),
    },
  },
  {
    name: 'landing',
    machine: landingMachine,
    words: landingWords,
    given: 'Open /.',
    input: flowInput(),
    cases: {
      'xstate.done.actor.shelves': [
        saying('with titles', { output: [{ type: 'all', titles: [summary], total: 1 }] }),
        saying('there are none', { output: [] }),
      ],
      'xstate.error.actor.shelves': rejections(problems.offline),
    },
  },
  {
    name: 'catalogue',
    machine: catalogueMachine,
    words: catalogueWords,
    given: 'Open a list with a search: /all?search=sea.',
    input: flowInput({ flow: 'catalogue', path: '/all?search=sea', params: { type: 'all' }, query: { search: 'sea' } }),
    cases: {
      'route.changed': [{ route: route({ flow: 'catalogue', path: '/all?sort=title', query: { sort: 'title' } }) }],
      'sort.chosen': [saying('by title', { sort: 'title' }), saying('the shop’s own order', { sort: '' })],
      'price.submitted': [saying('from 5 to 9.99', { from: '5', to: '9.99' })],
      'titles.arrived': [
        saying('a list of one', { from: 0, titles: [summary], count: 1, about }),
        saying('the first of many', { from: 0, titles: [summary], count: 500, about }),
      ],
      'list.ended': [
        saying('there is more to be had', { about, hasMore: true }),
        saying('that was all', { about, hasMore: false }),
      ],
      'list.failed': [problems.offline, problems.notFound].map((problem) => ({ problem })),
      'title.found': [{ path: '/id:1001/the-keeper' }],
      'places.seen': [
        saying('its first screen', { first: 0, last: 5 }),
        saying('near the end of what has come', { first: 470, last: 480 }),
      ],
    },
  },
  ...titleModels,
  {
    name: 'signIn',
    machine: signInMachine,
    words: signInWords,
    given: 'Be sent to sign in by a session that has ended: /signin?expired=1.',
    input: flowInput({ flow: 'signIn', path: '/signin?expired=1', query: { expired: '1' } }),
    cases: {
      'signIn.submitted': [{ pii: { form: credentials.signIn } }],
      'signIn.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.signIn': [{ output: customer }],
      'xstate.error.actor.signIn': [saying('the password is wrong', { error: problems.unauthorized })],
    },
  },
  {
    name: 'signUp',
    machine: signUpMachine,
    words: signUpWords,
    given: 'As a visitor, open /signup.',
    input: flowInput({ flow: 'signUp', path: '/signup' }),
    cases: {
      'signUp.submitted': [{ pii: { form: credentials.signUp } }],
      'signUp.rejected': [{ fields: { agree: 'agree' } }],
      'xstate.done.actor.signUp': [{ output: customer }],
      'xstate.error.actor.signUp': rejections(problems.offline),
    },
  },
  {
    name: 'receipt',
    machine: receiptMachine,
    words: receiptWords,
    given: 'Signed in, open the success page of no purchase: /title/purchase/success.',
    input: flowInput({ flow: 'receipt' }),
    cases: { 'session.changed': sessions },
  },
  {
    name: 'receipt',
    machine: receiptMachine,
    words: receiptWords,
    given: 'Signed in, finish a purchase: /title/purchase/success?transId=….',
    input: flowInput({ flow: 'receipt', params: { transId: 't1' } }, { signedIn: true }),
    cases: {
      'session.changed': sessions,
      'xstate.done.actor.purchaseInfo': [{ output: receipt }],
      'xstate.error.actor.purchaseInfo': rejections(problems.offline, problems.unauthorized, problems.notFound),
    },
  },
  {
    name: 'library',
    machine: libraryMachine,
    words: libraryWords,
    given: 'Signed in, open /mylibrary/ebook.',
    input: flowInput({ flow: 'library', params: { type: 'ebook' } }, { signedIn: true }),
    cases: {
      'session.changed': sessions,
      'route.changed': [{ route: route({ flow: 'library', path: '/mylibrary?sort=title', query: { sort: 'title' } }) }],
      'sort.chosen': [{ sort: 'title' }],
      'title.opened': [{ instanceId: 'i1' }],
      'xstate.done.actor.purchases': [saying('some', { output: [owned] }), saying('none', { output: [] })],
      'xstate.error.actor.purchases': rejections(problems.offline, problems.unauthorized),
    },
  },
  {
    name: 'information',
    machine: informationMachine,
    words: informationWords,
    given: 'Open /about, /terms or /privacy.',
    input: flowInput({ flow: 'information' }),
  },
  {
    name: 'notFound',
    machine: notFoundMachine,
    words: notFoundWords,
    given: 'Open a path that is not there: /nowhere.',
    input: flowInput({ flow: 'notFound' }),
  },
];
