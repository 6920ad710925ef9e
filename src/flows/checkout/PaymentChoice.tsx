import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { CreditBalance } from '../../../machines/model/subscription.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { useCreditsText } from '../../views/late/credits-text.ts';
import { useCardName } from '../../views/late/card-name.ts';
import type { CheckoutProps } from './outcome-screens.tsx';

const Choices = chakra('fieldset', {
  base: {
    m: 0,
    p: 0,
    minWidth: 0,
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'md',
    overflow: 'hidden',
    '& legend': { float: 'left', width: '100%', px: 4, pt: 3, pb: 1, fontWeight: 600 },
    '& legend + *': { clear: 'both' },
  },
});

const Row = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: 3,
    minHeight: 12,
    px: 4,
    py: 2,
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    '& + &': { borderTop: '1px solid', borderColor: 'line' },
    '& input': { flex: 'none', width: '1.125rem', height: '1.125rem', accentColor: 'var(--c-colors-accent)' },
    '&:has(:focus-visible)': { outline: '2px solid', outlineOffset: '-2px' },
  },
});

type ChoiceProps = CheckoutProps & { cardId: string | null; children: ReactNode };

const Choice = ({ actor, cardId, children }: ChoiceProps): ReactElement => {
  const chosen = useSelector(actor, ({ context }) => context.cardId === cardId && context.withCredits !== true);
  return (
    <Row>
      <input
        type="radio"
        name="payment"
        checked={chosen}
        data-event="card.chosen"
        data-value={cardId ?? ''}
        onChange={() => actor.send({ type: 'card.chosen', cardId })}
      />
      <span>{children}</span>
    </Row>
  );
};

type CreditsProps = CheckoutProps & { credits: number; balance: CreditBalance };

/** What it costs in credits beside how many there are; where these are too few, how to come by more. */
const CreditsChoice = ({ actor, credits, balance: { balance, currency } }: CreditsProps): ReactElement => {
  const { enableSubscription } = useBrand().store;
  const textOf = useCreditsText();
  const chosen = useSelector(actor, ({ context }) => context.withCredits === true);
  const can = useSelector(actor, (snapshot) => snapshot.can({ type: 'credits.chosen' }));
  const [price, held] = [credits, balance].map((amount) => textOf({ amount, currency }));
  return (
    <Row>
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
          <Trans>You have {held}.</Trans>{' '}
          {can || !enableSubscription ? null : (
            <TextLink href="/subscription">
              <Trans>Get more with a subscription</Trans>
            </TextLink>
          )}
        </chakra.span>
      </span>
    </Row>
  );
};

/** What pays: one of the customer's cards, another one on the gateway's page, or credits; nothing where there is only one way. */
export const PaymentChoice = ({ actor }: CheckoutProps): ReactElement | null => {
  const nameOf = useCardName();
  const { cards, credits, balance } = useSelector(actor, ({ context }) => context);
  const takesCredits = credits !== undefined && balance?.accepted === true;
  if (cards.length === 0 && !takesCredits) return null;
  return (
    <Choices>
      <legend>
        <Trans>Pay with</Trans>
      </legend>
      {cards.map((card) => (
        <Choice key={card.id} actor={actor} cardId={card.id}>
          {nameOf(card)}
          {card.pii.expiry === '' ? null : (
            <chakra.span display="block" fontSize="sm" color="inkMuted">
              <Trans>Expires {card.pii.expiry}</Trans>
            </chakra.span>
          )}
        </Choice>
      ))}
      <Choice actor={actor} cardId={null}>
        {cards.length === 0 ? <Trans>Card</Trans> : <Trans>Another card</Trans>}
      </Choice>
      {takesCredits ? <CreditsChoice actor={actor} credits={credits} balance={balance} /> : null}
    </Choices>
  );
};
