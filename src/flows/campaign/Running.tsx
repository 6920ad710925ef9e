import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { getCampaignProgress, type CampaignTitle } from '../../../machines/model/catalogue/campaign.ts';
import { titlePath } from '../../../machines/model/paths.ts';
import { cartPath } from '../../../machines/model/purchase-paths.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { formatDay } from '../../brand/facts.ts';
import { formatMoney, joinNames } from '../../brand/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';
import { Page, Sheet } from '../../ui/Page.tsx';
import { PriceTag } from '../../ui/PriceTag.tsx';
import { Status } from '../../ui/Status.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { InLibrary } from '../../views/InLibrary.tsx';
import { useIsOwned } from '../../views/ownership.ts';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { StoreText } from '../../views/StoreText.tsx';
import { TitlePrice } from '../../views/TitlePrice.tsx';
import type { CampaignProps } from './props.ts';

const Lines = chakra('ul', {
  base: {
    listStyleType: 'none',
    '& > li': {
      display: 'grid',
      gridTemplateColumns: '3.5rem minmax(0, 1fr)',
      columnGap: 4,
      alignItems: 'start',
      py: 4,
      overflowWrap: 'anywhere',
    },
    '& > li + li': { borderTop: '1px solid', borderColor: 'line' },
  },
});

const formatReason = (problem: Problem): ReactElement => {
  const code = problem.kind === 'refused' ? problem.code : '';
  if (code === 'campaign_over') return <Trans>This offer has ended in the meantime. Nothing has been added to your cart.</Trans>;
  if (code === 'reward_not_reached') return <Trans>You can choose rewards once enough titles are in your cart.</Trans>;
  if (code === 'rewards_taken') return <Trans>You’ve chosen all the rewards. Remove one from your cart to choose another.</Trans>;
  if (code === 'cart_full') return <Trans>Your cart is full.</Trans>;
  return formatProblem(problem);
};

/** A title's price in the campaign, and its usual price. */
const Cost = ({ offer: { title, isReward, price } }: { offer: CampaignTitle }): ReactElement => {
  const { i18n } = useLingui();
  if (isReward)
    return (
      <PriceTag tone="free">
        <Trans>Free as a reward</Trans>
      </PriceTag>
    );
  const usualPrice = title.prices.find(({ currency }) => currency === price?.currency);
  if (price === null || usualPrice === undefined) return <TitlePrice title={title} />;
  const before = formatMoney(usualPrice, i18n.locale);
  return (
    <span>
      <PriceTag>{formatMoney(price, i18n.locale)}</PriceTag>{' '}
      <chakra.span fontSize="sm" color="inkMuted">
        <Trans>instead of {before}</Trans>
      </chakra.span>
    </span>
  );
};

/** The button that adds a title to the cart or removes it. */
const Choice = ({ actor, offer: { title, isReward } }: CampaignProps & { offer: CampaignTitle }): ReactElement | null => {
  const { id, name } = title;
  const isInCart = useSelector(actor, ({ context }) => context.lines.some(({ titleId }) => titleId === id));
  const canChange = useSelector(actor, (snapshot) =>
    snapshot.can({ type: isInCart ? 'title.removed' : 'title.added', titleId: id }),
  );
  const isChanging = useSelector(actor, ({ context }) => context.change?.titleId === id);
  return (
    <EventButton
      actor={actor}
      event={isInCart ? { type: 'title.removed', titleId: id } : { type: 'title.added', titleId: id }}
      data-value={id}
      look={isInCart ? 'outline' : 'solid'}
      size="sm"
      disabled={!canChange}
      busy={isChanging}
    >
      {isChanging ? <Spinner aria-hidden /> : null}
      {isInCart ? <Trans>Remove from cart</Trans> : isReward ? <Trans>Choose</Trans> : <Trans>Add to cart</Trans>}{' '}
      <VisuallyHidden>{name}</VisuallyHidden>
    </EventButton>
  );
};

/** A title's price and button; a title that the customer owns links to the library. */
const CostAndChoice = ({ actor, offer }: CampaignProps & { offer: CampaignTitle }): ReactElement =>
  useIsOwned(offer.title.id) ? (
    <InLibrary />
  ) : (
    <>
      <Cost offer={offer} />
      <Choice actor={actor} offer={offer} />
    </>
  );

