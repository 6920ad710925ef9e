import type { EventObject, NonReducibleUnknown } from 'xstate';
import { ownedTitlesMachine, type GrantFact, type OwnedCopies } from '../../../machines/app/owned-titles.ts';
import { ownershipChanged } from '../../../src/client/library/ownership-changed.ts';
import { searchBoxMachine, type Suggestion } from '../../../machines/app/search-box.ts';
import { frameMachine } from '../../../machines/app/frame.ts';
import type { SubscriptionStatus } from '../../../machines/app/frame-setup.ts';
import type { Appearance } from '../../../machines/model/store/appearance.ts';
import type { StoreTheme } from '../../../machines/model/store/store.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { cartLinesMachine, type CartFact } from '../../../machines/app/cart.ts';
import { ownCreditsMachine, type CreditsFact } from '../../../machines/app/own-credits.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { creditsChanged } from '../../../src/client/subscription/credits-changed.ts';
import type { Scoped } from '../../../src/client/environment/scope.ts';
import type { CartLine } from '../../../machines/model/buying/cart.ts';
import { AccountMenu } from '../../../src/shell/header/AccountMenu.tsx';
import { CartLink } from '../../../src/shell/header/CartLink.tsx';
import { CreditsLink } from '../../../src/shell/header/CreditsLink.tsx';
import { LookMenu } from '../../../src/shell/header/LookMenu.tsx';
import { wishesMachine, type WishesFact } from '../../../machines/app/wish-list.ts';
import type { Wish, WishChange } from '../../../machines/model/buying/wish-list.ts';
import { LazyWishButton } from '../../../src/shell/frame/LazyWishButton.tsx';
import { Notices } from '../../../src/shell/frame/Notices.tsx';
import { registerWishButton } from '../../../src/views/WishButton.tsx';
import { LookSelects } from '../../../src/shell/header/LookSelects.tsx';
import { searchProps } from '../../../src/shell/header/search-props.ts';
import { Suggestions } from '../../../src/shell/header/Suggestions.tsx';
import { registerFrameComponents } from '../../../src/shell/frame/use-frame.ts';
import { resolvesTo } from './world.ts';

/** Answers that a test may replace for the frame. */
export type FrameAnswers = {
  subscriptionStatus?: () => Promise<SubscriptionStatus>;
  theme?: () => Promise<StoreTheme>;
  consent?: () => Promise<boolean>;
  saveConsent?: () => Promise<null>;
  saveAppearance?: (look: Appearance) => Promise<null>;
  ownedCopies?: () => Promise<OwnedCopies>;
  wishes?: (input: { signedIn: boolean }) => Promise<Wish[]>;
  changeWishes?: (input: { signedIn: boolean; changes: WishChange[] }) => Promise<Wish[]>;
  cart?: (input: { signedIn: boolean }) => Promise<CartLine[]>;
  changeCart?: (input: { signedIn: boolean; changes: WishChange[] }) => Promise<CartLine[]>;
  credits?: () => Promise<CreditBalance>;
  suggestions?: (input: { pii: { typed: string } }) => Promise<Suggestion[]>;
};

const createRequestPort = <Output, Input extends NonReducibleUnknown = undefined>(request: (input: Input) => Promise<Output>) =>
  requestPort<Output, Input>(({ input }) => request(input));

/** The frame's machine, with ports that answer at once and its lazy components loaded. */
export const createFrame = (answers: FrameAnswers, { scoped }: Scoped<object>) => {
  registerFrameComponents({ AccountMenu, CartLink, CreditsLink, LookMenu, LookSelects, Notices, Suggestions, searchProps });
  registerWishButton(LazyWishButton);
  return frameMachine.provide({
    actors: {
      searchBox: searchBoxMachine.provide({ actors: { suggestions: createRequestPort(answers.suggestions ?? resolvesTo([])) } }),
      ownedTitles: ownedTitlesMachine.provide({
        actors: {
          ownedCopies: createRequestPort(answers.ownedCopies ?? resolvesTo({})),
          ownershipSignals: channelPort<EventObject, GrantFact>(({ sendBack }) =>
            scoped(ownershipChanged).subscribe(() => sendBack({ type: 'title.granted' })),
          ),
        },
      }),
      ownCredits: ownCreditsMachine.provide({
        actors: {
          creditBalance: createRequestPort(answers.credits ?? resolvesTo({ balance: 0, currency: '', accepted: true })),
          creditSignals: channelPort<EventObject, CreditsFact>(({ sendBack }) =>
            scoped(creditsChanged).subscribe(() => sendBack({ type: 'credits.changed' })),
          ),
        },
      }),
      wishes: wishesMachine.provide({
        actors: {
          readWishes: createRequestPort(answers.wishes ?? resolvesTo([])),
          changeWishes: createRequestPort(answers.changeWishes ?? resolvesTo([])),
          wishListSignals: channelPort<EventObject, WishesFact>(() => {}),
        },
      }),
      cartLines: cartLinesMachine.provide({
        actors: {
          readCart: createRequestPort(answers.cart ?? resolvesTo([])),
          changeCart: createRequestPort(answers.changeCart ?? resolvesTo([])),
          cartSignals: channelPort<EventObject, CartFact>(() => {}),
        },
      }),
      subscriptionStatus: createRequestPort(answers.subscriptionStatus ?? resolvesTo({ subscribed: false, data: null })),
      storeTheme: createRequestPort(answers.theme ?? resolvesTo({})),
      consent: safePort(answers.consent ?? resolvesTo(false), () => false),
      saveConsent: createRequestPort(answers.saveConsent ?? resolvesTo(null)),
      saveAppearance: createRequestPort(answers.saveAppearance ?? resolvesTo(null)),
    },
  });
};
