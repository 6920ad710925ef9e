import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { isFree } from '../../../machines/model/price.ts';
import type { CreditBalance } from '../../../machines/model/subscription.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { CardChoice, PaymentRow } from '../../views/late/CardChoice.tsx';
import { useCreditsText } from '../../views/late/credits-text.ts';
import type { CheckoutProps } from './outcome-screens.tsx';

type CreditsProps = CheckoutProps & { credits: number; balance: CreditBalance };

/** What it costs in credits beside how many there are; where these are too few, how to come by more. */
const CreditsChoice = ({ actor, credits, balance: { balance, currency } }: CreditsProps): ReactElement => {
  const { t } = useLingui();
  const { enableSubscription } = useBrand().store;
  const textOf = useCreditsText();
  const chosen = useSelector(actor, ({ context }) => context.withCredits === true);
  const can = useSelector(actor, (snapshot) => snapshot.can({ type: 'credits.chosen' }));
  const [price, held] = [credits, balance].map((amount) => textOf({ amount, currency }));
  return (
    <PaymentRow>
      <input
        type="radio"
        name="payment"
        checked={chosen}
        disabled={!can}
        data-event="credits.chosen"
        onChange={() => actor.send({ type: 'credits.chosen' })}
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

const methodNames: Record<string, ReactElement> = {
  wallet: <Trans>Digital wallet</Trans>,
  // A name of its own in every language.
  upi: <>UPI</>,
  netbanking: <Trans>Net banking</Trans>,
};

/** A way to pay without a card, on the gateway's page. */
const MethodChoice = ({ actor, method }: CheckoutProps & { method: string }): ReactElement => {
  const chosen = useSelector(actor, ({ context }) => context.method === method);
  return (
    <PaymentRow>
      <input
        type="radio"
        name="payment"
        checked={chosen}
        data-event="method.chosen"
        data-value={method}
        onChange={() => actor.send({ type: 'method.chosen', method })}
      />
      <span>{methodNames[method] ?? method}</span>
    </PaymentRow>
  );
};

/** What pays: one of the customer's cards, another one or another way on the gateway's page, or credits; nothing where there is only one way. */
export const PaymentChoice = ({ actor }: CheckoutProps): ReactElement | null => {
  const {
    title,
    cards,
    cardId,
    credits,
    balance,
    withCredits,
    methods = [],
    method = null,
  } = useSelector(actor, ({ context }) => context);
  // Whoever has none is not asked.
  const takesCredits = credits !== undefined && balance?.accepted === true && balance.balance > 0;
  if ((title !== null && isFree(title)) || (cards.length === 0 && !takesCredits && methods.length === 0)) return null;
  return (
    <CardChoice
      cards={cards}
      chosen={withCredits === true || method !== null ? undefined : cardId}
      choose={(chosen) => actor.send({ type: 'card.chosen', cardId: chosen })}
    >
      {methods.map((each) => (
        <MethodChoice key={each} actor={actor} method={each} />
      ))}
      {takesCredits ? <CreditsChoice actor={actor} credits={credits} balance={balance} /> : null}
    </CardChoice>
  );
};
