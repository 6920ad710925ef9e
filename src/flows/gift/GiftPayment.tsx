import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { CreditBalance } from '../../../machines/model/subscription.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { CardChoice, PaymentRow } from '../../views/late/CardChoice.tsx';
import { useCreditsText } from '../../views/late/credits-text.ts';
import type { GiftProps } from './outcome-screens.tsx';

type CreditsProps = GiftProps & { credits: number; balance: CreditBalance };

/** What the gift costs in credits beside how many there are; where these are too few, how to come by more. */
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

/** What pays for the gift: one of the giver's cards, another one, or credits; nothing where there is only one way. */
export const GiftPayment = ({ actor }: GiftProps): ReactElement | null => {
  const { cards, cardId, credits, balance, withCredits } = useSelector(actor, ({ context }) => context);
  // Whoever has none is not asked.
  const takesCredits = credits !== undefined && balance?.accepted === true && balance.balance > 0;
  if (cards.length === 0 && !takesCredits) return null;
  return (
    <CardChoice
      cards={cards}
      chosen={withCredits === true ? undefined : cardId}
      choose={(chosen) => actor.send({ type: 'card.chosen', cardId: chosen })}
    >
      {takesCredits ? <CreditsChoice actor={actor} credits={credits} balance={balance} /> : null}
    </CardChoice>
  );
};
