import { Link } from 'wouter';
import { chakra, defineRecipe } from './chakra.ts';

const barRecipe = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: 2,
    minWidth: 12,
    minHeight: 12,
    px: { base: 2, md: 3 },
    borderRadius: 'md',
    color: 'inherit',
    fontWeight: 500,
    whiteSpace: 'nowrap',
    textDecoration: 'none',
    cursor: 'pointer',
    // Bars may have any colour: only lines in the colour of their text are visible on all of them.
    _hover: { textDecoration: 'underline', boxShadow: 'inset 0 -2px' },
    '&[aria-current=page]': { boxShadow: 'inset 0 -2px', borderRadius: 0 },
  },
});

/** A button of a bar. */
export const BarButton = chakra('button', barRecipe, { defaultProps: { type: 'button' } });

/** A link in a bar. */
export const BarLink = chakra(Link, barRecipe, { defaultProps: { 'data-event': 'go' } });
