import { Trans } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { Card } from '../../../machines/model/buying/card.ts';
import { chakra } from '../../ui/chakra.ts';
import { useCardName } from './card-name.ts';

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

/** One of several payment methods. */
export const PaymentRow = chakra('label', {
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

type ChoiceProps = { cardId: string | null; chosen: boolean; choose: (cardId: string | null) => void; children: ReactNode };

const Choice = ({ cardId, chosen, choose, children }: ChoiceProps): ReactElement => (
  <PaymentRow>
    <input
      type="radio"
      name="payment"
      checked={chosen}
      data-event="card.chosen"
      data-value={cardId ?? ''}
      onChange={() => choose(cardId)}
    />
    <span>{children}</span>
  </PaymentRow>
);

type Props = {
  cards: Card[];
  /**
   * The chosen card's id, null for another card on the gateway's page; undefined for another
   * payment method.
   */
  chosen: string | null | undefined;
  choose: (cardId: string | null) => void;
  /** Other payment methods. */
  children?: ReactNode;
};

/**
 * The choice between the customer's cards, another card on the gateway's page, and other payment
 * methods.
 */
export const CardChoice = ({ cards, chosen, choose, children }: Props): ReactElement => {
  const getCardName = useCardName();
  return (
    <Choices>
      <legend>
        <Trans>Pay with</Trans>
      </legend>
      {cards.map((card) => (
        <Choice key={card.id} cardId={card.id} chosen={chosen === card.id} choose={choose}>
          {getCardName(card)}
          {card.pii.expiry === '' ? null : (
            <chakra.span display="block" fontSize="sm" color="inkMuted">
              <Trans>Expires {card.pii.expiry}</Trans>
            </chakra.span>
          )}
        </Choice>
      ))}
      <Choice cardId={null} chosen={chosen === null} choose={choose}>
        {cards.length === 0 ? <Trans>Card</Trans> : <Trans>Another card</Trans>}
      </Choice>
      {children}
    </Choices>
  );
};
