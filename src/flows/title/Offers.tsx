import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { Suspense, type ReactElement, type ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import { giftPath } from '../../../machines/model/purchase-paths.ts';
import { isFree } from '../../../machines/model/catalogue/price.ts';
import type { StoreProperties } from '../../../machines/model/store/store.ts';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { getCustomCreditName } from '../../brand/credits.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { useIsSignedIn } from '../../views/app-actor.ts';
import { useIsOwned } from '../../views/ownership.ts';
import { lazyWithFallback } from '../../views/lazy-with-fallback.ts';
import { useAppStores } from '../../views/use-app-stores.ts';
import { TextLink } from '../../ui/TextLink.tsx';

// Loaded on demand: few stores have their titles read in an app.
const AppLinks = lazyWithFallback(
  async () => (await import('../../views/AppLinks.tsx')).AppLinks,
  () => null,
);

/** The note that tax is added to the price; null for a title without such tax. */
export const TaxNote = ({ title }: { title: Title }): ReactElement | null => {
  const { store, showsPrices } = useBrand();
  if (!store.enableTax || !showsPrices || !title.forSale || isFree(title)) return null;
  return (
    <chakra.span color="inkMuted" fontSize="sm">
      <Trans>plus tax</Trans>
    </chakra.span>
  );
};

/** The note that the title can be paid for with credits, and how to get more of them. */
const CreditText = ({ store }: { store: StoreProperties }): ReactElement => {
  const { t } = useLingui();
  const currency = getCustomCreditName(store);
  return (
    <span>
      {/*
       * The store's text goes into a message without tags: a tag in the text would be parsed as a
       * tag of the message.
       */}
      {currency === '' ? t`You can also pay with credits.` : t`You can also pay with ${currency}.`}{' '}
      {store.enableSubscription && store.creditsPerRenewal > 0 ? (
        <Trans>
          <TextLink href="/subscription">A subscription</TextLink> brings more with each renewal.
        </Trans>
      ) : null}
    </span>
  );
};

const Line = ({ children }: { children: ReactNode }): ReactElement => (
  <chakra.li display="flex" flexWrap="wrap" columnGap={4}>
    {children}
  </chakra.li>
);

/** Other ways to a title: an app, an account, credits, a subscription, a gift, or a code. */
export const Offers = ({ actor, title }: { actor: ActorRefFrom<typeof titleMachine>; title: Title }): ReactElement => {
  const isIncluded = useSelector(actor, ({ context }) => context.withSubscription);
  const { store, readsHere, sellsTitles } = useBrand();
  const hasApp = useAppStores().length > 0;
  const isVisitor = !useIsSignedIn();
  const isOwned = useIsOwned(title.id);
  const isSold = sellsTitles && title.forSale && !isFree(title);
  return (
    <chakra.ul display="grid" gap={2} listStyleType="none" fontSize="sm" color="inkMuted">
      {readsHere ? null : (
        <Line>
          {!hasApp ? (
            <Trans>Read and play it in the shop’s app. It can’t be opened in a browser.</Trans>
          ) : (
            <>
              <Trans>Read and play it in the app:</Trans>{' '}
              <Suspense>
                <AppLinks />
              </Suspense>
            </>
          )}
        </Line>
      )}
      {isVisitor && readsHere && title.hasSample ? (
        <Line>
          <Trans>You need a free account for the sample.</Trans>
        </Line>
      ) : null}
      {isSold && !isOwned && store.enableBuyWithCredits && title.credits !== undefined ? (
        <Line>
          <CreditText store={store} />
        </Line>
      ) : null}
      {title.inSubscription === true && !isOwned && !isIncluded && store.enableSubscription ? (
        <Line>
          <span>
            <Trans>
              Included in a subscription: <TextLink href="/subscription">See subscriptions</TextLink>
            </Trans>
          </span>
        </Line>
      ) : null}
      {sellsTitles && title.forSale && store.enableGiftingTitle ? (
        <Line>
          <TextLink href={giftPath(title.id)}>
            <Trans>Give as a gift</Trans>
          </TextLink>
        </Line>
      ) : null}
      {isSold && !isOwned && store.enableWebTitleRedeem ? (
        <Line>
          <TextLink href="/redeem">
            <Trans>Redeem a code</Trans>
          </TextLink>
        </Line>
      ) : null}
    </chakra.ul>
  );
};
