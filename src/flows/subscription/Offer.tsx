import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Sheet } from '../../ui/Page.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { StoreText } from '../../views/StoreText.tsx';

/** What a subscription brings, in the store's own words. */
export const Offer = (): ReactElement | null => {
  const { t } = useLingui();
  const { subscriptionMessageHtml, creditsPerRenewal, creditCurrency, enableWebSubscriptionRedeem } = useBrand().store;
  const brings = creditsPerRenewal > 0;
  if (subscriptionMessageHtml === '' && !brings && !enableWebSubscriptionRedeem) return null;
  return (
    <Sheet display="grid" gap={4}>
      {subscriptionMessageHtml === '' ? null : <StoreText text={subscriptionMessageHtml} />}
      {brings ? (
        <p>
          {creditCurrency === '' ? (
            <Plural value={creditsPerRenewal} one="Each renewal brings # credit." other="Each renewal brings # credits." />
          ) : (
            // The store's word stands in a text without tags: one in it would be taken for one of the message's.
            t`Each renewal brings ${creditsPerRenewal} ${creditCurrency}.`
          )}
        </p>
      ) : null}
      {enableWebSubscriptionRedeem ? (
        <chakra.p>
          <Trans>
            Do you have a code for a subscription? <TextLink href="/redeem">Redeem a code</TextLink>
          </Trans>
        </chakra.p>
      ) : null}
    </Sheet>
  );
};
