import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import { planPath, titlePath } from '../../../machines/model/paths.ts';
import { type Plan, getTrial } from '../../../machines/model/buying/subscription.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { getCustomCreditName } from '../../brand/credits.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { StoreText } from '../../views/StoreText.tsx';
import { PlanPrice } from '../../views/lazy/PlanPrice.tsx';

/** The credits of each renewal; null without any. */
export const PlanCredits = ({ credits }: { credits: number }): ReactElement | null => {
  const { t } = useLingui();
  const { store } = useBrand();
  if (credits <= 0) return null;
  const currency = getCustomCreditName(store);
  return (
    <p>
      {currency === '' ? (
        <Plural value={credits} one="Each renewal gives you # credit." other="Each renewal gives you # credits." />
      ) : (
        // The store's text goes into a message without tags: a tag in the text would be parsed as a
        // tag of the message.
        t`Each renewal gives you ${credits} ${currency}.`
      )}
      {store.enableBuyWithCredits ? (
        <>
          {' '}
          {currency === ''
            ? t`You can pay for titles with them instead of a card.`
            : t`You can pay for titles with ${currency} instead of a card.`}
        </>
      ) : null}
    </p>
  );
};

const Trial = ({ days }: { days: number }): ReactElement | null =>
  days <= 0 ? null : (
    <p>
      <Plural value={days} one="The first day is free." other="The first # days are free." />
    </p>
  );

/**
 * The titles that the plan's subscribers read without buying them; null for a plan without such
 * titles.
 */
const IncludedTitles = ({
  plan: { id: planId, name: planName, opensAll, opensTitles = 0, titles = [] },
}: {
  plan: Plan;
}): ReactElement | null => {
  const { t } = useLingui();
  const allTitlesLink = (
    <TextLink href={planPath(planId)} aria-label={t`See all titles: ${planName}`}>
      <Trans>See all titles</Trans>
    </TextLink>
  );
  if (opensAll === true)
    return (
      <p>
        <Trans>Read, listen to and watch every title in the shop for as long as you subscribe.</Trans> {allTitlesLink}
      </p>
    );
  if (opensTitles === 0) return null;
  const includedText = (
    <Plural
      value={opensTitles}
      one="Includes # title for as long as you subscribe."
      other="Includes # titles for as long as you subscribe."
    />
  );
  const more = opensTitles - titles.length;
  return titles.length === 0 ? (
    <p>
      {includedText} {allTitlesLink}
    </p>
  ) : (
    <chakra.details width="100%">
      <chakra.summary cursor="pointer" minHeight={6}>
        {includedText}
      </chakra.summary>
      <chakra.ul listStyleType="none" display="grid" gap={1} mt={2} fontSize="sm">
        {titles.map(({ id, name }) => (
          <li key={id}>
            <TextLink href={titlePath(id, name)}>{name}</TextLink>
          </li>
        ))}
        {more > 0 ? (
          <li>
            <Plural value={more} one="and # more" other="and # more" />
          </li>
        ) : null}
        <li>{allTitlesLink}</li>
      </chakra.ul>
    </chakra.details>
  );
};

/** A plan: its name, its price, and what it includes. */
const PlanCard = ({ plan, level, children }: { plan: Plan; level: 2 | 3; children: ReactNode }): ReactElement => (
  <chakra.li
    display="grid"
    gap={3}
    alignContent="start"
    justifyItems="start"
    p={5}
    border="1px solid"
    borderColor="line"
    borderRadius="md"
    minWidth="0"
  >
    <chakra.h2 as={`h${level}`} fontSize="xl" overflowWrap="anywhere">
      {plan.name === '' ? <Trans>Subscription</Trans> : plan.name}
    </chakra.h2>
    <chakra.p fontSize="lg" fontWeight={600}>
      <PlanPrice price={plan.price} interval={plan.interval} />
    </chakra.p>
    <Trial days={getTrial(plan, false) === 'none' ? 0 : plan.trialDays} />
    {plan.description === '' ? null : <StoreText text={plan.description} />}
    <IncludedTitles plan={plan} />
    <PlanCredits credits={plan.credits} />
    {children}
  </chakra.li>
);

type PlansProps = { plans: readonly Plan[]; level?: 2 | 3; action?: (plan: Plan) => ReactNode };

/** The plans, side by side where there is room; below each the result of `action`. */
export const Plans = ({ plans, level = 2, action }: PlansProps): ReactElement => (
  <chakra.ul listStyleType="none" display="grid" gap={4} gridTemplateColumns="repeat(auto-fit, minmax(min(16rem, 100%), 1fr))">
    {plans.map((plan) => (
      <PlanCard key={plan.id} plan={plan} level={level}>
        {action?.(plan)}
      </PlanCard>
    ))}
  </chakra.ul>
);
