import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { isFree } from '../../../machines/model/price.ts';
import type { Price, TitleSummary } from '../../../machines/model/title.ts';
import { money, names } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';
import { PriceTag } from '../../ui/PriceTag.tsx';

/** The title that is given, and what it costs. */
export const GiftTitle = ({ title, price }: { title: TitleSummary; price: Price | null }): ReactElement => {
  const { t, i18n } = useLingui();
  return (
    <chakra.div display="grid" gridTemplateColumns="4.5rem minmax(0, 1fr)" gap={4} alignItems="start" overflowWrap="anywhere">
      <Cover cover={title.cover} name={title.name} priority="eager" sizes="72px" />
      <div>
        <chakra.h2 fontSize="lg">{title.name}</chakra.h2>
        {title.authors.length === 0 ? null : (
          <chakra.p fontSize="sm" color="inkMuted">
            {names(title.authors, i18n.locale)}
          </chakra.p>
        )}
        <chakra.p mt={2}>
          {isFree(title) ? (
            <PriceTag tone="free">{t`Free`}</PriceTag>
          ) : price === null ? null : (
            <PriceTag>{money(price, i18n.locale)}</PriceTag>
          )}
        </chakra.p>
      </div>
    </chakra.div>
  );
};
