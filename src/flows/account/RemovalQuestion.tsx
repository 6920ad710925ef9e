import { useSelector } from '@xstate/react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { RemovalDecision } from '../../../machines/account/removal.ts';
import { ConfirmationQuestion } from '../../views/lazy/ConfirmationQuestion.tsx';

type RemovalProps = Pick<ComponentProps<typeof ConfirmationQuestion>, 'actor' | 'question' | 'look'> & {
  remove: ReactNode;
  keep: ReactNode;
};

const decisionEvents = { confirm: 'removal.confirmed', decline: 'removal.cancelled' } as const satisfies Record<
  string,
  RemovalDecision['type']
>;

/** The question before an item of a list is removed (`machines/account/removal.ts`). */
export const RemovalQuestion = ({ actor, question, look, remove, keep }: RemovalProps): ReactElement => {
  const isRemoving = useSelector(actor, (state: AnyMachineSnapshot) => state.matches('removing'));
  return (
    <ConfirmationQuestion
      actor={actor}
      question={question}
      confirm={{ event: decisionEvents.confirm, text: remove }}
      decline={{ event: decisionEvents.decline, text: keep }}
      look={look}
      isRunning={isRemoving}
      width="100%"
    />
  );
};

/** Whether the machine asks about this item, or is removing it. */
export const useIsConfirmingRemoval = (actor: RemovalProps['actor'], itemId: string): boolean =>
  useSelector(
    actor,
    (state: AnyMachineSnapshot) =>
      (state.matches('asking') || state.matches('removing')) && (state.context as { chosen: string | null }).chosen === itemId,
  );
