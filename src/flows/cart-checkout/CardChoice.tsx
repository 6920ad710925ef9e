import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import { chakra } from '../../ui/chakra.ts';
import { useCardName } from '../../views/card-name.ts';
import type { CartCheckoutProps } from './outcome-screens.tsx';

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

type ChoiceProps = CartCheckoutProps & { cardId: string | null; children: ReactNode };

const Choice = ({ actor, cardId, children }: ChoiceProps): ReactElement => {
  const chosen = useSelector(actor, ({ context }) => context.cardId === cardId);
  return (
    <Row>
      <input
        type="radio"
        name="card"
        checked={chosen}
        data-event="card.chosen"
        data-value={cardId ?? ''}
        onChange={() => actor.send({ type: 'card.chosen', cardId })}
      />
      <span>{children}</span>
    </Row>
  );
};

/** Which of the customer's cards pays, or another one on the gateway's page; nothing where there is none to choose. */
export const CardChoice = ({ actor }: CartCheckoutProps): ReactElement | null => {
  const nameOf = useCardName();
  const cards = useSelector(actor, ({ context }) => context.cards);
  if (cards.length === 0) return null;
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
        <Trans>Another card</Trans>
      </Choice>
    </Choices>
  );
};
