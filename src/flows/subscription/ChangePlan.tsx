import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { HeldSubscription, Plan, PlanQuote } from '../../../machines/model/buying/subscription.ts';
import { day } from '../../brand/facts.ts';
import { money } from '../../brand/format.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { ConfirmationQuestion } from '../../views/late/ConfirmationQuestion.tsx';
import { PlanPrice } from '../../views/late/PlanPrice.tsx';

type Props = { actor: ActorRefFrom<typeof subscriptionMachine> };

/** When it begins and what is charged: `plan` is undefined where the one that the customer has is kept. */
const Means = ({ quote: { starts, due, at }, plan }: { quote: PlanQuote; plan: Plan | undefined }): ReactElement => {
  const { i18n } = useLingui();
  if (plan === undefined) return <Trans>You keep the subscription that you have. The other one won’t begin.</Trans>;
  if (starts === 'unknown')
    return <Trans>The payment service tells you what it costs and when it begins, before anything changes.</Trans>;
  const price = <PlanPrice price={plan.price} interval={plan.interval} />;
  const charged = money(due, i18n.locale);
  if (starts === 'now')
    return (
      <Trans>
        It begins at once. You pay {charged} now: what’s left of your subscription has been taken off. It then renews at {price}.
      </Trans>
    );
  if (at === null) return <Trans>It begins with the next renewal. You pay nothing before, and {price} from then on.</Trans>;
  const date = <time dateTime={at}>{day(at, i18n.locale)}</time>;
  return (
    <Trans>
      It begins on {date}. You pay nothing before, and {price} from then on.
    </Trans>
  );
};

const Question = ({ actor, planId }: Props & { planId: string }): ReactElement | null => {
  const { quote, plans, held } = useSelector(actor, ({ context }) => context);
  const isChanging = useSelector(actor, (state) => state.matches('changing'));
  if (quote === null) return null;
  const isKept = planId === held?.planId;
  const plan = plans.find((each) => each.id === planId);
  const confirming = quote.starts === 'now' ? <Trans>Change and pay</Trans> : <Trans>Change</Trans>;
  return (
    <ConfirmationQuestion
      actor={actor}
      question={isKept ? <Trans>Keep your subscription?</Trans> : <Trans>Change to this subscription?</Trans>}
      meaning={<Means quote={quote} plan={isKept ? undefined : plan} />}
      confirm={{ event: 'change.confirmed', text: isKept ? <Trans>Keep it</Trans> : confirming }}
      decline={{ event: 'change.declined', text: <Trans>Not now</Trans> }}
      isRunning={isChanging}
      alignItems="stretch"
      width="100%"
    />
  );
};

/** The way to another plan, or to keep the own one; nothing where it cannot be changed. */
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
      aria-label={isOwn ? t`Keep your subscription: ${name}` : t`Change to: ${name}`}
    >
      {isChosen && isQuoting ? <Spinner aria-hidden /> : null}
      {isOwn ? <Trans>Keep your subscription…</Trans> : <Trans>Change…</Trans>}
    </EventButton>
  );
};

/** What follows the subscription, and why it cannot be changed where it should be possible. */
export const Next = ({ held, children }: { held: HeldSubscription; children?: ReactNode }): ReactElement | null => {
  const { t, i18n } = useLingui();
  const { next, status, until } = held;
  if (status === 'pastDue')
    return (
      <p>
        <Trans>
          Your last payment didn’t go through. Give <TextLink href="/account">another card</TextLink> to go on, or to change.
        </Trans>
      </p>
    );
  if (!next) return null;
  const { name } = next;
  // The store's word stands in a text without tags: one in it would be taken for one of the message's.
  if (next.changing) return <Notice>{t`Your change to ${name} is under way. You won’t be charged twice.`}</Notice>;
  return (
    <Notice>
      <p>
        {until === null ? (
          <Trans>With the next renewal:</Trans>
        ) : (
          <Trans>
            From <time dateTime={until}>{day(until, i18n.locale)}</time>:
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
