import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { isFree } from '../../../machines/model/catalogue/price.ts';
import type { Price, TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatMoney, joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';
import { PriceTag } from '../../ui/PriceTag.tsx';
import { useCreditsText } from '../../views/lazy/credits-text.ts';

type Props = { title: TitleSummary; price: Price | null; credits: number | null };

/** The gift's title and its price, in money and, where possible, in credits. */
export const GiftTitle = ({ title, price, credits }: Props): ReactElement => {
  const { t, i18n } = useLingui();
  const { store } = useBrand();
  const creditsText = useCreditsText();
  const inCredits =
    credits !== null && store.enableBuyWithCredits ? creditsText({ amount: credits, currency: store.creditCurrency }) : '';
  return (
    <chakra.div display="grid" gridTemplateColumns="4.5rem minmax(0, 1fr)" gap={4} alignItems="start" overflowWrap="anywhere">
      <Cover cover={title.cover} name={title.name} priority="eager" sizes="72px" />
      <div>
        <chakra.h2 fontSize="lg">{title.name}</chakra.h2>
        {title.authors.length === 0 ? null : (
          <chakra.p fontSize="sm" color="inkMuted">
            {joinNames(title.authors, i18n.locale)}
          </chakra.p>
        )}
        <chakra.p mt={2}>
          {isFree(title) ? (
            <PriceTag tone="free">{t`Free`}</PriceTag>
          ) : price === null ? null : (
            <PriceTag>{formatMoney(price, i18n.locale)}</PriceTag>
          )}
          {inCredits === '' ? null : <chakra.span color="inkMuted"> {t`or ${inCredits}`}</chakra.span>}
        </chakra.p>
      </div>
    </chakra.div>
  );
};
