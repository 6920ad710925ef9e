import { chakra } from './chakra.ts';

/** A price, already formatted in the customer's language. */
export const PriceTag = chakra('span', {
  base: { fontWeight: 600, fontVariantNumeric: 'tabular-nums lining-nums', whiteSpace: 'nowrap' },
  variants: {
    size: { sm: { fontSize: 'sm' }, md: { fontSize: 'md' }, lg: { fontSize: '2xl' } },
    tone: { plain: { color: 'ink' }, free: { color: 'success' }, muted: { color: 'inkMuted', fontWeight: 400 } },
  },
  defaultVariants: { size: 'md', tone: 'plain' },
});
