import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { StoreProperties } from '../../../machines/model/store.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { SupportMail } from '../../views/SupportMail.tsx';

/** What codes are good for in this store. */
const grants = ({ enableWebTitleRedeem, enableWebSubscriptionRedeem }: StoreProperties): ReactElement => {
  if (enableWebTitleRedeem && enableWebSubscriptionRedeem) return <Trans>A code can give you titles, or a subscription.</Trans>;
  if (enableWebTitleRedeem) return <Trans>A code can give you titles.</Trans>;
  if (enableWebSubscriptionRedeem) return <Trans>A code can give you a subscription.</Trans>;
  return <Trans>This shop takes no codes.</Trans>;
};

/** What a code is for; one that the address holds is left alone. */
export const Redeem = ({ hasCode }: { hasCode: boolean }): ReactElement => {
  const { store } = useBrand();
  return (
    <chakra.div display="grid" gap={3}>
      <p>{grants(store)}</p>
      {hasCode ? (
        <p>
          <Trans>Your code has not been used: opening this page changes nothing.</Trans>
        </p>
      ) : null}
      <p>
        <Trans>Do you have a question about a code?</Trans> <SupportMail />
      </p>
    </chakra.div>
  );
};
