import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { LineState, QuotedLine } from '../../../machines/model/buying/cart.ts';
import type { Price } from '../../../machines/model/catalogue/title.ts';
import { campaignPath, libraryPath, titlePath } from '../../../machines/model/paths.ts';
import { formatMoney, joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { PriceByCode } from '../../views/lazy/PriceByCode.tsx';
import { usePrice } from '../../views/use-price.ts';
import { useFrameChild } from '../../views/ownership.ts';

const Line = chakra('li', {
  base: {
    display: 'grid',
    gridTemplateColumns: '3.5rem minmax(0, 1fr)',
    columnGap: 4,
    alignItems: 'start',
    py: 4,
    '& *': { overflowWrap: 'anywhere' },
    '&[data-removed] > [data-kept]': { opacity: 0.45 },
    '&[data-removed] div [data-kept]': { textDecoration: 'line-through' },
  },
});

/** Why a line is not paid for with the others, and how to solve it. */
const stateNotes: Record<Exclude<LineState, 'payable'>, ReactElement> = {
  reward: <Trans>Free, as the reward of an offer.</Trans>,
  owned: (
    <Trans>
      Already in <TextLink href={libraryPath()}>My Library</TextLink>: you won’t pay for it again.
    </Trans>
  ),
  free: <Trans>This title is free. Get it on its own page.</Trans>,
  notForSale: <Trans>Not for sale right now.</Trans>,
  otherCurrency: <Trans>Sold in another currency. Buy it on its own page.</Trans>,
  gone: <Trans>No longer in this shop.</Trans>,
};

/** The button that removes the title from the cart, and then puts it back. */
const RemoveButton = ({
  line: { titleId, savedAt, campaignId },
  name,
  isRemoved,
}: Props & { name: string }): ReactElement | null => {
  const cart = useFrameChild('cartLines');
  if (cart === undefined) return null;
  const lineIds = { titleId, ...(campaignId === undefined ? {} : { campaignId }) };
  return (
    <EventButton
      actor={cart}
      event={
        isRemoved
          ? { type: 'title.added', ...lineIds, ...(savedAt === '' ? {} : { savedAt }) }
          : { type: 'title.removed', ...lineIds }
      }
      data-value={titleId}
      look="outline"
      size="sm"
    >
      {isRemoved ? <Trans>Undo</Trans> : <Trans>Remove</Trans>}
      <VisuallyHidden>{name}</VisuallyHidden>
    </EventButton>
  );
};

type Props = { line: QuotedLine; isRemoved: boolean };

/**
 * The price on the title's page, where its currency differs from the cart's; else null. Null also
 * for a title from a campaign, which the line names as the reason for the price.
 */
const usePagePrice = ({ title, usual, state, price, campaignId }: QuotedLine): Price | null => {
  const shownPrice = usePrice(usual ?? title?.prices ?? []);
  return state === 'payable' && campaignId === undefined && shownPrice?.currency !== price?.currency ? shownPrice : null;
};

/** A title in the cart: its price, or why it is not paid for, and the button that removes it. */
export const CartLineView = ({ line, isRemoved }: Props): ReactElement => {
  const { t, i18n } = useLingui();
  const { titleId, title, state, price, before, campaignName } = line;
  const pagePrice = usePagePrice(line);
  const name = line.name === '' ? t`A title that’s no longer in this shop` : line.name;
  const authors = title === null ? '' : joinNames(title.authors, i18n.locale);
  return (
    <Line data-line={titleId} data-is={state} data-removed={isRemoved ? '' : undefined}>
      <div data-kept>
        <Cover cover={title?.cover ?? null} name={name} sizes="56px" />
      </div>
      <chakra.div display="grid" gap={2}>
        <chakra.div data-kept display="grid" gap={1}>
          <chakra.h2 fontSize="lg">
            {title === null ? name : <TextLink href={titlePath(titleId, title.name)}>{name}</TextLink>}
          </chakra.h2>
          {authors === '' ? null : <chakra.p color="inkMuted">{authors}</chakra.p>}
          {line.campaignId === undefined ? null : (
            <TextLink href={campaignPath(line.campaignId)} fontSize="sm" justifySelf="start">
              {campaignName === undefined ? <Trans>From an offer</Trans> : t`From “${campaignName}”`}
            </TextLink>
          )}
          {pagePrice === null ? null : (
            <chakra.p fontSize="sm" color="inkMuted">
              <Trans>
                Your cart is paid for in one currency. On its own page, this title costs {formatMoney(pagePrice, i18n.locale)}.
              </Trans>
            </chakra.p>
          )}
        </chakra.div>
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" columnGap={4} rowGap={2}>
          <span data-kept>
            {state === 'payable' && price !== null ? (
              <PriceByCode price={price} before={before} />
            ) : state === 'payable' ? null : (
              <chakra.span color="inkMuted">{stateNotes[state]}</chakra.span>
            )}
          </span>
          <RemoveButton line={line} name={name} isRemoved={isRemoved} />
        </chakra.div>
      </chakra.div>
    </Line>
  );
};
