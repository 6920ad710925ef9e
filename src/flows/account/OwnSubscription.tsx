import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { useId, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { ownSubscriptionMachine } from '../../../machines/account/own-subscription.ts';
import { isComplimentary, isResumable, type HeldSubscription } from '../../../machines/model/buying/subscription.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { getCustomCreditName } from '../../brand/credits.ts';
import { formatDay } from '../../brand/facts.ts';
import { formatMoney } from '../../brand/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading, Spinner } from '../../ui/Loading.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { ConfirmationQuestion } from '../../views/lazy/ConfirmationQuestion.tsx';
import { PlanPrice } from '../../views/lazy/PlanPrice.tsx';
import { Done } from './Done.tsx';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof ownSubscriptionMachine> };
type HeldProps = { held: HeldSubscription };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your subscription…</Trans>
  </Loading>
);

/** The end of the current period, or the day on which the subscription ended. */
const PeriodEnd = ({ held }: HeldProps): ReactElement => {
  const { i18n } = useLingui();
  const { status, until } = held;
  if (until === null) {
    if (status === 'ended') return <Trans>Your subscription has ended.</Trans>;
    return status === 'cancelled' ? <Trans>Your subscription is cancelled.</Trans> : <Trans>You’re subscribed.</Trans>;
  }
  // Text instead of an element: the article before a day depends on the day in Italian.
  const date = formatDay(until, i18n.locale);
  if (status === 'ended') return <Trans>Your subscription ended on {date}.</Trans>;
  if (isComplimentary(held)) return <Trans>You have access until {date}. It won’t renew.</Trans>;
  if (status === 'cancelled') return <Trans>Cancelled. You have access until {date}, and won’t be charged again.</Trans>;
  if (status === 'pastDue') return <Trans>The last payment didn’t go through. You have access until {date}.</Trans>;
  return <Trans>Renews on {date}.</Trans>;
};

/** The plan that follows the current period, where the customer has chosen another plan. */
const NextPlan = ({ held: { next, until } }: HeldProps): ReactElement | null => {
  const { t, i18n } = useLingui();
  if (!next) return null;
  const { name, price, interval, changing } = next;
  // The store's text goes into a message without tags: a tag in the text would be parsed as a tag
  // of the message.
  if (changing) return <>{t`You’re switching to ${name}. You won’t be charged twice.`}</>;
  const date = until === null ? null : formatDay(until, i18n.locale);
  return (
    <>
      {date === null ? <Trans>With the next renewal:</Trans> : <Trans>From {date}:</Trans>} {name}
      {price === null || interval === null ? null : (
        <>
          {', '}
          <PlanPrice price={price} interval={interval} />
        </>
      )}
    </>
  );
};

/** The credits of each renewal, if any. */
const RenewalCredits = ({ held: { status, credits } }: HeldProps): ReactElement | null => {
  const { t } = useLingui();
  const { store } = useBrand();
  if (credits === 0 || status === 'cancelled' || status === 'ended') return null;
  const currency = getCustomCreditName(store);
  return (
    <chakra.p color="inkMuted">
      {currency === '' ? (
        <Plural value={credits} one="Each renewal gives you # credit." other="Each renewal gives you # credits." />
      ) : (
        // The store's text goes into a message without tags: a tag in the text would be parsed as a
        // tag of the message.
        t`Each renewal gives you ${credits} ${currency}.`
      )}
    </chakra.p>
  );
};

const Question = ({ actor, held: { until } }: Props & HeldProps): ReactElement => {
  const { i18n } = useLingui();
  const isCancelling = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <ConfirmationQuestion
      actor={actor}
      question={<Trans>Cancel your subscription?</Trans>}
      meaning={
        until === null ? (
          <Trans>You won’t be charged again, and your access ends immediately.</Trans>
        ) : (
          <Trans>
            You won’t be charged again, and your access stays until <time dateTime={until}>{formatDay(until, i18n.locale)}</time>.
          </Trans>
        )
      }
      confirm={{ event: 'cancellation.confirmed', text: <Trans>Cancel subscription</Trans> }}
      decline={{ event: 'cancellation.declined', text: <Trans>Keep subscription</Trans> }}
      look="danger"
      isRunning={isCancelling}
      mt={3}
    />
  );
};

