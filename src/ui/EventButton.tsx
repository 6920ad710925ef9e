import { useSelector } from '@xstate/react';
import type { ComponentProps, ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, EventFrom, EventObject } from 'xstate';
import { Button } from './Button.tsx';

type PressProps<Actor extends AnyActorRef> = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  actor: Actor;
  event: EventFrom<Actor> & EventObject;
  /** What a press that the machine would not take now looks like. */
  denied?: 'disabled' | 'hidden';
};

/** A button that says one thing to one machine, and can only be pressed while the machine would listen. */
export const EventButton = <Actor extends AnyActorRef>({
  actor,
  event,
  denied = 'disabled',
  disabled = false,
  ...rest
}: PressProps<Actor>): ReactElement | null => {
  const can = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.can(event));
  if (!can && denied === 'hidden') return null;
  const { type }: EventObject = event;
  return <Button data-event={type} disabled={disabled || !can} onClick={() => actor.send(event)} {...rest} />;
};
