import { useSelector } from '@xstate/react';
import type { ComponentProps, MouseEvent, ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, EventFrom, EventObject } from 'xstate';
import { buttonRecipe } from './button.ts';
import { chakra } from './chakra.ts';
import { keepFocusInSection } from './keep-focus.ts';

const Anchor = chakra('a', buttonRecipe);

type EventLinkProps<Actor extends AnyActorRef> = Omit<ComponentProps<typeof Anchor>, 'onClick' | 'href'> & {
  actor: Actor;
  event: EventFrom<Actor> & EventObject;
  /** The path that the machine navigates to on this event. */
  href: string;
  /** How the link is shown while the machine does not accept the event. */
  deniedLook?: 'disabled' | 'hidden';
};

/**
 * Whether a click has none of the modifiers and buttons that open a link in another tab or window.
 */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/**
 * A link that looks like a button, for an event that only navigates. It works before hydration and
 * without scripts; after hydration it sends the event to the machine instead.
 */
export const EventLink = <Actor extends AnyActorRef>({
  actor,
  event,
  deniedLook = 'hidden',
  ...linkProps
}: EventLinkProps<Actor>): ReactElement | null => {
  const isAccepted = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.can(event));
  if (!isAccepted && deniedLook === 'hidden') return null;
  const { type }: EventObject = event;
  const followOrSend = (click: MouseEvent): void => {
    if (!isPlainClick(click)) return;
    click.preventDefault();
    if (isAccepted) actor.send(event);
  };
  return (
    <Anchor
      ref={keepFocusInSection}
      data-event={type}
      aria-disabled={!isAccepted || undefined}
      onClick={followOrSend}
      {...linkProps}
    />
  );
};
