import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { AnyActorRef } from 'xstate';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';

/** An item in the list of a panel. */
export const Row = chakra('li', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: 6,
    rowGap: 2,
    py: 3,
    borderBottom: '1px solid',
    borderColor: 'line',
  },
});

type RowButtonProps<Actor extends AnyActorRef> = Pick<ComponentProps<typeof EventButton<Actor>>, 'actor' | 'event'> & {
  itemId: string;
  /** Says which item it is for. */
  label: string;
  /** Whether it takes the focus, after a question that it has led to. */
  returns?: boolean;
  isRunning?: boolean;
  children: ReactNode;
};

/** A button for the item of a row. */
export const RowButton = <Actor extends AnyActorRef>({
  actor,
  event,
  itemId,
  label,
  returns = false,
  isRunning = false,
  children,
}: RowButtonProps<Actor>): ReactElement => (
  <EventButton actor={actor} event={event} data-value={itemId} look="outline" aria-label={label} autoFocus={returns}>
    {isRunning ? <Spinner aria-hidden /> : null}
    {children}
  </EventButton>
);
