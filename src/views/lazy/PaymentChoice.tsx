import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { CreditsEvent, MethodEvent, PaymentOptions } from '../../../machines/buying/ways-to-pay.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { CardChoice, PaymentRow } from './CardChoice.tsx';
import { useCreditsText } from './credits-text.ts';
import { methodNames } from './payment-texts.tsx';

/** An actor of a machine whose order has several payment methods. */
type PayerProps = { actor: AnyActorRef };

const sendChoice = (actor: AnyActorRef, event: MethodEvent | CreditsEvent): void => actor.send(event);
const usePaymentMethods = (actor: AnyActorRef): PaymentOptions =>
  useSelector(actor, ({ context }: AnyMachineSnapshot) => context as PaymentOptions);

type CreditsProps = PayerProps & { credits: number; balance: CreditBalance };

/** The price in credits beside the balance; where that is too low, how to get more. */
const CreditsChoice = ({ actor, credits, balance: { balance, currency } }: CreditsProps): ReactElement => {
  const { t } = useLingui();
  const { enableSubscription } = useBrand().store;
  const textOf = useCreditsText();
  const { withCredits } = usePaymentMethods(actor);
  const can = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.can({ type: 'credits.chosen' }));
  const [price, held] = [credits, balance].map((amount) => textOf({ amount, currency }));
  return (
    <PaymentRow>
      <input
        type="radio"
        name="payment"
        checked={withCredits}
        disabled={!can}
        data-event="credits.chosen"
        onChange={() => sendChoice(actor, { type: 'credits.chosen' })}
      />
      <span>
        {price}
        <chakra.span display="block" fontSize="sm" color="inkMuted">
          {t`You have ${held}.`}{' '}
          {can || !enableSubscription ? null : (
            <TextLink href="/subscription">
              <Trans>Get more with a subscription</Trans>
            </TextLink>
          )}
        </chakra.span>
      </span>
    </PaymentRow>
  );
};

/** A payment method other than a card, on the gateway's page. */
const MethodChoice = ({ actor, method }: PayerProps & { method: string }): ReactElement => {
  const ways = usePaymentMethods(actor);
  return (
    <PaymentRow>
      <input
        type="radio"
        name="payment"
        checked={ways.method === method}
        data-event="method.chosen"
        data-value={method}
        onChange={() => sendChoice(actor, { type: 'method.chosen', method })}
      />
      <span>{methodNames[method] ?? method}</span>
    </PaymentRow>
  );
};

/**
 * The choice of payment: one of the customer's cards, another one or another method on the
 * gateway's page, or credits; nothing where there is only one option.
 */
export const PaymentChoice = ({ actor }: PayerProps): ReactElement | null => {
  const { cards, cardId, credits, balance, withCredits, methods, method } = usePaymentMethods(actor);
  // Not offered to a customer without credits.
  const takesCredits = credits !== null && balance?.accepted === true && balance.balance > 0;
  if (cards.length === 0 && !takesCredits && methods.length === 0) return null;
  return (
    <CardChoice
      cards={cards}
      chosen={withCredits || method !== null ? undefined : cardId}
      choose={(chosen) => sendChoice(actor, { type: 'card.chosen', cardId: chosen })}
    >
      {methods.map((each) => (
        <MethodChoice key={each} actor={actor} method={each} />
      ))}
      {takesCredits ? <CreditsChoice actor={actor} credits={credits} balance={balance} /> : null}
    </CardChoice>
  );
};
