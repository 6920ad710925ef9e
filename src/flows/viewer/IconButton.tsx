import type { ComponentProps, ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';

const iconPaths = {
  close: 'M6 6l12 12M18 6L6 18',
  contents: 'M4 6h16M4 12h16M4 18h10',
  settings: 'M4 19L9 5l5 14M5.8 14h6.4M16 19l2.8-8 2.7 8M17 16.4h3.6',
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  play: 'M8 5.2v13.6a.6.6 0 0 0 .9.5l10.6-6.8a.6.6 0 0 0 0-1L8.9 4.7a.6.6 0 0 0-.9.5z',
  pause: 'M8 5v14M16 5v14',
  back: 'M11 4L6 8l5 4M6 8h7a6 6 0 1 1-6 6',
  forward: 'M13 4l5 4-5 4M18 8h-7a6 6 0 1 0 6 6',
  volume: 'M4 10v4h3.5L12 18V6L7.5 10zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  muted: 'M4 10v4h3.5L12 18V6L7.5 10zM16 9.5l5 5M21 9.5l-5 5',
  captions: 'M4 6h16v12H4zM10.5 10.8a2 2 0 1 0 0 2.4M17 10.8a2 2 0 1 0 0 2.4',
  fullScreen: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  window: 'M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5',
  sound: 'M5 10v4M9 7v10M13 4v16M17 8v8M21 10.5v3',
} as const;

type ReaderIconName = keyof typeof iconPaths;

/** A line icon in the colour of the surrounding text, hidden from screen readers. */
export const ReaderIcon = ({ name, size = 24 }: { name: ReaderIconName; size?: number }): ReactElement => (
  <svg
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill={name === 'play' ? 'currentColor' : 'none'}
    stroke="currentColor"
    strokeWidth={name === 'pause' ? 4 : 1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
    focusable="false"
  >
    <path d={iconPaths[name]} />
  </svg>
);

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
    '&[aria-pressed="true"]': { background: 'color-mix(in srgb, currentColor 18%, transparent)' },
    _disabled: { opacity: 0.35, cursor: 'default', background: 'transparent' },
  },
});

type Props = ComponentProps<typeof Round> & {
  icon: ReaderIconName;
  label: string;
  /** The name of the machine's event; absent for actions of the browser itself. */
  event?: string | undefined;
  iconSize?: number;
  /** The keyboard shortcut, in the format of `aria-keyshortcuts`. */
  shortcut?: string;
};

/** A button with an icon and `label` as its accessible name. */
export const IconButton = ({ icon, label, event, iconSize = 22, shortcut, children, ...buttonProps }: Props): ReactElement => (
  <Round
    type="button"
    aria-label={label}
    aria-keyshortcuts={shortcut}
    title={shortcut === undefined ? label : `${label} (${shortcut})`}
    data-event={event}
    {...buttonProps}
  >
    <ReaderIcon name={icon} size={iconSize} />
    {children}
  </Round>
);
