import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { CartQuote } from '../../../machines/model/buying/cart.ts';
import { formatMoney } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { PriceTag } from '../../ui/PriceTag.tsx';
import { PriceByCode } from './PriceByCode.tsx';

const List = chakra('ul', {
  base: {
    listStyleType: 'none',
    '& > li': {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'baseline',
      justifyContent: 'space-between',
      columnGap: 6,
      py: 3,
      borderBottom: '1px solid',
      borderColor: 'line',
    },
  },
});

const Sum = chakra('p', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    justifyContent: 'space-between',
    columnGap: 6,
    pt: 4,
  },
});

/** `hasTotal` is false where tax is still added to the total. */
type Props = { quote: CartQuote; hasTotal: boolean };

/** The cart's titles with their prices, the discount of a code, and the total. */
export const CartSummary = ({ quote: { lines, total, off }, hasTotal }: Props): ReactElement | null => {
  const { i18n } = useLingui();
  if (total === null) return null;
  return (
    <div>
      <List>
        {lines.map(({ titleId, name, price, before }) =>
          price === null ? null : (
            <li key={titleId} data-line={titleId}>
              <chakra.span flex="1 1 12rem" overflowWrap="anywhere">
                {name}
              </chakra.span>
              <span>
                <PriceByCode price={price} before={before} />
              </span>
            </li>
          ),
        )}
      </List>
      {off === undefined ? null : (
        <Sum>
          <span>
            <Trans>Discount</Trans>
          </span>
          <PriceTag data-off>{formatMoney({ ...off, amount: -off.amount }, i18n.locale)}</PriceTag>
        </Sum>
      )}
      {hasTotal ? (
        <Sum>
          <span>
            <Trans>Total to pay</Trans>
          </span>
          <PriceTag size="lg">{formatMoney(total, i18n.locale)}</PriceTag>
        </Sum>
      ) : null}
    </div>
  );
};
