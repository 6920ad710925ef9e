import type { FocusEvent } from 'react';
import { chakra } from './chakra.ts';

const surfaceStyle = {
  m: 0,
  p: 4,
  bg: 'surface',
  color: 'ink',
  border: '1px solid',
  borderColor: 'line',
  boxShadow: 'coverRaised',
} as const;

/**
 * A panel that is opened by a button whose `popoverTarget` is its id; the browser closes it on
 * Escape and on a press outside.
 */
export const Popover = chakra('div', {
  base: {
    ...surfaceStyle,
    position: 'fixed',
    '&:popover-open': { display: 'flex', flexDirection: 'column', gap: 4 },
  },
  variants: {
    side: {
      /** A drawer over the left side. */
      left: {
        inset: '0 auto 0 0',
        width: 'min(20rem, 86vw)',
        height: '100dvh',
        maxHeight: 'none',
        overflowY: 'auto',
        '&::backdrop': { bg: 'rgb(31 28 24 / 0.35)' },
      },
      /** A card under the right end of the top bar. */
      topRight: { inset: '4.75rem 1rem auto auto', minWidth: '15rem', maxWidth: 'calc(100vw - 2rem)', borderRadius: 'md' },
    },
  },
  defaultVariants: { side: 'topRight' },
});

/**
 * Closes a panel when the keyboard moves the focus out of it. A press on an unfocusable element,
 * such as a label, moves the focus to an ancestor of the panel: then the panel stays open. It also
 * stays open when the focus moves to its own button, which closes the panel itself.
 */
export const closeOnFocusLeave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
  if (!relatedTarget || currentTarget.contains(relatedTarget) || relatedTarget.contains(currentTarget)) return;
  if (relatedTarget.getAttribute('popovertarget') !== currentTarget.id) currentTarget.hidePopover();
};
