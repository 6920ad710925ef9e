import { useSelector } from '@xstate/react';
import type { ComponentProps, MouseEvent, ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, EventFrom, EventObject } from 'xstate';
import { buttonRecipe } from './button.ts';
import { chakra } from './chakra.ts';
import { keepFocusInPart } from './pass-focus.ts';

const Anchor = chakra('a', buttonRecipe);

type EventLinkProps<Actor extends AnyActorRef> = Omit<ComponentProps<typeof Anchor>, 'onClick' | 'href'> & {
  actor: Actor;
  event: EventFrom<Actor> & EventObject;
  /** The address that the machine navigates to with this event. */
  href: string;
  /** The look while the machine does not accept the event. */
  denied?: 'disabled' | 'hidden';
};

/**
 * Whether a click has none of the modifiers and buttons that open a link in another tab or window.
 */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/**
 * An event that only navigates: a link that looks like a button. It works before hydration and
 * without scripts; after hydration it sends the event to the machine instead.
 */
export const EventLink = <Actor extends AnyActorRef>({
  actor,
  event,
  denied = 'hidden',
  ...rest
}: EventLinkProps<Actor>): ReactElement | null => {
  const can = useSelector(actor, (snapshot: AnyMachineSnapshot) => snapshot.can(event));
  if (!can && denied === 'hidden') return null;
  const { type }: EventObject = event;
  const press = (click: MouseEvent): void => {
    if (!isPlainClick(click)) return;
    click.preventDefault();
    if (can) actor.send(event);
  };
  return <Anchor ref={keepFocusInPart} data-event={type} aria-disabled={!can || undefined} onClick={press} {...rest} />;
};
