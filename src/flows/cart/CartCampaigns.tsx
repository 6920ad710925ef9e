import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { QuotedLine } from '../../../machines/model/buying/cart.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { useFrameChild } from '../../views/ownership.ts';

type Campaign = { id: string; name: string; lines: QuotedLine[] };

/** The lines of the cart by campaign, in the order of the cart. */
const groupByCampaign = (lines: readonly QuotedLine[]): Campaign[] => {
  const linesById = Map.groupBy(lines, ({ campaignId }) => campaignId);
  return [...linesById].flatMap(([id, campaignLines]) =>
    id === undefined
      ? []
      : [{ id, name: campaignLines.find(({ campaignName }) => campaignName)?.campaignName ?? '', lines: campaignLines }],
  );
};

type Props = { lines: readonly QuotedLine[]; removedIds: ReadonlySet<string> };

const CampaignLine = ({ campaign, isRemoved }: { campaign: Campaign; isRemoved: boolean }): ReactElement | null => {
  const { t } = useLingui();
  const cart = useFrameChild('cartLines');
  if (cart === undefined) return null;
  const { id, name, lines } = campaign;
  // Rewards require the bought titles, which are therefore put back first.
  const rewardsLast = lines.toSorted((a, b) => Number(a.isReward === true) - Number(b.isReward === true));
  const [first, ...rest] = rewardsLast.map(({ titleId, savedAt }) => ({ titleId, savedAt }));
  const { length } = lines;
  return (
    <chakra.li
      data-campaign={id}
      data-removed={isRemoved ? '' : undefined}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap={4}
      rowGap={2}
      py={3}
      overflowWrap="anywhere"
    >
      <chakra.span flex="1 1 12rem" {...(isRemoved ? { textDecoration: 'line-through' } : {})}>
        {name === ''
          ? t`From an offer: ${plural(length, { one: '# title', other: '# titles' })}`
          : t`From “${name}”: ${plural(length, { one: '# title', other: '# titles' })}`}
      </chakra.span>
      <EventButton
        actor={cart}
        event={{ type: isRemoved ? 'title.added' : 'title.removed', titleId: '', ...first, campaignId: id, rest }}
        data-value={id}
        look="outline"
        size="sm"
      >
        {isRemoved ? <Trans>Undo</Trans> : <Trans>Remove all</Trans>}
        <VisuallyHidden>{name}</VisuallyHidden>
      </EventButton>
    </chakra.li>
  );
};

/**
 * The campaigns of the cart's titles, each with a button that removes all of its titles and then
 * puts them back.
 */
export const CartCampaigns = ({ lines, removedIds }: Props): ReactElement | null => {
  const { t } = useLingui();
  const campaigns = groupByCampaign(lines);
  if (campaigns.length === 0) return null;
  return (
    <Sheet py={{ base: 1, md: 2 }}>
      <chakra.ul
        aria-label={t`Offers`}
        css={{ listStyleType: 'none', '& > li + li': { borderTop: '1px solid', borderColor: 'line' } }}
      >
        {campaigns.map((campaign) => (
          <CampaignLine
            key={campaign.id}
            campaign={campaign}
            isRemoved={campaign.lines.every(({ titleId }) => removedIds.has(titleId))}
          />
        ))}
      </chakra.ul>
    </Sheet>
  );
};
