import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { HeldSubscription, Plan, PlanQuote } from '../../../machines/model/buying/subscription.ts';
import { formatDay } from '../../brand/facts.ts';
import { formatMoney } from '../../brand/format.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { ConfirmationQuestion } from '../../views/lazy/ConfirmationQuestion.tsx';
import { PlanPrice } from '../../views/lazy/PlanPrice.tsx';

type Props = { actor: ActorRefFrom<typeof subscriptionMachine> };

/**
 * The start and the charge of a change of plan; `plan` is undefined where the current plan is kept.
 */
const ChangeTerms = ({ quote: { starts, due, at }, plan }: { quote: PlanQuote; plan: Plan | undefined }): ReactElement => {
  const { i18n } = useLingui();
  if (plan === undefined) return <Trans>You’ll keep your current subscription. The other one won’t start.</Trans>;
  if (starts === 'unknown')
    return <Trans>The payment service tells you what it costs and when it starts, before anything changes.</Trans>;
  const price = <PlanPrice price={plan.price} interval={plan.interval} />;
  const charged = formatMoney(due, i18n.locale);
  if (starts === 'now')
    return (
      <Trans>
        It starts immediately. You pay {charged} now: the unused part of your subscription has been deducted. It then renews at{' '}
        {price}.
      </Trans>
    );
  if (at === null) return <Trans>It starts with the next renewal. You pay nothing until then, and {price} after that.</Trans>;
  const date = formatDay(at, i18n.locale);
  return (
    <Trans>
      It starts on {date}. You pay nothing until then, and {price} after that.
    </Trans>
  );
};

const Question = ({ actor, planId }: Props & { planId: string }): ReactElement | null => {
  const { quote, plans, held } = useSelector(actor, ({ context }) => context);
  const isChanging = useSelector(actor, (state) => state.matches('changing'));
  if (quote === null) return null;
  const isKept = planId === held?.planId;
  const plan = plans.find((each) => each.id === planId);
  const confirming = quote.starts === 'now' ? <Trans>Switch and pay</Trans> : <Trans>Switch</Trans>;
  return (
    <ConfirmationQuestion
      actor={actor}
      question={isKept ? <Trans>Keep your subscription?</Trans> : <Trans>Switch to this subscription?</Trans>}
      meaning={<ChangeTerms quote={quote} plan={isKept ? undefined : plan} />}
      confirm={{ event: 'change.confirmed', text: isKept ? <Trans>Keep it</Trans> : confirming }}
      decline={{ event: 'change.declined', text: <Trans>Not now</Trans> }}
      isRunning={isChanging}
      alignItems="stretch"
      width="100%"
    />
  );
};

/**
 * The button for another plan, or for keeping the current one; nothing where the plan cannot be
 * changed.
 */
export const Change = ({ actor, planId, name }: Props & { planId: string; name: string }): ReactElement | null => {
  const { t } = useLingui();
  const isChosen = useSelector(actor, ({ context }) => context.chosen === planId);
  const isQuoting = useSelector(actor, (state) => state.matches('quoting'));
  const isOwn = useSelector(actor, ({ context }) => context.held?.planId === planId);
  const isAsked = useSelector(actor, (state) => state.matches('asking') || state.matches('changing'));
  if (isChosen && isAsked) return <Question actor={actor} planId={planId} />;
  return (
    <EventButton
      actor={actor}
      event={{ type: 'change.pressed', planId }}
      denied={isChosen && isQuoting ? 'disabled' : 'hidden'}
      look="outline"
      aria-label={isOwn ? t`Keep your subscription: ${name}` : t`Switch to: ${name}`}
    >
      {isChosen && isQuoting ? <Spinner aria-hidden /> : null}
      {isOwn ? <Trans>Keep your subscription…</Trans> : <Trans>Switch…</Trans>}
    </EventButton>
  );
};

/** The plan after the current period, and why the plan cannot be changed although it should be. */
export const Next = ({ held, children }: { held: HeldSubscription; children?: ReactNode }): ReactElement | null => {
  const { t, i18n } = useLingui();
  const { next, status, until } = held;
  if (status === 'pastDue')
    return (
      <p>
        <Trans>
          Your last payment didn’t go through. Add <TextLink href="/account">another card</TextLink> to keep or change your
          subscription.
        </Trans>
      </p>
    );
  if (!next) return null;
  const { name } = next;
  // The store's text goes into a message without tags: a tag in it would be parsed as one of the
  // message's.
  if (next.changing) return <Notice>{t`You’re switching to ${name}. You won’t be charged twice.`}</Notice>;
  return (
    <Notice>
      <p>
        {until === null ? (
          <Trans>With the next renewal:</Trans>
        ) : (
          <Trans>
            From <time dateTime={until}>{formatDay(until, i18n.locale)}</time>:
          </Trans>
        )}{' '}
        {name}
        {next.price === null || next.interval === null ? null : (
          <>
            {', '}
            <PlanPrice price={next.price} interval={next.interval} />
          </>
        )}
      </p>
      {children}
    </Notice>
  );
};
