import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { isFree } from '../../../machines/model/catalogue/price.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatMoney } from '../../brand/format.ts';
import { Box, chakra, type Style } from '../../ui/chakra.ts';
import { useIsOwned } from '../../views/ownership.ts';
import { usePrice } from '../../views/use-price.ts';

/**
 * The data of the offer to buy the whole title of an open sample. `about` is null if the data of
 * the title could not be loaded, or was not needed (`sample` is false).
 */
export type SampleOfferData = { sample: boolean; titleId: string; about: TitleSummary | null; onBuy: () => void };

const BuyButton = chakra('button', {
  base: {
    flex: 'none',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    justifyContent: 'center',
    columnGap: '6px',
    minHeight: '44px',
    alignContent: 'center',
    padding: '0 16px',
    borderRadius: '999px',
    background: 'var(--ink)',
    color: 'var(--paper)',
    fontSize: '14px',
    fontWeight: 650,
    lineHeight: '1.15',
    cursor: 'pointer',
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '2px' },
    // On a phone, the bar has little room, so the price is below the text.
    '@media (max-width: 479px)': { maxWidth: '92px', padding: '0 12px', fontSize: '13px' },
  },
});

const Price = ({ about }: { about: TitleSummary }): ReactElement | null => {
  const { i18n } = useLingui();
  const { showsPrices } = useBrand();
  const price = usePrice(about.prices);
  return showsPrices && price !== null ? (
    <Box as="span" fontVariantNumeric="tabular-nums">
      {formatMoney(price, i18n.locale)}
    </Box>
  ) : null;
};

/**
 * The button that buys the whole title, at any time during a sample; null for a title that is not
 * for sale or that the customer owns.
 */
export const SampleOffer = ({ offer: { sample, titleId, about, onBuy } }: { offer: SampleOfferData }): ReactElement | null => {
  const { sellsTitles } = useBrand();
  const isOwned = useIsOwned(titleId);
  if (!sample || isOwned || !sellsTitles || about?.forSale === false) return null;
  return (
    <BuyButton type="button" data-event="buy.pressed" onClick={onBuy}>
      {about !== null && isFree(about) ? (
        <Trans>Get it for free</Trans>
      ) : (
        <>
          <Trans>Buy</Trans>
          {about === null ? null : <Price about={about} />}
        </>
      )}
    </BuyButton>
  );
};

const Mark = chakra('span', {
  base: {
    display: 'inline-block',
    padding: '1px 8px',
    borderRadius: '999px',
    border: '1px solid color-mix(in srgb, currentColor 40%, transparent)',
    color: 'var(--soft)',
    fontSize: '12px',
    fontWeight: 600,
    lineHeight: '1.3',
  },
});

/** Marks the open title as a sample. */
export const SampleMark = (): ReactElement => (
  <Mark>
    <Trans>Sample</Trans>
  </Mark>
);

/** The open title's name, centred in a player's bar, with the offer beside it. */
export const BarTitle = ({ name, offer, balance = {} }: BarTitleProps): ReactElement => (
  <>
    <Box flex="1" minWidth="0" textAlign="center" lineHeight="1.3" css={offer.sample ? {} : balance}>
      <Box as="h1" fontSize="15px" fontWeight="600" truncate>
        {name}
      </Box>
      {offer.sample ? <SampleMark /> : null}
    </Box>
    <SampleOffer offer={offer} />
  </>
);
type BarTitleProps = {
  name: string;
  offer: SampleOfferData;
  /** The style that keeps the name centred where one side has more buttons than the other. */
  balance?: Style;
};
