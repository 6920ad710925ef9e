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
import { fetchCreditBalance } from '../../client/subscription/credits.ts';
import { creditsChanged } from '../../client/subscription/credits-changed.ts';
import { ownershipChanged } from '../../client/library/ownership-changed.ts';
import { fetchOwnedCopies } from '../../client/library/owned-copies.ts';
import { fetchSubscriptionStatus } from '../../client/subscription/subscription.ts';
import { wishList } from '../../client/cart/wish-list.ts';
import { fetchSuggestions, type SuggestionItem } from '../header/suggestions-call.ts';
import { fetchStoreTheme } from '../ports/theme-call.ts';
import { saveAppearance } from '../../storage/appearance.ts';
import { writeItem, readItem } from '../../storage/storage.ts';
import type { AppEnvironment } from '../app/environment.ts';

const consentKey = 'colophon.cookies';

const toSuggestionPath = ({ kind, text, id }: SuggestionItem): string => {
  if (kind === 'author') return authorPath(text);
  if (id === '') return searchPath(text);
  return kind === 'title' ? titlePath(id, text) : categoryPath({ id, name: text });
};

/** The frame's machine with its ports provided from an environment. */
export const createFrame = ({ api, asVisitor, scoped }: AppEnvironment) => {
  const searchBox = searchBoxMachine.provide({
    actors: {
      suggestions: requestPort<Suggestion[], { pii: { typed: string } }>(async ({ input, signal }) =>
        (await asVisitor((api) => fetchSuggestions(api, input.pii.typed, signal))).map((suggestion) => {
          const { kind, text, authors, medium, coverUrl } = suggestion;
          return {
            kind,
            text,
            path: toSuggestionPath(suggestion),
            title: kind === 'title' ? { authors, medium, coverUrl } : null,
          };
        }),
      ),
    },
  });

  const ownedTitles = ownedTitlesMachine.provide({
    actors: {
      ownedCopies: requestPort<OwnedCopies>(async ({ signal }) => fetchOwnedCopies(await api(), signal)),
      ownershipSignals: channelPort<EventObject, GrantFact>(({ sendBack }) =>
        scoped(ownershipChanged).subscribe(() => sendBack({ type: 'title.granted' })),
      ),
    },
  });

  const wishes = wishesMachine.provide({
    actors: {
      readWishes: requestPort<Wish[], { signedIn: boolean }>(async ({ input, signal }) =>
        scoped(wishList).read(input.signedIn, signal),
      ),
      changeWishes: requestPort<Wish[], { signedIn: boolean; changes: WishChange[] }>(async ({ input }) =>
        scoped(wishList).change(input),
      ),
      wishListSignals: channelPort<EventObject, WishesFact>(({ sendBack }) =>
        scoped(wishList).onChanged(() => sendBack({ type: 'wishes.changed' })),
      ),
    },
  });

  const cartLines = cartLinesMachine.provide({
    actors: {
      readCart: requestPort<CartLine[], { signedIn: boolean }>(async ({ input, signal }) =>
        scoped(cart).read(input.signedIn, signal),
      ),
      changeCart: requestPort<CartLine[], { signedIn: boolean; changes: WishChange[] }>(async ({ input }) =>
        scoped(cart).change(input),
      ),
      cartSignals: channelPort<EventObject, CartFact>(({ sendBack }) =>
        scoped(cart).onChanged(() => sendBack({ type: 'cart.changed' })),
      ),
    },
  });

  const ownCredits = ownCreditsMachine.provide({
    actors: {
      creditBalance: requestPort<CreditBalance>(async ({ signal }) => fetchCreditBalance(await api(), signal)),
      creditSignals: channelPort<EventObject, CreditsFact>(({ sendBack }) =>
        scoped(creditsChanged).subscribe(() => sendBack({ type: 'credits.changed' })),
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
      subscriptionStatus: requestPort<SubscriptionStatus>(async ({ signal }) => fetchSubscriptionStatus(await api(), signal)),
      storeTheme: requestPort<StoreTheme>(async ({ signal }) => asVisitor((api) => fetchStoreTheme(api, signal))),
      consent: safePort<boolean>(
        async () => readItem(consentKey, v.boolean(), false),
        () => false,
      ),
      saveConsent: requestPort<null>(async () => {
        writeItem(consentKey, true);
        return null;
      }),
      saveAppearance: requestPort<null, Appearance>(async ({ input }) => {
        saveAppearance(input);
        return null;
      }),
    },
  });
};
