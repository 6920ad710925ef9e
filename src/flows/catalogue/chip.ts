import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';

/** A link that narrows a list, or widens it again. */
export const Chip = chakra(TextLink, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 2,
    minHeight: 10,
    px: 4,
    bg: 'surface',
    border: '1px solid',
    borderColor: 'lineStrong',
    borderRadius: 'full',
    fontSize: 'sm',
    fontWeight: 500,
    _hover: { bg: 'accentSoft' },
    maxWidth: '100%',
    overflowWrap: 'anywhere',
    '&[aria-current]': { bg: 'accent', borderColor: 'accent', color: 'accentText' },
  },
});
