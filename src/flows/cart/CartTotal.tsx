import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { getPayableIds, type CartQuote } from '../../../machines/model/buying/cart.ts';
import { formatMoney } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { PriceTag } from '../../ui/PriceTag.tsx';

/** The cart's total, or a note that there is nothing to pay; announced after each change. */
export const CartTotal = ({ quote }: { quote: CartQuote }): ReactElement => {
  const { i18n } = useLingui();
  const { total } = quote;
  return (
    <chakra.div role="status" display="flex" flexWrap="wrap" alignItems="baseline" justifyContent="space-between" columnGap={6}>
      {total === null ? (
        <chakra.p color="inkMuted">
          <Trans>There’s nothing to pay for in your cart.</Trans>
        </chakra.p>
      ) : (
        <>
          <chakra.span color="inkMuted">
            <Plural value={getPayableIds(quote).length} one="Total for # title" other="Total for # titles" />
          </chakra.span>
          <PriceTag size="lg">{formatMoney(total, i18n.locale)}</PriceTag>
        </>
      )}
    </chakra.div>
  );
};
