import { chakra, defineRecipe } from '@chakra-ui/react/styled-system';
import { Link } from 'wouter';

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
    color: 'ink',
    fontWeight: 500,
    whiteSpace: 'nowrap',
    textDecoration: 'none',
    cursor: 'pointer',
    _hover: { bg: 'sunken', color: 'accentInk' },
  },
});

/** A button of the top bar. */
export const BarButton = chakra('button', barRecipe, { defaultProps: { type: 'button' } });

/** A link of the top bar. */
export const BarLink = chakra(Link, barRecipe, { defaultProps: { 'data-event': 'go' } });
