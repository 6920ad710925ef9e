import { useSelector } from '@xstate/react';
import type { ComponentProps, ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, EventFrom, EventObject } from 'xstate';
import { Button } from './Button.tsx';

type PressProps<Actor extends AnyActorRef> = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  actor: Actor;
  event: EventFrom<Actor> & EventObject;
  /** What a press that the machine would not take now looks like. */
  denied?: 'disabled' | 'hidden';
  /** Whether what it was pressed for is on its way. It keeps the focus then, which a disabled button would lose. */
  busy?: boolean;
};

/** A button that says one thing to one machine, and can only be pressed while the machine would listen. */
export const EventButton = <Actor extends AnyActorRef>({
  actor,
  event,
  denied = 'disabled',
  disabled = false,
  busy = false,
  ...rest
}: PressProps<Actor>): ReactElement | null => {
  const can = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.can(event));
  if (!can && denied === 'hidden') return null;
  const { type }: EventObject = event;
  const press = (): void => {
    if (!busy) actor.send(event);
  };
  return (
    <Button
      data-event={type}
      disabled={!busy && (disabled || !can)}
      aria-disabled={busy || undefined}
      onClick={press}
      {...rest}
    />
  );
};
