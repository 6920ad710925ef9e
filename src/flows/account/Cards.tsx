import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { cardsMachine } from '../../../machines/account/cards.ts';
import type { CardNotice } from '../../../machines/account/cards-setup.ts';
import { CardForm, canStillAddCard, type Card } from '../../../machines/model/buying/card.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading, Spinner } from '../../ui/Loading.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { keepFocusWithin } from '../../views/keep-focus-within.ts';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { MachineForm } from '../../views/MachineForm.tsx';
import { formatFieldProblem } from '../../views/lazy/field-problem-text.tsx';
import { CardLine } from './CardLine.tsx';
import { useCardName } from '../../views/lazy/card-name.ts';
import { Done } from './Done.tsx';
import { FormAnswers } from './FormAnswers.tsx';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof cardsMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your cards…</Trans>
  </Loading>
);

/**
 * Focuses the notice, so that a customer who returns from the gateway first reads why the card was
 * not added.
 */
const takeFocus = (notice: HTMLElement | null): void => notice?.focus();

const NoticeText = ({ what: change, card }: CardNotice): ReactElement => {
  const getCardName = useCardName();
  if (card === null) return <Trans>Your card has been added.</Trans>;
  const name = getCardName(card);
  if (change === 'added') return <Trans>{name} has been added.</Trans>;
  return change === 'removed' ? <Trans>{name} has been removed.</Trans> : <Trans>{name} is now used by default.</Trans>;
};

/**
 * Why a change of cards failed. Such a change charges nothing, so the texts for payments would
 * mislead.
 */
const formatReason = (problem: Problem): ReactElement => {
  if (problem.kind === 'refused' && problem.code === 'payment_unavailable')
    return <Trans>The payment service isn’t responding right now. Please try again in a moment.</Trans>;
  return formatProblem(problem);
};

const NotAdded = ({ actor, problem }: Props & { problem: Problem }): ReactElement => {
  const isAdding = useSelector(actor, (state) => state.matches('addingAgain'));
  const canRetry = canStillAddCard(problem);
  return (
    <chakra.div tabIndex={-1} ref={takeFocus} display="grid" gap={3} justifyItems="start" mb={3}>
      <ProblemNotice problem={problem}>
        <strong>
          {canRetry ? <Trans>Your card hasn’t been added yet.</Trans> : <Trans>Your card hasn’t been added.</Trans>}
        </strong>
        {canRetry ? (
          formatReason(problem)
        ) : (
          <Trans>It took too long, or the card had already been added. Please add it again.</Trans>
        )}
      </ProblemNotice>
      {canRetry ? (
        <EventButton actor={actor} event={{ type: 'again.pressed' }} look="outline">
          {isAdding ? <Spinner aria-hidden /> : null}
          <Trans>Try again</Trans>
        </EventButton>
      ) : null}
    </chakra.div>
  );
};

/** The list of cards; it stays visible while a card is being changed. */
const Shown = ({ actor }: Props): ReactElement => {
  const { cards, problem, notAdded, notice } = useSelector(actor, ({ context }) => context);
  const isStarting = useSelector(actor, (state) => state.matches('starting'));
  return (
    <>
      {notAdded === null ? null : <NotAdded actor={actor} problem={notAdded} />}
      {problem === null ? null : <ProblemNotice problem={problem}>{formatReason(problem)}</ProblemNotice>}
      {notice === null ? null : (
        <Done>
          <NoticeText {...notice} />
        </Done>
      )}
      {cards.length === 0 ? (
        <p>
          <Trans>You haven’t saved any cards.</Trans>
        </p>
      ) : (
        <chakra.ul listStyleType="none">
          {cards.map((card: Card) => (
            <CardLine key={card.id} actor={actor} card={card} />
          ))}
        </chakra.ul>
      )}
      <chakra.p color="inkMuted" mt={3}>
        <Trans>Card numbers are kept by the payment service. This shop never sees them.</Trans>
      </chakra.p>
      <EventButton actor={actor} event={{ type: 'add.pressed' }} look="outline" mt={3}>
        {isStarting ? <Spinner aria-hidden /> : null}
        <Trans>Add a card</Trans>
      </EventButton>
    </>
  );
};

/** The form for a new card; browsers can fill in its fields. */
const Typing = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const { fields, problem } = useSelector(actor, ({ context }) => context);
  const digitInputProps = { inputMode: 'numeric', spellCheck: false } as const;
  return (
    <Sheet display="grid" gap={5}>
      {problem === null ? null : <ProblemNotice problem={problem}>{formatReason(problem)}</ProblemNotice>}
      <MachineForm actor={actor} name="card" form={CardForm} maxWidth="26rem">
        <TextField
          {...digitInputProps}
          name="cardNumber"
          autoComplete="cc-number"
          label={t`Card number`}
          problem={formatFieldProblem(fields['cardNumber'])}
        />
        <chakra.div display="grid" gap={5} gridTemplateColumns={{ base: '1fr', md: '1fr 1fr' }}>
          <TextField
            {...digitInputProps}
            name="cardExpiry"
            autoComplete="cc-exp"
            label={t`Expires (MM/YY)`}
            problem={formatFieldProblem(fields['cardExpiry'])}
          />
          <TextField
            {...digitInputProps}
            name="cardCode"
            autoComplete="cc-csc"
            label={t`Security code`}
            problem={formatFieldProblem(fields['cardCode'])}
          />
        </chakra.div>
        <TextField
          name="cardName"
          autoComplete="cc-name"
          spellCheck={false}
          label={t`Name on the card`}
          problem={formatFieldProblem(fields['cardName'])}
        />
        <FormAnswers actor={actor} cancel="typing.cancelled" event="card.submitted" busyText={t`Saving…`}>
          <Trans>Add a card</Trans>
        </FormAnswers>
      </MachineForm>
      <span hidden ref={keepFocusWithin} />
    </Sheet>
  );
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your cards</Trans>} />
);

const screens: Screens<typeof cardsMachine> = {
  adding: Fetching,
  loading: Fetching,
  shown: Shown,
  addingAgain: Shown,
  asking: Shown,
  removing: Shown,
  changing: Shown,
  starting: Shown,
  typing: Typing,
  sending: Typing,
  failed: Failed,
};

/** The cards that the payment gateway has saved for the customer. */
export const Cards = ({ actor }: Props): ReactElement => (
  <Section flow="cards" actor={actor} screens={screens} heading={<Trans>Cards</Trans>} />
);
