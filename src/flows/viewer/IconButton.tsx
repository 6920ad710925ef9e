import type { ComponentProps, ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';
import { Icon, type IconName } from './icons.tsx';

const Round = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    flex: 'none',
    minWidth: '44px',
    height: '44px',
    paddingInline: '10px',
    gap: '8px',
    borderRadius: '12px',
    background: 'transparent',
    color: 'inherit',
    cursor: 'pointer',
    transition: 'background 120ms',
    _hover: { background: 'color-mix(in srgb, currentColor 10%, transparent)' },
    _expanded: { background: 'color-mix(in srgb, currentColor 14%, transparent)' },
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '2px' },
    _disabled: { opacity: 0.35, cursor: 'default', background: 'transparent' },
  },
});

type Props = ComponentProps<typeof Round> & { icon: IconName; label: string; event: string; iconSize?: number };

/** A button that shows a drawing and says `label`. */
export const IconButton = ({ icon, label, event, iconSize = 22, children, ...rest }: Props): ReactElement => (
  <Round type="button" aria-label={label} title={label} data-event={event} {...rest}>
    <Icon name={icon} size={iconSize} />
    {children}
  </Round>
);
