import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import { useSearch } from 'wouter';
import type { subscribingMachine } from '../../../machines/buying/subscribing.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { day } from '../../brand/facts.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading, Spinner } from '../../ui/Loading.tsx';
import { Failed as FailedMessage, Message } from '../../ui/Message.tsx';
import { Page, Sheet } from '../../ui/Page.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { problemText } from '../../views/problem-text.ts';
import { passFocus } from '../../ui/pass-focus.ts';
import { stateName, type StateName } from '../../views/state-name.ts';
import { PlanPrice } from '../../views/late/PlanPrice.tsx';
import { TestModeNote } from '../../views/late/TestModeNote.tsx';

type Props = { actor: ActorRefFrom<typeof subscribingMachine> };

/** The words of buying a title would mislead. */
const reason = (problem: Problem): ReactElement => {
  if (problem.kind === 'refused' && problem.code === 'conflict')
    return <Trans>You’re already subscribing in another window.</Trans>;
  if (problem.kind === 'refused' && (problem.code === 'not_for_sale' || problem.code === 'not_found'))
    return <Trans>We couldn’t find this subscription. It may no longer be offered.</Trans>;
  if (problem.kind === 'refused' && /^(?:code|subscription_codes)_/.test(problem.code))
    return <Trans>Your code can’t be used for this subscription. You can subscribe without it.</Trans>;
  return problemText(problem);
};

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading the subscription…</Trans>
  </Loading>
);

/** A kept card, by which it takes one press. */
const ByCard = ({ actor, card }: Props & { card: Card }): ReactElement => {
  const { t } = useLingui();
  const isChosen = useSelector(
    actor,
    (state) => state.matches({ offering: 'startingByCard' }) && state.context.cardId === card.id,
  );
  const { brand, last4 } = card.pii;
  const kind = brand === '' ? t`Card` : brand;
  const name = last4 === '' ? kind : t`${kind} ending in ${last4}`;
  return (
    <EventButton actor={actor} event={{ type: 'card.pressed', cardId: card.id }} data-value={card.id} busy={isChosen}>
      {isChosen ? <Spinner aria-hidden /> : null}
      <Trans>Subscribe with {name}</Trans>
    </EventButton>
  );
};

/** What is subscribed to, and the one button that leads to the payment. */
const Ready = ({ actor }: Props): ReactElement | null => {
  const { plan, problem, cards } = useSelector(actor, ({ context }) => context);
  const isStarting = useSelector(actor, (state) => state.matches({ offering: 'starting' }));
  const hasCode = new URLSearchParams(useSearch()).has('code');
  if (plan === null) return null;
  const { name, price, interval, trialDays } = plan;
  return (
    <Page width="text" display="grid" gap={6}>
      <chakra.h1 fontSize="3xl">
        <Trans>Your subscription</Trans>
      </chakra.h1>
      {problem === null ? null : <ProblemNotice problem={problem}>{reason(problem)}</ProblemNotice>}
      <Sheet display="grid" gap={3}>
        <chakra.h2 fontSize="xl" overflowWrap="anywhere">
          {name}
        </chakra.h2>
        <chakra.p fontSize="lg" fontWeight={600}>
          <PlanPrice price={price} interval={interval} />
        </chakra.p>
        {trialDays <= 0 ? null : hasCode ? (
          <p>
            <Plural
              value={trialDays}
              one="With your code, the first day is free."
              other="With your code, the first # days are free."
            />
          </p>
        ) : (
          <p>
            <Plural
              value={trialDays}
              one="If this is your first subscription here, the first day is free."
              other="If this is your first subscription here, the first # days are free."
            />
          </p>
        )}
        <p>
          <Trans>It’s renewed until you cancel it. You can do that in your account at any time.</Trans>
        </p>
      </Sheet>
      <TestModeNote />
      <chakra.div display="flex" flexWrap="wrap" gap={3}>
        {cards.map((card) => (
          <ByCard key={card.id} actor={actor} card={card} />
        ))}
        <EventButton
          actor={actor}
          event={{ type: 'subscribe.pressed' }}
          look={cards.length === 0 ? 'solid' : 'outline'}
          busy={isStarting}
        >
          {isStarting ? <Spinner aria-hidden /> : null}
          {cards.length === 0 ? <Trans>Continue to payment</Trans> : <Trans>Use another card</Trans>}
        </EventButton>
        <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="outline">
          <Trans>Cancel</Trans>
        </EventButton>
      </chakra.div>
      <chakra.p fontSize="sm" color="inkMuted">
        {cards.length === 0 ? (
          <Trans>You’ll pay by card on our payment provider’s secure page. This shop never sees your card details.</Trans>
        ) : (
          <Trans>A saved card is used as soon as you press its button. This shop never sees your card details.</Trans>
        )}
      </chakra.p>
      <span hidden ref={passFocus} />
    </Page>
  );
};

