import { defineRecipe } from './chakra.ts';

/** The look of buttons, and of links that look like buttons. */
export const buttonRecipe = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: 2,
    minHeight: 12,
    px: 6,
    borderRadius: 'md',
    border: '1px solid transparent',
    fontFamily: 'body',
    fontSize: 'md',
    fontWeight: 600,
    lineHeight: 1.2,
    textAlign: 'center',
    textDecoration: 'none',
    cursor: 'pointer',
    transition: 'background-color 120ms, border-color 120ms, color 120ms',
    // The text keeps its contrast: a paler one would be unreadable.
    _disabled: { bg: 'sunken', color: 'inkMuted', borderColor: 'line', cursor: 'not-allowed' },
  },
  variants: {
    look: {
      solid: {
        bg: 'accent',
        color: 'accentText',
        '&:hover:not(:disabled, [aria-disabled=true])': { bg: 'accentDeep', color: 'accentDeepText' },
      },
      outline: {
        bg: 'surface',
        color: 'accentInk',
        borderColor: 'accentInk',
        '&:hover:not(:disabled, [aria-disabled=true])': { bg: 'accentSoft' },
      },
      /** For actions that cannot be undone. */
      danger: {
        bg: 'danger',
        color: 'surface',
        '&:hover:not(:disabled, [aria-disabled=true])': { textDecoration: 'underline' },
      },
      /** On an accent background. */
      inverse: {
        bg: 'accentText',
        color: 'accent',
        _hover: { textDecoration: 'underline' },
      },
      quiet: {
        bg: 'transparent',
        color: 'ink',
        '&:hover:not(:disabled, [aria-disabled=true])': { bg: 'sunken' },
      },
    },
    size: {
      sm: { minHeight: 10, px: 4, fontSize: 'sm' },
      md: {},
      lg: { minHeight: '3.5rem', px: 8, fontSize: 'lg' },
    },
    wide: { true: { width: '100%' } },
  },
  defaultVariants: { look: 'solid', size: 'md' },
});
