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

/**
 * The option to pay with credits: the price and the balance; if the balance is too low, a link for
 * getting more.
 */
const CreditsChoice = ({ actor, credits, balance: { balance, currency } }: CreditsProps): ReactElement => {
  const { t } = useLingui();
  const { enableSubscription } = useBrand().store;
  const formatCredits = useCreditsText();
  const { withCredits } = usePaymentMethods(actor);
  const canChooseCredits = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.can({ type: 'credits.chosen' }));
  const [price, held] = [credits, balance].map((amount) => formatCredits({ amount, currency }));
  return (
    <PaymentRow>
      <input
        type="radio"
        name="payment"
        checked={withCredits}
        disabled={!canChooseCredits}
        data-event="credits.chosen"
        onChange={() => sendChoice(actor, { type: 'credits.chosen' })}
      />
      <span>
        {price}
        <chakra.span display="block" fontSize="sm" color="inkMuted">
          {t`You have ${held}.`}{' '}
          {canChooseCredits || !enableSubscription ? null : (
            <TextLink href="/subscription">
              <Trans>Get more with a subscription</Trans>
            </TextLink>
          )}
        </chakra.span>
      </span>
    </PaymentRow>
  );
};

/** The option of a payment method other than a card, on the gateway's page. */
const MethodChoice = ({ actor, method }: PayerProps & { method: string }): ReactElement => {
  const options = usePaymentMethods(actor);
  return (
    <PaymentRow>
      <input
        type="radio"
        name="payment"
        checked={options.method === method}
        data-event="method.chosen"
        data-value={method}
        onChange={() => sendChoice(actor, { type: 'method.chosen', method })}
      />
      <span>{methodNames[method] ?? method}</span>
    </PaymentRow>
  );
};

/**
 * The choice between the customer's cards, another card or method on the gateway's page, and
 * credits; null if there is only one option.
 */
export const PaymentChoice = ({ actor }: PayerProps): ReactElement | null => {
  const { cards, cardId, credits, balance, withCredits, methods, method } = usePaymentMethods(actor);
  // Payment with credits is not offered to a customer without credits.
  const takesCredits = credits !== null && balance?.accepted === true && balance.balance > 0;
  if (cards.length === 0 && !takesCredits && methods.length === 0) return null;
  return (
    <CardChoice
      cards={cards}
      chosen={withCredits || method !== null ? undefined : cardId}
      choose={(chosenCardId) => sendChoice(actor, { type: 'card.chosen', cardId: chosenCardId })}
    >
      {methods.map((offeredMethod) => (
        <MethodChoice key={offeredMethod} actor={actor} method={offeredMethod} />
      ))}
      {takesCredits ? <CreditsChoice actor={actor} credits={credits} balance={balance} /> : null}
    </CardChoice>
  );
};