/** Reactivation for a customer who has cancelled, or why it is not possible. */
const ResumeOption = ({ actor, held }: Props & HeldProps): ReactElement | null => {
  const { i18n } = useLingui();
  const id = useId();
  const isResuming = useSelector(actor, (state) => state.hasTag('busy'));
  const { resumable, until } = held;
  if (resumable === false)
    return (
      <chakra.p mt={3} color="inkMuted">
        <Trans>It can’t be kept any more. When it has ended, you can subscribe again.</Trans>
      </chakra.p>
    );
  if (!isResumable(held)) return null;
  return (
    <chakra.div display="grid" gap={3} justifyItems="start" mt={3}>
      <p id={id}>
        {until === null ? (
          <Trans>Changed your mind? You can keep it. You pay nothing before it renews.</Trans>
        ) : (
          <Trans>
            Changed your mind? You can keep it. It then renews on <time dateTime={until}>{formatDay(until, i18n.locale)}</time>,
            and you pay nothing until then.
          </Trans>
        )}
      </p>
      <EventButton actor={actor} event={{ type: 'resume.pressed' }} busy={isResuming} look="outline" aria-describedby={id}>
        {isResuming ? <Spinner aria-hidden /> : null}
        <Trans>Keep my subscription</Trans>
      </EventButton>
    </chakra.div>
  );
};

/** The subscription; it stays visible while it is being cancelled or reactivated. */
const HeldSubscriptionPanel = ({ actor }: Props): ReactElement | null => {
  const { i18n } = useLingui();
  const { held, problem, wish, granted, sells } = useSelector(actor, ({ context }) => context);
  const isConfirmingCancellation = useSelector(actor, ({ value, context }) =>
    value === 'refreshing' ? context.wish === 'cancelled' : value === 'asking' || value === 'cancelling',
  );
  const isLeaving = useSelector(actor, (state) => state.matches('leaving'));
  if (held === null) return null;
  const deniedLook = isLeaving ? 'disabled' : 'hidden';
  const { name, price, interval, status } = held;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem}>{formatProblem(problem)}</ProblemNotice>}
      {granted ? (
        <Done>
          {wish === 'resumed' ? (
            <Trans>Your subscription continues.</Trans>
          ) : (
            <Trans>Your subscription has been cancelled.</Trans>
          )}
        </Done>
      ) : null}
      <chakra.div display="grid" gap={1}>
        {name === '' ? null : (
          <chakra.p fontWeight={600} overflowWrap="anywhere">
            {name}
          </chakra.p>
        )}
        {price === null || interval === null || status === 'ended' ? null : (
          <p>
            <PlanPrice price={price} interval={interval} />
          </p>
        )}
        <p>
          <PeriodEnd held={held} />
        </p>
        <RenewalCredits held={held} />
        {held.refunded ? (
          <p>
            <Trans>Refunded: {formatMoney(held.refunded, i18n.locale)}</Trans>
          </p>
        ) : null}
        {held.next ? (
          <p>
            <NextPlan held={held} />
          </p>
        ) : null}
      </chakra.div>
      {isConfirmingCancellation ? (
        <Question actor={actor} held={held} />
      ) : status === 'ended' ? (
        sells ? (
          <chakra.p mt={3}>
            <TextLink href="/subscription">
              <Trans>See subscriptions</Trans>
            </TextLink>
          </chakra.p>
        ) : null
      ) : status === 'cancelled' ? (
        <ResumeOption actor={actor} held={held} />
      ) : (
        <chakra.div display="flex" flexWrap="wrap" gap={3} mt={3}>
          <EventButton
            actor={actor}
            event={{ type: 'card.pressed' }}
            deniedLook={deniedLook}
            look={status === 'pastDue' ? 'solid' : 'outline'}
          >
            {isLeaving ? <Spinner aria-hidden /> : null}
            <Trans>Use another card</Trans>
          </EventButton>
          <EventButton actor={actor} event={{ type: 'cancel.pressed' }} deniedLook={deniedLook} look="outline">
            <Trans>Cancel subscription…</Trans>
          </EventButton>
          {sells && held.changeable === true ? (
            <ButtonLink href="/subscription" look="outline">
              <Trans>Change subscription</Trans>
            </ButtonLink>
          ) : null}
        </chakra.div>
      )}
    </>
  );
};

const Offered = (): ReactElement => (
  <chakra.div display="grid" gap={3} justifyItems="start">
    <p>
      <Trans>You don’t have a subscription.</Trans>
    </p>
    <ButtonLink href="/subscription" look="outline">
      <Trans>See subscriptions</Trans>
    </ButtonLink>
  </chakra.div>
);

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your subscription</Trans>} />
);

const screens: Screens<typeof ownSubscriptionMachine> = {
  loading: Fetching,
  held: HeldSubscriptionPanel,
  leaving: HeldSubscriptionPanel,
  asking: HeldSubscriptionPanel,
  cancelling: HeldSubscriptionPanel,
  resuming: HeldSubscriptionPanel,
  refreshing: HeldSubscriptionPanel,
  offered: Offered,
  none: null,
  failed: Failed,
};

/**
 * The customer's subscription; renders nothing if there is neither a subscription nor a plan to
 * buy.
 */
export const OwnSubscription = ({ actor }: Props): ReactElement => (
  <Section flow="ownSubscription" actor={actor} screens={screens} heading={<Trans>Subscription</Trans>} />
);
