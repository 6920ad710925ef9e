import { cartLinesMachine } from '../../../app/cart.ts';
import { ownCreditsMachine } from '../../../app/own-credits.ts';
import { wishesMachine } from '../../../app/wish-list.ts';
import { searchBoxMachine } from '../../../app/search-box.ts';
import { ownedTitlesMachine } from '../../../app/owned-titles.ts';
import { frameMachine } from '../../../app/frame.ts';
import { defaultAppearance } from '../../../model/store/appearance.ts';
import { problems, createRejectionCase, toRejectionCases, sessionCases, store, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import {
  cartLinesDescription,
  ownCreditsDescription,
  ownedTitlesDescription,
  searchBoxDescription,
  wishesDescription,
  frameDescription,
} from './descriptions.ts';
import { describeCase } from '../../description.ts';

const suggestion = {
  kind: 'title' as const,
  text: 'The Keeper’s Third Log',
  path: '/id:1001/The-Keeper’s-Third-Log',
  title: { authors: ['Ines Aldous'], medium: 'epub' as const, coverUrl: '' },
};

const createFrameModel = (options: Pick<PathModel, 'startInstruction'> & { store?: object; signedIn?: boolean }): PathModel => ({
  name: 'frame',
  machine: frameMachine,
  description: frameDescription,
  startInstruction: options.startInstruction,
  input: { store: { ...store, ...options.store }, signedIn: options.signedIn ?? false, appearance: defaultAppearance },
  cases: {
    'session.changed': sessionCases,
    go: [{ to: suggestion.path, replace: false }],
    'look.chosen': [describeCase('Night', { appearance: { ...defaultAppearance, background: 'night' } })],
    'xstate.done.actor.subscriptionStatus': [
      describeCase(
        'yes',
        { output: { subscribed: true, data: 'p1' } },
        `${preparations.month}, as the customer who is signed in at that step`,
      ),
      describeCase('no', { output: { subscribed: false, data: null } }, 'Sign in as a customer who has not subscribed'),
    ],
    'xstate.error.actor.subscriptionStatus': toRejectionCases(problems.offline),
    'xstate.done.actor.storeTheme': [{ output: { footer: '#222222' } }],
    'xstate.error.actor.storeTheme': toRejectionCases(problems.offline),
    'xstate.done.actor.consent': [
      describeCase('the notice has been seen', { output: true }, 'Press “Got it” in the notice, in this browser'),
      describeCase('the notice has not been seen', { output: false }, 'Take a new browser profile'),
    ],
    'xstate.error.actor.saveConsent': [createRejectionCase(problems.offline, preparations.noStorage)],
    'xstate.error.actor.saveAppearance': [createRejectionCase(problems.offline, preparations.noStorage)],
  },
});

const createOwnedTitlesModel = (start: Pick<PathModel, 'startInstruction' | 'input'>): PathModel => ({
  name: 'ownedTitles',
  machine: ownedTitlesMachine,
  description: ownedTitlesDescription,
  cases: {
    'session.changed': sessionCases,
    'xstate.done.actor.ownedCopies': [
      describeCase(
        'a free one',
        { output: { 1011: 'own' } },
        'Get the title 1011, as the customer who is signed in at that step',
      ),
      describeCase(
        'one from the customer’s subscription',
        { output: { 1011: 'subscription' } },
        `${preparations.month}, press “Read” on the page of the title 1006, and look at that title`,
      ),
    ],
    'xstate.error.actor.ownedCopies': toRejectionCases(problems.offline),
  },
  ...start,
});

const savedLine = { titleId: '1001', savedAt: '2026-01-01T00:00:00.000Z' };

const createWishesModel = (start: Pick<PathModel, 'startInstruction' | 'input'>): PathModel => ({
  name: 'wishes',
  machine: wishesMachine,
  description: wishesDescription,
  cases: {
    'session.changed': sessionCases,
    'wish.toggled': [{ titleId: '1001' }],
    'xstate.done.actor.readWishes': [
      describeCase('one', { output: [savedLine] }, 'Save the title before, in another tab'),
      describeCase('none', { output: [] }, 'Remove all saved titles before'),
    ],
    'xstate.error.actor.readWishes': toRejectionCases(problems.offline),
    'xstate.done.actor.changeWishes': [
      describeCase('the title is saved', { output: [savedLine] }),
      describeCase('the title is not saved', { output: [] }),
    ],
    'xstate.error.actor.changeWishes': toRejectionCases(problems.offline),
  },
  ...start,
});

const createCartLinesModel = (start: Pick<PathModel, 'startInstruction' | 'input'>): PathModel => ({
  name: 'cartLines',
  machine: cartLinesMachine,
  description: cartLinesDescription,
  cases: {
    'session.changed': sessionCases,
    'title.added': [{ titleId: '1001' }],
    'title.removed': [{ titleId: '1001' }],
    'xstate.done.actor.readCart': [
      describeCase('one title', { output: [savedLine] }, 'Put the title into the cart before, in another tab'),
      describeCase('nothing', { output: [] }, 'Empty the cart before'),
    ],
    'xstate.error.actor.readCart': toRejectionCases(problems.offline),
    'xstate.done.actor.changeCart': [
      describeCase('the title is in the cart', { output: [savedLine] }),
      describeCase('the title is not in the cart', { output: [] }),
    ],
    'xstate.error.actor.changeCart': toRejectionCases(problems.offline),
  },
  ...start,
});

const createOwnCreditsModel = (start: Pick<PathModel, 'startInstruction' | 'input'>): PathModel => ({
  name: 'ownCredits',
  machine: ownCreditsMachine,
  description: ownCreditsDescription,
  cases: {
    'session.changed': sessionCases,
    'xstate.done.actor.creditBalance': [
      describeCase(
        'three credits',
        { output: { balance: 3, currency: 'Credits', accepted: true } },
        `${preparations.credits}, as the customer who is signed in at that step`,
      ),
      describeCase(
        'one credit',
        { output: { balance: 1, currency: 'Credits', accepted: true } },
        `${preparations.credits}, as the customer who is signed in at that step, and get the title 1005 for two`,
      ),
      describeCase('none', { output: { balance: 0, currency: '', accepted: true } }),
    ],
    'xstate.error.actor.creditBalance': toRejectionCases(problems.offline),
  },
  ...start,
});

export const models: PathModel[] = [
  createCartLinesModel({ startInstruction: 'As a visitor, open a title: /id:1001.', input: { signedIn: false } }),
  createCartLinesModel({ startInstruction: 'Signed in, open a title: /id:1001.', input: { signedIn: true } }),
  createOwnCreditsModel({ startInstruction: 'As a visitor, open /about.', input: { signedIn: false, takesCredits: true } }),
  createOwnCreditsModel({ startInstruction: 'Signed in, open /about.', input: { signedIn: true, takesCredits: true } }),
  createOwnCreditsModel({
    startInstruction: 'Signed in, open /about of a store without credits (EnableBuyWithCredits off).',
    input: { signedIn: true, takesCredits: false },
  }),
  createWishesModel({ startInstruction: 'As a visitor, open a title: /id:1001.', input: { signedIn: false } }),
  createWishesModel({ startInstruction: 'Signed in, open a title: /id:1001.', input: { signedIn: true } }),
  createOwnedTitlesModel({ startInstruction: 'As a visitor, open a free title: /id:1011.', input: { signedIn: false } }),
  createOwnedTitlesModel({ startInstruction: 'Signed in, open a free title: /id:1011.', input: { signedIn: true } }),
  createFrameModel({
    startInstruction: 'As a visitor, open / of a store with a cookie notice (ShowCookieConsent on).',
    store: { showCookieConsent: true },
  }),
  createFrameModel({
    startInstruction: 'As a customer, open / of a store without a cookie notice (ShowCookieConsent off).',
    signedIn: true,
  }),
  createFrameModel({
    startInstruction: 'Open / of a store that sells no subscriptions (EnableSubscription off).',
    store: { enableSubscription: false },
  }),
  {
    name: 'searchBox',
    machine: searchBoxMachine,
    description: searchBoxDescription,
    startInstruction: 'Open / and go to the search field.',
    cases: {
      'search.typed': [
        describeCase('“keeper”', { isEnough: true, pii: { typed: 'keeper' } }),
        describeCase('“k”', { isEnough: false, pii: { typed: 'k' } }),
      ],
      'suggestion.moved': [describeCase('Down', { by: 1 }), describeCase('Up', { by: -1 })],
      'suggestion.chosen': [{ path: suggestion.path }],
      'xstate.done.actor.suggestions': [
        describeCase('some', { output: [suggestion] }),
        describeCase('none', { output: [] }, 'Override `titles/suggestions` with the answer of the step'),
      ],
      'xstate.error.actor.suggestions': toRejectionCases(problems.offline),
    },
  },
];