const ActionRequired = ({ actor }: Props): ReactElement => (
  <Message
    level={1}
    heading={<Trans>Complete your payment</Trans>}
    actions={
      <>
        <EventButton actor={actor} event={{ type: 'continue.pressed' }}>
          <Trans>Continue to payment</Trans>
        </EventButton>
        <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="outline">
          <Trans>Cancel</Trans>
        </EventButton>
      </>
    }
  >
    <Trans>Your subscription begins when you’ve left a card on the payment page.</Trans>
  </Message>
);

const Confirming = (): ReactElement => (
  <Loading>
    <Trans>Confirming your subscription…</Trans>
  </Loading>
);

const Confirmed = ({ actor }: Props): ReactElement => (
  <Message
    level={1}
    heading={<Trans>You’re subscribed.</Trans>}
    actions={
      <EventButton actor={actor} event={{ type: 'continue.pressed' }}>
        <Trans>Continue</Trans>
      </EventButton>
    }
  />
);

const Unknown = ({ actor }: Props): ReactElement => {
  const problem = useSelector(actor, ({ context }) => context.problem);
  return (
    <FailedMessage
      level={1}
      heading={<Trans>We don’t know yet whether your payment went through</Trans>}
      actions={
        <EventButton actor={actor} event={{ type: 'status.pressed' }}>
          <Trans>Check again</Trans>
        </EventButton>
      }
    >
      {problem === null ? null : problemText(problem)} <Trans>You won’t be charged twice.</Trans>
    </FailedMessage>
  );
};

const Refused = ({ actor }: Props): ReactElement => {
  const problem = useSelector(actor, ({ context }) => context.problem);
  return (
    <FailedMessage
      level={1}
      heading={<Trans>You haven’t subscribed</Trans>}
      actions={
        <>
          <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
            <Trans>Start over</Trans>
          </EventButton>
          <ButtonLink href="/subscription" look="outline">
            <Trans>See subscriptions</Trans>
          </ButtonLink>
        </>
      }
    >
      {problem === null ? null : reason(problem)}
    </FailedMessage>
  );
};

const Ways = (): ReactElement => (
  <>
    <ButtonLink href="/all">
      <Trans>See all titles</Trans>
    </ButtonLink>
    <ButtonLink href="/account" look="outline">
      <Trans>Manage your subscription</Trans>
    </ButtonLink>
  </>
);

/** The subscription as it has begun. */
const Welcomed = ({ actor }: Props): ReactElement => {
  const { i18n } = useLingui();
  const held = useSelector(actor, ({ context }) => context.held);
  return (
    <Message level={1} heading={<Trans>Thank you!</Trans>} actions={<Ways />}>
      <p>
        <Trans>You’re subscribed.</Trans>
      </p>
      <chakra.p color="ink" fontWeight={600}>
        {held?.name}
      </chakra.p>
      {held?.status === 'active' && held.until !== null ? (
        <p>
          <Trans>
            Renews on <time dateTime={held.until}>{day(held.until, i18n.locale)}</time>.
          </Trans>
        </p>
      ) : null}
      {held?.next && !held.next.changing && held.until !== null ? (
        <p>
          <Trans>
            From <time dateTime={held.until}>{day(held.until, i18n.locale)}</time>:
          </Trans>{' '}
          {held.next.name}
        </p>
      ) : null}
      {held?.status === 'cancelled' && held.until !== null ? (
        <p>
          <Trans>
            You have access until <time dateTime={held.until}>{day(held.until, i18n.locale)}</time>. It ends by itself.
          </Trans>
        </p>
      ) : null}
    </Message>
  );
};

const Subscribed = (): ReactElement => (
  <Message level={1} heading={<Trans>You’re already subscribed</Trans>} actions={<Ways />}>
    <Trans>You haven’t been charged.</Trans>
  </Message>
);

const NotFound = (): ReactElement => (
  <Message
    level={1}
    failure
    heading={<Trans>Your subscription</Trans>}
    actions={
      <ButtonLink href="/subscription">
        <Trans>See subscriptions</Trans>
      </ButtonLink>
    }
  >
    <Trans>We couldn’t find this subscription. It may no longer be offered.</Trans>
  </Message>
);

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>We couldn’t load your subscription</Trans>} />
);

/** What is shown in each state of subscribing. */
const subscribingScreens: Record<StateName<StateValueFrom<typeof subscribingMachine>>, (props: Props) => ReactElement | null> = {
  deciding: Fetching,
  loading: Fetching,
  findingCards: Fetching,
  offering: Ready,
  actionRequired: ActionRequired,
  confirming: Confirming,
  confirmed: Confirmed,
  unknown: Unknown,
  asking: Confirming,
  lookingUp: Confirming,
  refused: Refused,
  welcoming: Fetching,
  welcomed: Welcomed,
  subscribed: Subscribed,
  notFound: NotFound,
  failed: Failed,
};

/** Subscribing to a plan. */
export const SubscribingView = ({ actor }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = subscribingScreens[stateName(value)];
  return (
    <chakra.div data-flow="subscribing" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </chakra.div>
  );
};
