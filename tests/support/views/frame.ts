import type { EventObject, NonReducibleUnknown } from 'xstate';
import { ownedTitlesMachine, type GrantFact, type OwnedCopies } from '../../../machines/app/owned-titles.ts';
import { grants } from '../../../src/client/library/grants.ts';
import { searchBoxMachine, type Suggestion } from '../../../machines/app/search-box.ts';
import { frameMachine } from '../../../machines/app/frame.ts';
import type { SubscriptionStatus } from '../../../machines/app/frame-setup.ts';
import type { Appearance } from '../../../machines/model/store/appearance.ts';
import type { StoreTheme } from '../../../machines/model/store/store.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { cartLinesMachine, type CartFact } from '../../../machines/app/cart.ts';
import { ownCreditsMachine, type CreditsFact } from '../../../machines/app/own-credits.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { creditNews } from '../../../src/client/subscription/credit-news.ts';
import type { Own } from '../../../src/client/world/own.ts';
import type { CartLine } from '../../../machines/model/buying/cart.ts';
import { AccountMenu } from '../../../src/shell/header/AccountMenu.tsx';
import { CartLink } from '../../../src/shell/header/CartLink.tsx';
import { CreditsLink } from '../../../src/shell/header/CreditsLink.tsx';
import { LookMenu } from '../../../src/shell/header/LookMenu.tsx';
import { wishesMachine, type WishesFact } from '../../../machines/app/wish-list.ts';
import type { Wish, WishChange } from '../../../machines/model/buying/wish-list.ts';
import { LateWishButton } from '../../../src/shell/frame/LateWishButton.tsx';
import { Notices } from '../../../src/shell/frame/Notices.tsx';
import { keepWishButton } from '../../../src/views/WishButton.tsx';
import { LookSelects } from '../../../src/shell/header/LookSelects.tsx';
import { searchProps } from '../../../src/shell/header/search-props.ts';
import { Suggestions } from '../../../src/shell/header/Suggestions.tsx';
import { keepFrameComponents } from '../../../src/shell/frame/use-frame.ts';
import { gives } from './world.ts';

/** What a test may answer to the frame in the world's stead. */
export type FrameWorld = {
  subscribed?: () => Promise<SubscriptionStatus>;
  theme?: () => Promise<StoreTheme>;
  consent?: () => Promise<boolean>;
  keepConsent?: () => Promise<null>;
  keepAppearance?: (look: Appearance) => Promise<null>;
  owned?: () => Promise<OwnedCopies>;
  wishes?: (input: { signedIn: boolean }) => Promise<Wish[]>;
  changeWishes?: (input: { signedIn: boolean; changes: WishChange[] }) => Promise<Wish[]>;
  cart?: (input: { signedIn: boolean }) => Promise<CartLine[]>;
  changeCart?: (input: { signedIn: boolean; changes: WishChange[] }) => Promise<CartLine[]>;
  credits?: () => Promise<CreditBalance>;
  suggestions?: (input: { pii: { typed: string } }) => Promise<Suggestion[]>;
};

const asking = <Output, Input extends NonReducibleUnknown = undefined>(ask: (input: Input) => Promise<Output>) =>
  requestPort<Output, Input>(({ input }) => ask(input));

/** The frame in a world that answers at once; its components are there. */
export const frameOf = (world: FrameWorld, { own }: Own<object>) => {
  keepFrameComponents({ AccountMenu, CartLink, CreditsLink, LookMenu, LookSelects, Notices, Suggestions, searchProps });
  keepWishButton(LateWishButton);
  return frameMachine.provide({
    actors: {
      searchBox: searchBoxMachine.provide({ actors: { suggestions: asking(world.suggestions ?? gives([])) } }),
      ownedTitles: ownedTitlesMachine.provide({
        actors: {
          ownedCopies: asking(world.owned ?? gives({})),
          grants: channelPort<EventObject, GrantFact>(({ sendBack }) =>
            own(grants).on(() => sendBack({ type: 'title.granted' })),
          ),
        },
      }),
      ownCredits: ownCreditsMachine.provide({
        actors: {
          creditBalance: asking(world.credits ?? gives({ balance: 0, currency: '', accepted: true })),
          creditNews: channelPort<EventObject, CreditsFact>(({ sendBack }) =>
            own(creditNews).on(() => sendBack({ type: 'credits.changed' })),
          ),
        },
      }),
      wishes: wishesMachine.provide({
        actors: {
          readWishes: asking(world.wishes ?? gives([])),
          changeWishes: asking(world.changeWishes ?? gives([])),
          wishNews: channelPort<EventObject, WishesFact>(() => {}),
        },
      }),
      cartLines: cartLinesMachine.provide({
        actors: {
          readCart: asking(world.cart ?? gives([])),
          changeCart: asking(world.changeCart ?? gives([])),
          cartNews: channelPort<EventObject, CartFact>(() => {}),
        },
      }),
      subscriptionStatus: asking(world.subscribed ?? gives({ subscribed: false, data: null })),
      storeTheme: asking(world.theme ?? gives({})),
      consent: safePort(world.consent ?? gives(false), () => false),
      keepConsent: asking(world.keepConsent ?? gives(null)),
      keepAppearance: asking(world.keepAppearance ?? gives(null)),
    },
  });
};
