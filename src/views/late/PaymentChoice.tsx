import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { CreditsChosen, WayChosen, Ways } from '../../../machines/buying/ways-to-pay.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { CardChoice, PaymentRow } from './CardChoice.tsx';
import { useCreditsText } from './credits-text.ts';
import { methodNames } from './way-texts.tsx';

/** A machine whose order can be paid in several ways. */
type PayerProps = { actor: AnyActorRef };

const choose = (actor: AnyActorRef, event: WayChosen | CreditsChosen): void => actor.send(event);
const useWays = (actor: AnyActorRef): Ways => useSelector(actor, ({ context }: AnyMachineSnapshot) => context as Ways);

type CreditsProps = PayerProps & { credits: number; balance: CreditBalance };

/** What it costs in credits beside how many there are; where these are too few, how to come by more. */
const CreditsChoice = ({ actor, credits, balance: { balance, currency } }: CreditsProps): ReactElement => {
  const { t } = useLingui();
  const { enableSubscription } = useBrand().store;
  const textOf = useCreditsText();
  const { withCredits } = useWays(actor);
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
        onChange={() => choose(actor, { type: 'credits.chosen' })}
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

/** A way to pay without a card, on the gateway's page. */
const MethodChoice = ({ actor, method }: PayerProps & { method: string }): ReactElement => {
  const ways = useWays(actor);
  return (
    <PaymentRow>
      <input
        type="radio"
        name="payment"
        checked={ways.method === method}
        data-event="method.chosen"
        data-value={method}
        onChange={() => choose(actor, { type: 'method.chosen', method })}
      />
      <span>{methodNames[method] ?? method}</span>
    </PaymentRow>
  );
};

/** What pays: one of the customer's cards, another one or another way on the gateway's page, or credits; nothing where there is only one way. */
export const PaymentChoice = ({ actor }: PayerProps): ReactElement | null => {
  const { cards, cardId, credits, balance, withCredits, methods, method } = useWays(actor);
  // Whoever has none is not asked.
  const takesCredits = credits !== null && balance?.accepted === true && balance.balance > 0;
  if (cards.length === 0 && !takesCredits && methods.length === 0) return null;
  return (
    <CardChoice
      cards={cards}
      chosen={withCredits || method !== null ? undefined : cardId}
      choose={(chosen) => choose(actor, { type: 'card.chosen', cardId: chosen })}
    >
      {methods.map((each) => (
        <MethodChoice key={each} actor={actor} method={each} />
      ))}
      {takesCredits ? <CreditsChoice actor={actor} credits={credits} balance={balance} /> : null}
    </CardChoice>
  );
};
