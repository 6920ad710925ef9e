import type { Style } from '../ui/chakra.ts';

/** Styles for the store's own running text. */
export const prose: Style = {
  fontSize: 'lg',
  lineHeight: 1.65,
  overflowWrap: 'anywhere',
  '& h1, & h2': { fontSize: '2xl' },
  '& h3, & h4': { fontSize: 'xl' },
  '& * + p, & * + ul, & * + ol, & * + blockquote': { mt: 4 },
  '& * + h1, & * + h2': { mt: 8 },
  '& * + h3, & * + h4': { mt: 6 },
  '& ul': { listStyleType: 'disc', pl: 6 },
  '& ol': { listStyleType: 'decimal', pl: 6 },
  '& blockquote': { pl: 4, borderLeft: '3px solid', borderColor: 'accent' },
  // Links without a target look like the text around them.
  '& a[href]': { color: 'accentInk', textDecoration: 'underline', textUnderlineOffset: '0.2em' },
  // Pictures may be transparent, and are made for white paper, so they have it in every look of the
  // shop.
  '& img': { bg: '#fff' },
  '& table, & pre': { display: 'block', overflowX: 'auto' },
};
