import { useSelector } from '@xstate/react';
import type { ComponentProps, ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, EventFrom, EventObject } from 'xstate';
import { Button } from './Button.tsx';
import { keepFocusInSection } from './keep-focus.ts';

type PressProps<Actor extends AnyActorRef> = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  actor: Actor;
  event: EventFrom<Actor> & EventObject;
  /** How the button is shown while the machine does not accept the event. */
  deniedLook?: 'disabled' | 'hidden';
  /**
   * Whether the button's action is in progress; also assumed while its machine is busy and does not
   * accept the event.
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
  deniedLook = 'disabled',
  disabled = false,
  busy: isAwaited = false,
  ...buttonProps
}: PressProps<Actor>): ReactElement | null => {
  const isAccepted = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.can(event));
  const isWaiting = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.hasTag('busy'));
  if (!isAccepted && deniedLook === 'hidden') return null;
  const busy = isAwaited || (!isAccepted && isWaiting);
  const { type }: EventObject = event;
  const sendEvent = (): void => {
    if (!busy) actor.send(event);
  };
  return (
    <Button
      ref={keepFocusInSection}
      data-event={type}
      disabled={!busy && (disabled || !isAccepted)}
      aria-disabled={busy || undefined}
      onClick={sendEvent}
      {...buttonProps}
    />
  );
};
