import { useSelector } from '@xstate/react';
import type { ComponentProps, ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, EventFrom, EventObject } from 'xstate';
import { Button } from './Button.tsx';
import { passFocusOn } from './pass-focus.ts';

type PressProps<Actor extends AnyActorRef> = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  actor: Actor;
  event: EventFrom<Actor> & EventObject;
  /** What a press that the machine would not take now looks like. */
  denied?: 'disabled' | 'hidden';
  /** Whether what it was pressed for is on its way, as it is, too, while its machine is busy and would not listen. */
  busy?: boolean;
};

/**
 * A button that says one thing to one machine, and can only be pressed while the machine would listen. It keeps the focus while
 * something is on its way, which a disabled button would lose, and hands it on when it goes.
 */
export const EventButton = <Actor extends AnyActorRef>({
  actor,
  event,
  denied = 'disabled',
  disabled = false,
  busy: isAwaited = false,
  ...rest
}: PressProps<Actor>): ReactElement | null => {
  const can = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.can(event));
  const isWaiting = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.hasTag('busy'));
  if (!can && denied === 'hidden') return null;
  const busy = isAwaited || (!can && isWaiting);
  const { type }: EventObject = event;
  const press = (): void => {
    if (!busy) actor.send(event);
  };
  return (
    <Button
      ref={passFocusOn}
      data-event={type}
      disabled={!busy && (disabled || !can)}
      aria-disabled={busy || undefined}
      onClick={press}
      {...rest}
    />
  );
};
