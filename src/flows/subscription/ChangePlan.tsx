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
 * When a change of plan takes effect, and its charge; `plan` is undefined if the current plan is
 * kept.
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
  const keepsPlan = planId === held?.planId;
  const plan = plans.find((each) => each.id === planId);
  const confirmText = quote.starts === 'now' ? <Trans>Switch and pay</Trans> : <Trans>Switch</Trans>;
  return (
    <ConfirmationQuestion
      actor={actor}
      question={keepsPlan ? <Trans>Keep your subscription?</Trans> : <Trans>Switch to this subscription?</Trans>}
      meaning={<ChangeTerms quote={quote} plan={keepsPlan ? undefined : plan} />}
      confirm={{ event: 'change.confirmed', text: keepsPlan ? <Trans>Keep it</Trans> : confirmText }}
      decline={{ event: 'change.declined', text: <Trans>Not now</Trans> }}
      isRunning={isChanging}
      alignItems="stretch"
      width="100%"
    />
  );
};

/**
 * The button for changing to a plan, or for keeping the current one; after a press, the question.
 * Renders nothing if the plan cannot be changed.
 */
export const ChangePlanButton = ({ actor, planId, name }: Props & { planId: string; name: string }): ReactElement | null => {
  const { t } = useLingui();
  const isChosen = useSelector(actor, ({ context }) => context.chosen === planId);
  const isQuoting = useSelector(actor, (state) => state.matches('quoting'));
  const isOwn = useSelector(actor, ({ context }) => context.held?.planId === planId);
  const isConfirming = useSelector(actor, (state) => state.matches('asking') || state.matches('changing'));
  if (isChosen && isConfirming) return <Question actor={actor} planId={planId} />;
  return (
    <EventButton
      actor={actor}
      event={{ type: 'change.pressed', planId }}
      deniedLook={isChosen && isQuoting ? 'disabled' : 'hidden'}
      look="outline"
      aria-label={isOwn ? t`Keep your subscription: ${name}` : t`Switch to: ${name}`}
    >
      {isChosen && isQuoting ? <Spinner aria-hidden /> : null}
      {isOwn ? <Trans>Keep your subscription…</Trans> : <Trans>Switch…</Trans>}
    </EventButton>
  );
};

/**
 * The plan that follows the current period; after a failed payment, how to be able to change the
 * plan. Null without either.
 */
export const NextPlan = ({ held, children }: { held: HeldSubscription; children?: ReactNode }): ReactElement | null => {
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
  // The store's text goes into a message without tags: a tag in the text would be parsed as a tag
  // of the message.
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
