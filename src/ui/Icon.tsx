import type { ReactElement } from 'react';

/** Strokes on a 24 by 24 grid. */
const strokes = {
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13ZM15.5 15.5L20 20',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  person: 'M12 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8ZM4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6',
  library: 'M5 4v16M9 4v16M12.5 5.2l4.6-1.2l3.6 15.2l-3.9 1ZM3.5 20h8',
  sound: 'M4 14v-2a8 8 0 0 1 16 0v2M4 14h3v6H6a2 2 0 0 1-2-2ZM20 14h-3v6h1a2 2 0 0 0 2-2Z',
  film: 'M4 6h16v12H4ZM10.5 9.5v5l4-2.5Z',
  tick: 'M5 13l4.5 4.5L19 7.5',
  look: 'M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16v16M16 7v10',
  heart: 'M12 20S4 15 4 9.2A4.2 4.2 0 0 1 12 7.5a4.2 4.2 0 0 1 8 1.7C20 15 12 20 12 20Z',
  bag: 'M5 8h14l1 12H4ZM8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5',
  fork: 'M12 20v-7M12 13L6 7M12 13l6-6M6 11V7h4M18 11V7h-4',
} as const;

export type IconName = keyof typeof strokes;

/** A small icon beside text, or in a labelled button; hidden from screen readers. */
export const Icon = ({ name, size = 22 }: { name: IconName; size?: number }): ReactElement => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    style={{ flex: 'none' }}
  >
    <path d={strokes[name]} />
  </svg>
);
