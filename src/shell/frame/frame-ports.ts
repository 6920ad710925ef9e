import * as v from 'valibot';
import type { EventObject } from 'xstate';
import { authorPath, categoryPath, searchPath, titlePath } from '../../../machines/model/paths.ts';
import { searchBoxMachine, type Suggestion } from '../../../machines/app/search-box.ts';
import { frameMachine } from '../../../machines/app/frame.ts';
import type { SubscriptionStatus } from '../../../machines/app/frame-setup.ts';
import type { Appearance } from '../../../machines/model/store/appearance.ts';
import type { StoreTheme } from '../../../machines/model/store/store.ts';
import { ownedTitlesMachine, type GrantFact, type OwnedCopies } from '../../../machines/app/owned-titles.ts';
import { cartLinesMachine, type CartFact } from '../../../machines/app/cart.ts';
import { ownCreditsMachine, type CreditsFact } from '../../../machines/app/own-credits.ts';
import { wishesMachine, type WishesFact } from '../../../machines/app/wish-list.ts';
import type { CartLine } from '../../../machines/model/buying/cart.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import type { Wish, WishChange } from '../../../machines/model/buying/wish-list.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { cart } from '../../client/cart/cart.ts';
import { creditBalance } from '../../client/subscription/credits.ts';
import { creditNews } from '../../client/subscription/credit-news.ts';
import { grants } from '../../client/library/grants.ts';
import { ownedCopies } from '../../client/library/owned-copies.ts';
import { subscriptionStatus } from '../../client/subscription/subscription.ts';
import { wishList } from '../../client/cart/wish-list.ts';
import { suggestions, type Found } from '../header/suggestions-call.ts';
import { storeTheme } from '../ports/theme-call.ts';
import { keepAppearance } from '../../storage/appearance.ts';
import { store, stored } from '../../storage/storage.ts';
import type { World } from '../app/world.ts';

const consent = 'colophon.cookies';

const pathOf = ({ kind, text, id }: Found): string => {
  if (kind === 'author') return authorPath(text);
  if (id === '') return searchPath(text);
  return kind === 'title' ? titlePath(id, text) : categoryPath({ id, name: text });
};

/** The frame's machine with its ports in a world. */
export const frame = ({ api, asVisitor, own }: World) => {
  const searchBox = searchBoxMachine.provide({
    actors: {
      suggestions: requestPort<Suggestion[], { pii: { typed: string } }>(async ({ input, signal }) =>
        (await asVisitor((api) => suggestions(api, input.pii.typed, signal))).map((found) => {
          const { kind, text, authors, medium, coverUrl } = found;
          return { kind, text, path: pathOf(found), title: kind === 'title' ? { authors, medium, coverUrl } : null };
        }),
      ),
    },
  });

  const ownedTitles = ownedTitlesMachine.provide({
    actors: {
      ownedCopies: requestPort<OwnedCopies>(async ({ signal }) => ownedCopies(await api(), signal)),
      grants: channelPort<EventObject, GrantFact>(({ sendBack }) => own(grants).on(() => sendBack({ type: 'title.granted' }))),
    },
  });

  const wishes = wishesMachine.provide({
    actors: {
      readWishes: requestPort<Wish[], { signedIn: boolean }>(async ({ input, signal }) =>
        own(wishList).read(input.signedIn, signal),
      ),
      changeWishes: requestPort<Wish[], { signedIn: boolean; changes: WishChange[] }>(async ({ input }) =>
        own(wishList).change(input),
      ),
      wishNews: channelPort<EventObject, WishesFact>(({ sendBack }) =>
        own(wishList).onChanged(() => sendBack({ type: 'wishes.changed' })),
      ),
    },
  });

  const cartLines = cartLinesMachine.provide({
    actors: {
      readCart: requestPort<CartLine[], { signedIn: boolean }>(async ({ input, signal }) =>
        own(cart).read(input.signedIn, signal),
      ),
      changeCart: requestPort<CartLine[], { signedIn: boolean; changes: WishChange[] }>(async ({ input }) =>
        own(cart).change(input),
      ),
      cartNews: channelPort<EventObject, CartFact>(({ sendBack }) =>
        own(cart).onChanged(() => sendBack({ type: 'cart.changed' })),
      ),
    },
  });

  const ownCredits = ownCreditsMachine.provide({
    actors: {
      creditBalance: requestPort<CreditBalance>(async ({ signal }) => creditBalance(await api(), signal)),
      creditNews: channelPort<EventObject, CreditsFact>(({ sendBack }) =>
        own(creditNews).on(() => sendBack({ type: 'credits.changed' })),
      ),
    },
  });

  return frameMachine.provide({
    actors: {
      searchBox,
      ownedTitles,
      wishes,
      cartLines,
      ownCredits,
      subscriptionStatus: requestPort<SubscriptionStatus>(async ({ signal }) => subscriptionStatus(await api(), signal)),
      storeTheme: requestPort<StoreTheme>(async ({ signal }) => asVisitor((api) => storeTheme(api, signal))),
      consent: safePort<boolean>(
        async () => stored(consent, v.boolean(), false),
        () => false,
      ),
      keepConsent: requestPort<null>(async () => {
        store(consent, true);
        return null;
      }),
      keepAppearance: requestPort<null, Appearance>(async ({ input }) => {
        keepAppearance(input);
        return null;
      }),
    },
  });
};
