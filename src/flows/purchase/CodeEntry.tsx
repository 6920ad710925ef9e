import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { costsNothing } from '../../../machines/buying/purchase/context.ts';
import { isOfCart } from '../../../machines/buying/purchase/offer.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { AppliedCode } from '../../views/late/AppliedCode.tsx';
import { CartCode } from '../../views/late/CartCode.tsx';
import { CodeForm } from '../../views/late/CodeForm.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';

/** A code that makes it cheaper: typed here, or taken back. */
export const CodeEntry = ({ actor }: PurchaseProps): ReactElement | null => {
  const { store } = useBrand();
  const purchase = usePurchase(actor);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  const { of, isReduced, withCredits, codeProblem: problem, fields } = purchase;
  if (withCredits || costsNothing(purchase)) return null;
  const form = { actor, fields, problem, busy };
  if (isOfCart(purchase)) return <CartCode {...form} isOff={isReduced} />;
  const accepts = of === 'subscription' ? store.enableWebSubscriptionRedeem : store.enableWebTitleRedeem;
  if (!isReduced && !accepts) return null;
  return (
    <AppliedCode actor={actor} isOff={isReduced} problem={problem}>
      <chakra.details css={{ '& summary': { cursor: 'pointer', minHeight: 12, alignContent: 'center', fontWeight: 600 } }}>
        <summary>
          <Trans>Have a code?</Trans>
        </summary>
        <chakra.div pt={2}>
          <CodeForm
            {...form}
            misfit={
              of === 'subscription' ? (
                <Trans>This code can’t be used for this subscription.</Trans>
              ) : (
                <Trans>This code takes nothing off this title.</Trans>
              )
            }
          />
        </chakra.div>
      </chakra.details>
    </AppliedCode>
  );
};
