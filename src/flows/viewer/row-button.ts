/** A button that fills a row of a list in a panel. */
export const rowButton = {
  width: '100%',
  borderRadius: '12px',
  textAlign: 'start',
  color: 'inherit',
  cursor: 'pointer',
  _hover: { background: 'color-mix(in srgb, currentColor 8%, transparent)' },
  _focusVisible: { outline: '2px solid currentColor', outlineOffset: '-2px' },
} as const;
