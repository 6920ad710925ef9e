import { bootMachine } from '../../machines/boot.ts';
import { catalogueMachine } from '../../machines/catalogue.ts';
import { landingMachine } from '../../machines/landing.ts';
import { languageMachine } from '../../machines/language.ts';
import { libraryMachine } from '../../machines/library.ts';
import { locationMachine } from '../../machines/location.ts';
import { receiptMachine } from '../../machines/receipt.ts';
import { sessionMachine } from '../../machines/session.ts';
import { signInMachine } from '../../machines/sign-in.ts';
import { signUpMachine } from '../../machines/sign-up.ts';
import { informationMachine, notFoundMachine } from '../../machines/still.ts';
import { titleMachine } from '../../machines/title.ts';
import { flowInput, problems, rejections, route, store, summary, title, type PathModel } from './model.ts';

const page = { titles: [summary], total: 2, next: 'cursor', categoryName: null };
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
  signUp: { name: 'A Reader', email: 'reader@example.com', password: 'harbour light', agree: true },
};

export const flowModels: PathModel[] = [
  {
    name: 'boot',
    machine: bootMachine,
    cases: {
      'xstate.done.actor.storeProperties': [{ output: store }],
      'xstate.error.actor.storeProperties': rejections(problems.offline, problems.invalidStore),
    },
  },
  {
    name: 'location',
    machine: locationMachine,
    cases: {
      'history.changed': [{ route: route() }],
      go: [
        { to: '/all', replace: false },
        { to: '/all', replace: true },
      ],
      leave: [{ url: 'https://pay.example/1' }],
    },
  },
  {
    name: 'session',
    machine: sessionMachine,
    cases: {
      'xstate.done.actor.restoreSession': [{ output: customer }, { output: null }],
      'xstate.error.actor.restoreSession': rejections(problems.offline),
      'session.started': [customer],
      'session.startedElsewhere': [customer],
    },
  },
  {
    name: 'language',
    machine: languageMachine,
    input: { locale: 'en' },
    cases: { 'language.chosen': [{ locale: 'fr' }], 'xstate.error.actor.loadLanguage': rejections(problems.offline) },
  },
  {
    name: 'landing',
    machine: landingMachine,
    input: flowInput(),
    cases: {
      'xstate.done.actor.shelves': [{ output: [{ type: 'all', titles: [summary], total: 1 }] }, { output: [] }],
      'xstate.error.actor.shelves': rejections(problems.offline),
    },
  },
  {
    name: 'catalogue',
    machine: catalogueMachine,
    input: flowInput({ flow: 'catalogue', path: '/all?search=sea', params: { type: 'all' }, query: { search: 'sea' } }),
    cases: {
      'route.changed': [{ route: route({ flow: 'catalogue', path: '/all?sort=title', query: { sort: 'title' } }) }],
      'sort.chosen': [{ sort: 'title' }, { sort: '' }],
      'search.submitted': [{ search: 'lamp' }],
      'xstate.done.actor.titles': [
        { output: page },
        { output: { ...page, next: null } },
        { output: { ...page, titles: [], next: null } },
      ],
      'xstate.error.actor.titles': rejections(problems.offline, problems.notFound),
      'xstate.done.actor.moreTitles': [{ output: page }, { output: { ...page, next: null } }],
      'xstate.error.actor.moreTitles': rejections(problems.offline),
    },
  },
  {
    name: 'title',
    machine: titleMachine,
    input: flowInput({ flow: 'title', params: { isbn: '9780306406157' } }, { store: { ...store, showRelatedTitles: false } }),
    cases: { 'xstate.done.actor.title': [{ output: title }] },
  },
  {
    name: 'title',
    machine: titleMachine,
    input: flowInput({ flow: 'title', params: { titleId: '1001' } }),
    cases: {
      'session.changed': [{ signedIn: true }, { signedIn: false }],
      'xstate.done.actor.title': [{ output: title }, { output: { ...title, forSale: false, hasSample: false } }],
      'xstate.error.actor.title': rejections(problems.offline, problems.notFound),
      'xstate.done.actor.ownership': [{ output: 'i1' }, { output: null }],
      'xstate.error.actor.ownership': rejections(problems.offline, problems.unauthorized),
      'xstate.done.actor.related': [{ output: [summary] }],
      'xstate.error.actor.related': rejections(problems.offline),
    },
  },
  {
    name: 'signIn',
    machine: signInMachine,
    input: flowInput({ flow: 'signIn', path: '/signin?expired=1', query: { expired: '1' } }),
    cases: {
      'signIn.submitted': [{ pii: { form: credentials.signIn } }],
      'signIn.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.signIn': [{ output: customer }],
      'xstate.error.actor.signIn': rejections(problems.unauthorized),
    },
  },
  {
    name: 'signUp',
    machine: signUpMachine,
    input: flowInput({ flow: 'signUp', path: '/signup' }),
    cases: {
      'signUp.submitted': [{ pii: { form: credentials.signUp } }],
      'signUp.rejected': [{ fields: { agree: 'agree' } }],
      'xstate.done.actor.signUp': [{ output: customer }],
      'xstate.error.actor.signUp': rejections(problems.offline),
    },
  },
  { name: 'receipt', machine: receiptMachine, input: flowInput({ flow: 'receipt' }) },
  {
    name: 'receipt',
    machine: receiptMachine,
    input: flowInput({ flow: 'receipt', params: { transId: 't1' } }, { signedIn: true }),
    cases: {
      'xstate.done.actor.purchaseInfo': [{ output: receipt }],
      'xstate.error.actor.purchaseInfo': rejections(problems.offline, problems.unauthorized, problems.notFound),
    },
  },
  {
    name: 'library',
    machine: libraryMachine,
    input: flowInput({ flow: 'library', params: { type: 'ebook' } }, { signedIn: true }),
    cases: {
      'route.changed': [{ route: route({ flow: 'library', path: '/mylibrary?sort=title', query: { sort: 'title' } }) }],
      'sort.chosen': [{ sort: 'title' }],
      'title.opened': [{ instanceId: 'i1' }],
      'xstate.done.actor.purchases': [{ output: [owned] }, { output: [] }],
      'xstate.error.actor.purchases': rejections(problems.offline, problems.unauthorized),
    },
  },
  { name: 'information', machine: informationMachine, input: flowInput({ flow: 'information' }) },
  { name: 'notFound', machine: notFoundMachine, input: flowInput({ flow: 'notFound' }) },
];
