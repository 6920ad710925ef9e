import { useId, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import type { AnyActorRef } from 'xstate';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';

/** An answer to the question: the name of its event, and the text of its button. */
type Answer = { event: string; text: ReactNode };

type QuestionProps = Omit<ComponentProps<typeof chakra.div>, 'children'> & {
  /** An actor of a machine that asks for a confirmation before a change. */
  actor: AnyActorRef;
  question: ReactNode;
  /** The consequences of confirming. */
  meaning?: ReactNode;
  confirm: Answer;
  decline: Answer;
  look?: ComponentProps<typeof EventButton>['look'];
  /** Whether the change is in progress. */
  isRunning: boolean;
};

const takeFocus = (group: HTMLElement | null): void => group?.focus();

/**
 * The question before a removal or a change. The question itself takes the focus, so that neither
 * answer is preset.
 */
export const ConfirmationQuestion = ({
  actor,
  question,
  meaning,
  confirm,
  decline,
  look,
  isRunning,
  ...styles
}: QuestionProps): ReactElement => {
  const id = useId();
  return (
    <chakra.div
      role="group"
      aria-labelledby={id}
      tabIndex={-1}
      ref={takeFocus}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap={3}
      {...styles}
    >
      {meaning === undefined ? (
        <chakra.strong id={id} flex="1 1 100%" overflowWrap="anywhere">
          {question}
        </chakra.strong>
      ) : (
        <chakra.p id={id} flex="1 1 100%">
          <strong>{question}</strong> {meaning}
        </chakra.p>
      )}
      <EventButton actor={actor} event={{ type: confirm.event }} look={look}>
        {isRunning ? <Spinner aria-hidden /> : null}
        {confirm.text}
      </EventButton>
      <EventButton actor={actor} event={{ type: decline.event }} look="outline">
        {decline.text}
      </EventButton>
    </chakra.div>
  );
};
