import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import { isFree } from '../../../machines/model/catalogue/price.ts';
import type { Tax } from '../../../machines/model/buying/tax.ts';
import type { Price, TitleSummary, TitleType } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatMoney, joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { PriceTag } from '../../ui/PriceTag.tsx';
import { usePrice } from '../../views/use-price.ts';

const usageTexts: Record<TitleType, ReactElement> = {
  ebook: <Trans>Read in your browser, on any of your devices</Trans>,
  audio: <Trans>Listen in your browser, on any of your devices</Trans>,
  video: <Trans>Watch in your browser, on any of your devices</Trans>,
  interactive: <Trans>Play in your browser, on any of your devices</Trans>,
};

const Layout = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'clamp(5.5rem, 30%, 10rem) minmax(0, 1fr)',
    gap: 'clamp(1.25rem, 4vw, 2rem)',
    alignItems: 'start',
    '& *': { overflowWrap: 'anywhere' },
    '@media (max-width: 22rem)': {
      gridTemplateColumns: 'minmax(0, 1fr)',
      '& > img, & > span': { maxWidth: '10rem' },
    },
  },
});

const PromiseList = chakra('ul', {
  base: {
    display: 'grid',
    gap: 2,
    mt: 5,
    listStyleType: 'none',
    fontSize: 'sm',
    '& > li': { display: 'grid', gridTemplateColumns: '1.25rem minmax(0, 1fr)', gap: 2 },
    '& > li > svg': { color: 'success' },
  },
});

const PromiseItem = ({ children }: { children: ReactNode }): ReactElement => (
  <li>
    <Icon name="tick" size={18} />
    <span>{children}</span>
  </li>
);

type Props = {
  title: TitleSummary;
  price: Price | null;
  tax?: Tax | null;
  /** The price in credits, which replaces the price in money. */
  inCredits?: string | null;
  children?: ReactNode;
};

/** A title and its price, with tax where that is added; `children` are the actions. */
export const SummaryCard = ({ title, price: inMoney, tax, inCredits = null, children }: Props): ReactElement => {
  const { t, i18n } = useLingui();
  const { readsHere } = useBrand();
  const free = isFree(title);
  const authors = joinNames(title.authors, i18n.locale);
  const price = inCredits === null ? inMoney : null;
  const amountText = inCredits ?? (free || price === null ? null : formatMoney(price, i18n.locale));
  const usualPrice = usePrice(title.prices);
  const isReduced = price !== null && usualPrice?.currency === price.currency && price.amount < usualPrice.amount;
  const before = isReduced ? formatMoney(usualPrice, i18n.locale) : '';
  return (
    <Sheet>
      <Layout>
        <Cover cover={title.cover} name={title.name} priority="eager" sizes="160px" />
        <div>
          <chakra.h2 fontSize="clamp(1.25rem, 3.6vw, 1.75rem)">{title.name}</chakra.h2>
          {authors === '' ? null : (
            <chakra.p color="inkMuted" mt={1}>
              {authors}
            </chakra.p>
          )}
          <chakra.p mt={4}>
            {amountText === null ? (
              free ? (
                <PriceTag size="lg" tone="free">{t`Free`}</PriceTag>
              ) : null
            ) : (
              <PriceTag size="lg" whiteSpace="normal">
                {amountText}
              </PriceTag>
            )}
          </chakra.p>
          {isReduced ? (
            <chakra.p mt={1} fontSize="sm" color="inkMuted">
              <Trans>With your code, instead of {before}</Trans>
            </chakra.p>
          ) : null}
          {tax && price !== null ? (
            <chakra.p mt={1}>
              <Trans>{formatMoney({ ...price, amount: tax.priceWithTax }, i18n.locale)} with tax</Trans>
            </chakra.p>
          ) : null}
          <PromiseList>
            <PromiseItem>
              {readsHere ? usageTexts[title.type] : <Trans>Available in the shop’s app, on any of your devices</Trans>}
            </PromiseItem>
            <PromiseItem>
              <Trans>Yours to keep in My Library</Trans>
            </PromiseItem>
            <PromiseItem>
              <Trans>Your place is saved automatically</Trans>
            </PromiseItem>
          </PromiseList>
        </div>
      </Layout>
      {children === undefined ? null : <chakra.div mt={8}>{children}</chakra.div>}
    </Sheet>
  );
};