const Titles = ({ actor, offers }: CampaignProps & { offers: CampaignTitle[] }): ReactElement => {
  const { i18n } = useLingui();
  return (
    <Sheet py={{ base: 1, md: 2 }}>
      <Lines>
        {offers.map((offer) => (
          <li key={offer.title.id}>
            <Cover cover={offer.title.cover} name={offer.title.name} sizes="56px" />
            <chakra.div display="grid" gap={2}>
              <div>
                <chakra.h3 fontSize="lg">
                  <TextLink href={titlePath(offer.title.id, offer.title.name)}>{offer.title.name}</TextLink>
                </chakra.h3>
                <chakra.p color="inkMuted">{joinNames(offer.title.authors, i18n.locale)}</chakra.p>
              </div>
              <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={3}>
                <CostAndChoice actor={actor} offer={offer} />
              </chakra.div>
            </chakra.div>
          </li>
        ))}
      </Lines>
    </Sheet>
  );
};

/** The customer's progress towards the campaign's rewards. */
const Progress = ({ actor }: CampaignProps): ReactElement | null => {
  const { campaign, lines } = useSelector(actor, ({ context }) => context);
  if (campaign === null || campaign.rewardCount === 0) return null;
  const { bought, toBuy, chosen, toChoose, isReached } = getCampaignProgress(campaign, lines);
  const done = Math.min(bought, toBuy);
  return (
    <chakra.p role="status" fontWeight={600} data-progress={`${done}/${toBuy} ${chosen}/${toChoose}`}>
      {isReached ? (
        <Trans>
          Goal reached! {chosen} of {toChoose} rewards chosen.
        </Trans>
      ) : (
        <Trans>
          {done} of {toBuy} titles in your cart.
        </Trans>
      )}
    </chakra.p>
  );
};

/** Titles that were removed from the cart because the customer owns them. */
const RemovedOwned = ({ actor }: CampaignProps): ReactElement => {
  const { i18n } = useLingui();
  const { campaign, removedOwned } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (snapshot) => snapshot.matches('removingOwned'));
  const removedTitles = campaign?.titles.filter(({ title }) => removedOwned.includes(title.id)) ?? [];
  const titles = joinNames(
    removedTitles.map(({ title }) => title.name),
    i18n.locale,
  );
  return (
    <Status data-removed-owned>
      {busy || removedTitles.length === 0 ? null : <Trans>Already in your library, and removed from your cart: {titles}</Trans>}
    </Status>
  );
};

/** A running campaign. */
export const Running = ({ actor }: CampaignProps): ReactElement | null => {
  const { i18n } = useLingui();
  const { campaign, lines, removed, problem } = useSelector(actor, ({ context }) => context);
  const isRemoved = lines.length === 0;
  const event = { type: isRemoved ? 'undo.pressed' : 'campaign.removed' } as const;
  const canSendEvent = useSelector(actor, (snapshot) => snapshot.can(event));
  const isBusy = useSelector(actor, (snapshot) => snapshot.matches('puttingBack') || snapshot.context.change?.titleId === null);
  if (campaign === null) return null;
  const { name, html, endsAt, rewardCount, titles } = campaign;
  const date = formatDay(endsAt, i18n.locale);
  const rewards = titles.filter(({ isReward }) => isReward);
  return (
    <Page width="text" display="grid" gap={6}>
      <div>
        <chakra.h1 fontSize="3xl" mb={3} overflowWrap="anywhere">
          {name === '' ? <Trans>Special offer</Trans> : name}
        </chakra.h1>
        <StoreText text={html} />
        {endsAt === '' ? null : (
          <chakra.p mt={3} color="inkMuted">
            <Trans>Until {date}</Trans>
          </chakra.p>
        )}
      </div>
      <Progress actor={actor} />
      <RemovedOwned actor={actor} />
      {problem === null ? null : <ProblemNotice problem={problem}>{formatReason(problem)}</ProblemNotice>}
      <Titles actor={actor} offers={titles.filter(({ isReward }) => !isReward)} />
      {rewards.length === 0 ? null : (
        <section>
          <chakra.h2 fontSize="xl" mb={3}>
            <Plural value={rewardCount} one="Choose # reward" other="Choose # rewards" />
          </chakra.h2>
          <Titles actor={actor} offers={rewards} />
        </section>
      )}
      {isRemoved && removed.length === 0 ? null : (
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap={3}>
          <Status>{isRemoved ? <Trans>The offer has been removed from your cart.</Trans> : null}</Status>
          {isRemoved ? null : (
            <ButtonLink href={cartPath}>
              <Trans>View cart</Trans>
            </ButtonLink>
          )}
          <EventButton actor={actor} event={event} look="outline" disabled={!canSendEvent} busy={isBusy}>
            {isRemoved ? <Trans>Undo</Trans> : <Trans>Remove the offer from your cart</Trans>}
          </EventButton>
        </chakra.div>
      )}
    </Page>
  );
};
