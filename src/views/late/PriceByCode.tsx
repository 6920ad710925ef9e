import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { money, priceText } from '../../brand/format.ts';
import type { Price } from '../../../machines/model/catalogue/title.ts';
import { PriceTag } from '../../ui/PriceTag.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';

/** A price, and where a code makes it lower, what it is without the code. */
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
            {money(before, i18n.locale)}
          </PriceTag>
          <VisuallyHidden>
            <Trans>With it:</Trans>{' '}
          </VisuallyHidden>
        </>
      )}
      <PriceTag>{priceText(price, i18n.locale, t`Free`)}</PriceTag>
    </>
  );
};
