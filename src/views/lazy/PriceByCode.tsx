import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { formatMoney, formatPrice } from '../../brand/format.ts';
import type { Price } from '../../../machines/model/catalogue/title.ts';
import { PriceTag } from '../../ui/PriceTag.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';

/** A price; if a code reduces it, with the price without the code. */
export const PriceByCode = ({ price, before }: { price: Price; before?: Price | undefined }): ReactElement => {
  const { t, i18n } = useLingui();
  return (
    <>
      {before === undefined ? null : (
        <>
          <VisuallyHidden>
            <Trans>Without the code:</Trans>{' '}
          </VisuallyHidden>
          <PriceTag as="s" tone="muted" mr={2}>
            {formatMoney(before, i18n.locale)}
          </PriceTag>
          <VisuallyHidden>
            <Trans>With the code:</Trans>{' '}
          </VisuallyHidden>
        </>
      )}
      <PriceTag>{formatPrice(price, i18n.locale, t`Free`)}</PriceTag>
    </>
  );
};
