import { cartLinesMachine } from '../../../app/cart.ts';
import { ownCreditsMachine } from '../../../app/own-credits.ts';
import { wishesMachine } from '../../../app/wish-list.ts';
import { searchBoxMachine } from '../../../app/search-box.ts';
import { ownedTitlesMachine } from '../../../app/owned-titles.ts';
import { frameMachine } from '../../../app/frame.ts';
import { usualAppearance } from '../../../model/store/appearance.ts';
import { problems, rejected, rejections, sessions, store, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import {
  cartLinesDescription,
  ownCreditsDescription,
  ownedTitlesDescription,
  searchBoxDescription,
  wishesDescription,
  frameDescription,
} from './descriptions.ts';
import { described } from '../../description.ts';

const suggestion = {
  kind: 'title' as const,
  text: 'The Keeper’s Third Log',
  path: '/id:1001/The-Keeper’s-Third-Log',
  title: { authors: ['Ines Aldous'], medium: 'epub' as const, coverUrl: '' },
};

const frame = (part: Pick<PathModel, 'given'> & { store?: object; signedIn?: boolean }): PathModel => ({
  name: 'frame',
  machine: frameMachine,
  description: frameDescription,
  given: part.given,
  input: { store: { ...store, ...part.store }, signedIn: part.signedIn ?? false, appearance: usualAppearance },
  cases: {
    'session.changed': sessions,
    go: [{ to: suggestion.path, replace: false }],
    'look.chosen': [described('Night', { appearance: { ...usualAppearance, background: 'night' } })],
    'xstate.done.actor.subscriptionStatus': [
      described(
        'they have',
        { output: { subscribed: true, data: 'p1' } },
        `${preparations.month}, as the customer who is signed in then`,
      ),
      described('they have not', { output: { subscribed: false, data: null } }, 'Sign in as a customer who has not subscribed'),
    ],
    'xstate.error.actor.subscriptionStatus': rejections(problems.offline),
    'xstate.done.actor.storeTheme': [{ output: { footer: '#222222' } }],
    'xstate.error.actor.storeTheme': rejections(problems.offline),
    'xstate.done.actor.consent': [
      described('the notice has been seen', { output: true }, 'Press “Got it” in the notice, in this browser'),
      described('the notice has not been seen', { output: false }, 'Take a new browser profile'),
    ],
    'xstate.error.actor.keepConsent': [rejected(problems.offline, preparations.noStorage)],
    'xstate.error.actor.keepAppearance': [rejected(problems.offline, preparations.noStorage)],
  },
});

const owned = (part: Pick<PathModel, 'given' | 'input'>): PathModel => ({
  name: 'ownedTitles',
  machine: ownedTitlesMachine,
  description: ownedTitlesDescription,
  cases: {
    'session.changed': sessions,
    'xstate.done.actor.ownedCopies': [
      described('a free one', { output: { 1011: 'own' } }, 'Get the title 1011, as the customer who is signed in then'),
      described(
        'one that their subscription opens',
        { output: { 1011: 'subscription' } },
        `${preparations.month}, press “Read” on the page of the title 1006, and look at that one`,
      ),
    ],
    'xstate.error.actor.ownedCopies': rejections(problems.offline),
  },
  ...part,
});

const wish = { titleId: '1001', savedAt: '2026-01-01T00:00:00.000Z' };

const wishes = (part: Pick<PathModel, 'given' | 'input'>): PathModel => ({
  name: 'wishes',
  machine: wishesMachine,
  description: wishesDescription,
  cases: {
    'session.changed': sessions,
    'wish.toggled': [{ titleId: '1001' }],
    'xstate.done.actor.readWishes': [
      described('one', { output: [wish] }, 'Have the title saved by then, from another tab'),
      described('none', { output: [] }, 'Have no title saved by then'),
    ],
    'xstate.error.actor.readWishes': rejections(problems.offline),
    'xstate.done.actor.changeWishes': [
      described('the title is saved', { output: [wish] }),
      described('it is not', { output: [] }),
    ],
    'xstate.error.actor.changeWishes': rejections(problems.offline),
  },
  ...part,
});

const cartLines = (part: Pick<PathModel, 'given' | 'input'>): PathModel => ({
  name: 'cartLines',
  machine: cartLinesMachine,
  description: cartLinesDescription,
  cases: {
    'session.changed': sessions,
    'title.added': [{ titleId: '1001' }],
    'title.removed': [{ titleId: '1001' }],
    'xstate.done.actor.readCart': [
      described('one title', { output: [wish] }, 'Have the title in the cart by then, from another tab'),
      described('nothing', { output: [] }, 'Have nothing in the cart by then'),
    ],
    'xstate.error.actor.readCart': rejections(problems.offline),
    'xstate.done.actor.changeCart': [described('the title is in it', { output: [wish] }), described('it is not', { output: [] })],
    'xstate.error.actor.changeCart': rejections(problems.offline),
  },
  ...part,
});

const ownCredits = (part: Pick<PathModel, 'given' | 'input'>): PathModel => ({
  name: 'ownCredits',
  machine: ownCreditsMachine,
  description: ownCreditsDescription,
  cases: {
    'session.changed': sessions,
    'xstate.done.actor.creditBalance': [
      described(
        'three credits',
        { output: { balance: 3, currency: 'Credits', accepted: true } },
        `${preparations.credits}, as the customer who is signed in then`,
      ),
      described(
        'one credit',
        { output: { balance: 1, currency: 'Credits', accepted: true } },
        `${preparations.credits}, as the customer who is signed in then, and get the title 1005 for two`,
      ),
      described('none', { output: { balance: 0, currency: '', accepted: true } }),
    ],
    'xstate.error.actor.creditBalance': rejections(problems.offline),
  },
  ...part,
});

export const models: PathModel[] = [
  cartLines({ given: 'As a visitor, open a title: /id:1001.', input: { signedIn: false } }),
  cartLines({ given: 'Signed in, open a title: /id:1001.', input: { signedIn: true } }),
  ownCredits({ given: 'As a visitor, open /about.', input: { signedIn: false, takesCredits: true } }),
  ownCredits({ given: 'Signed in, open /about.', input: { signedIn: true, takesCredits: true } }),
  ownCredits({
    given: 'Signed in, open /about of a store without credits (EnableBuyWithCredits off).',
    input: { signedIn: true, takesCredits: false },
  }),
  wishes({ given: 'As a visitor, open a title: /id:1001.', input: { signedIn: false } }),
  wishes({ given: 'Signed in, open a title: /id:1001.', input: { signedIn: true } }),
  owned({ given: 'As a visitor, open a free title: /id:1011.', input: { signedIn: false } }),
  owned({ given: 'Signed in, open a free title: /id:1011.', input: { signedIn: true } }),
  frame({
    given: 'As a visitor, open / of a store with a notice of cookies (ShowCookieConsent on).',
    store: { showCookieConsent: true },
  }),
  frame({ given: 'As a customer, open / of a store without a notice of cookies (ShowCookieConsent off).', signedIn: true }),
  frame({
    given: 'Open / of a store that sells no subscriptions (EnableSubscription off).',
    store: { enableSubscription: false },
  }),
  {
    name: 'searchBox',
    machine: searchBoxMachine,
    description: searchBoxDescription,
    given: 'Open / and go to the search field.',
    cases: {
      'search.typed': [
        described('“keeper”', { isEnough: true, pii: { typed: 'keeper' } }),
        described('“k”', { isEnough: false, pii: { typed: 'k' } }),
      ],
      'suggestion.moved': [described('Down', { by: 1 }), described('Up', { by: -1 })],
      'suggestion.chosen': [{ path: suggestion.path }],
      'xstate.done.actor.suggestions': [
        described('there are some', { output: [suggestion] }),
        described('there are none', { output: [] }, 'Override `titles/suggestions` with the answer of the step'),
      ],
      'xstate.error.actor.suggestions': rejections(problems.offline),
    },
  },
];
