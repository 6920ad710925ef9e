import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { AnyActorRef } from 'xstate';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';

/** An item in a panel's list. */
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
  /** The accessible name, which contains the item's name. */
  label: string;
  /** Whether the button gets the focus back after the question or form that it opened is closed. */
  restoresFocus?: boolean;
  isRunning?: boolean;
  children: ReactNode;
};

/** A button for a row's item. */
export const RowButton = <Actor extends AnyActorRef>({
  actor,
  event,
  itemId,
  label,
  restoresFocus = false,
  isRunning = false,
  children,
}: RowButtonProps<Actor>): ReactElement => (
  <EventButton actor={actor} event={event} data-value={itemId} look="outline" aria-label={label} autoFocus={restoresFocus}>
    {isRunning ? <Spinner aria-hidden /> : null}
    {children}
  </EventButton>
);
