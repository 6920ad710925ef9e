import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { isFreeTitle } from '../../../machines/buying/purchase/context.ts';
import { isCartPurchase } from '../../../machines/buying/purchase/offer.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { AppliedCode } from '../../views/lazy/AppliedCode.tsx';
import { CartCode } from '../../views/lazy/CartCode.tsx';
import { CodeForm } from '../../views/lazy/CodeForm.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';

/** A field for a discount code, or the applied code with a button that removes it. */
export const CodeEntry = ({ actor }: PurchaseProps): ReactElement | null => {
  const { store } = useBrand();
  const purchase = usePurchase(actor);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  const { of, isReduced, withCredits, codeProblem: problem, fields } = purchase;
  if (withCredits || isFreeTitle(purchase)) return null;
  const formProps = { actor, fields, problem, busy };
  if (isCartPurchase(purchase)) return <CartCode {...formProps} isReduced={isReduced} />;
  const acceptsCodes = of === 'subscription' ? store.enableWebSubscriptionRedeem : store.enableWebTitleRedeem;
  if (!isReduced && !acceptsCodes) return null;
  return (
    <AppliedCode actor={actor} isReduced={isReduced} problem={problem}>
      <chakra.details css={{ '& summary': { cursor: 'pointer', minHeight: 12, alignContent: 'center', fontWeight: 600 } }}>
        <summary>
          <Trans>Have a code?</Trans>
        </summary>
        <chakra.div pt={2}>
          <CodeForm
            {...formProps}
            misfitText={
              of === 'subscription' ? (
                <Trans>This code can’t be used for this subscription.</Trans>
              ) : (
                <Trans>This code doesn’t apply to this title.</Trans>
              )
            }
          />
        </chakra.div>
      </chakra.details>
    </AppliedCode>
  );
};
