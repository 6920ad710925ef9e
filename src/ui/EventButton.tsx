import { useSelector } from '@xstate/react';
import type { ComponentProps, ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, EventFrom, EventObject } from 'xstate';
import { Button } from './Button.tsx';
import { keepFocusInPart } from './pass-focus.ts';

type PressProps<Actor extends AnyActorRef> = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  actor: Actor;
  event: EventFrom<Actor> & EventObject;
  /** The look while the machine does not accept the event. */
  denied?: 'disabled' | 'hidden';
  /**
   * Whether its action is in progress; also true while its machine is busy and accepts no events.
   */
  busy?: boolean;
};

/**
 * A button that sends one event to one machine, and is enabled only while the machine accepts it.
 * It keeps the focus while its action is in progress, which a disabled button would lose, and
 * passes it on when it is removed.
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
      ref={keepFocusInPart}
      data-event={type}
      disabled={!busy && (disabled || !can)}
      aria-disabled={busy || undefined}
      onClick={press}
      {...rest}
    />
  );
};
