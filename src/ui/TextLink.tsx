import { Link } from 'wouter';
import { chakra, defineRecipe } from './chakra.ts';

const linkRecipe = defineRecipe({
  base: { cursor: 'pointer' },
  variants: {
    look: {
      text: {
        color: 'accentInk',
        textDecoration: 'underline',
        textUnderlineOffset: '0.2em',
        textDecorationThickness: '1px',
        _hover: { textDecorationThickness: '2px' },
      },
      plain: { color: 'inherit', textDecoration: 'none', _hover: { color: 'accentInk' } },
      /** On a bar of any colour, only the colour of its text is readable. */
      bar: { color: 'inherit', textDecoration: 'none', _hover: { textDecoration: 'underline' } },
      bare: { color: 'inherit', textDecoration: 'none' },
    },
  },
  defaultVariants: { look: 'text' },
});

/** An internal link. */
export const TextLink = chakra(Link, linkRecipe, {
  defaultProps: { 'data-event': 'go' },
});

/** An external link, or a `mailto:` link. */
export const OuterLink = chakra('a', linkRecipe);
