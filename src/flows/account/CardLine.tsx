import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { cardsMachine } from '../../../machines/account/cards.ts';
import type { Card } from '../../../machines/model/buying/card.ts';
import { chakra } from '../../ui/chakra.ts';
import { useCardName } from '../../views/lazy/card-name.ts';
import { Row, RowButton } from './Row.tsx';
import { RemovalQuestion, useIsConfirmingRemoval } from './RemovalQuestion.tsx';

type Props = { actor: ActorRefFrom<typeof cardsMachine>; card: Card };

const Expiry = ({ card: { isExpired, pii } }: { card: Card }): ReactElement | null => {
  const { expiry } = pii;
  if (expiry === '') return null;
  return isExpired ? (
    <chakra.p color="danger" fontWeight={600}>
      <Trans>Expired {expiry}</Trans>
    </chakra.p>
  ) : (
    <chakra.p color="inkMuted">
      <Trans>Expires {expiry}</Trans>
    </chakra.p>
  );
};

const Question = ({ actor, card }: Props): ReactElement => {
  const name = useCardName()(card);
  return (
    <RemovalQuestion
      actor={actor}
      question={<Trans>Remove {name}?</Trans>}
      look="danger"
      remove={<Trans>Remove card</Trans>}
      keep={<Trans>Keep card</Trans>}
    />
  );
};

/** A card's name and expiry date, with its buttons. */
const Facts = ({ actor, card }: Props): ReactElement => {
  const { t } = useLingui();
  const getCardName = useCardName();
  const name = getCardName(card);
  const chosenCardId = useSelector(actor, ({ context }) => context.chosen);
  const isChanging = useSelector(actor, (state) => state.matches('changing'));
  const { id, isDefault } = card;
  return (
    <>
      <chakra.div flex="1 1 12rem" minWidth="0" overflowWrap="anywhere">
        <p>{name}</p>
        <Expiry card={card} />
      </chakra.div>
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap={3}>
        {isDefault ? (
          <chakra.strong pr={2}>
            <Trans>Default</Trans>
          </chakra.strong>
        ) : (
          <RowButton
            actor={actor}
            event={{ type: 'default.pressed', cardId: id }}
            itemId={id}
            label={t`Use by default: ${name}`}
            isRunning={isChanging && chosenCardId === id}
          >
            <Trans>Use by default</Trans>
          </RowButton>
        )}
        <RowButton
          actor={actor}
          event={{ type: 'remove.pressed', cardId: id }}
          itemId={id}
          label={t`Remove ${name}`}
          restoresFocus={chosenCardId === id}
        >
          <Trans>Remove</Trans>
        </RowButton>
      </chakra.div>
    </>
  );
};

/** One card with its actions, or the question whether to remove it. */
export const CardLine = ({ actor, card }: Props): ReactElement => {
  const isConfirmingRemoval = useIsConfirmingRemoval(actor, card.id);
  return <Row>{isConfirmingRemoval ? <Question actor={actor} card={card} /> : <Facts actor={actor} card={card} />}</Row>;
};
