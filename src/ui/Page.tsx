import { chakra } from './chakra.ts';

/** The column that contains a screen. */
export const Page = chakra('div', {
  base: { width: '100%', mx: 'auto', px: { base: 4, md: 8 }, py: { base: 6, md: 10 } },
  variants: {
    width: {
      narrow: { maxWidth: '28rem' },
      text: { maxWidth: '44rem' },
      wide: { maxWidth: '80rem' },
    },
  },
  defaultVariants: { width: 'wide' },
});

/** A white sheet on the background, for forms and summaries. */
export const Sheet = chakra('div', {
  base: {
    bg: 'surface',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'lg',
    boxShadow: 'card',
    p: { base: 5, md: 8 },
  },
});
