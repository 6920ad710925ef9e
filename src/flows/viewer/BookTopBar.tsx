import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';
import { Box, chakra } from '../../ui/chakra.ts';
import type { BookPanel } from './book-parts.ts';
import { CloseBook, OpenPanels } from './book-buttons.tsx';

const Bar = chakra('header', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '4px',
    minHeight: '52px',
    paddingTop: 'env(safe-area-inset-top)',
    paddingLeft: 'max(8px, env(safe-area-inset-left))',
    paddingRight: 'max(8px, env(safe-area-inset-right))',
    transition: 'opacity 160ms',
    '&[inert]': { opacity: 0 },
  },
});

type Props = { actor: ActorRefFrom<typeof bookMachine>; name: string; panel: BookPanel; hidden: boolean };

/** The bar over the page. Hidden, it keeps its room: the pages must not be laid out anew. */
export const BookTopBar = ({ actor, name, panel, hidden }: Props): ReactElement => (
  <Bar inert={hidden}>
    <CloseBook actor={actor} />
    <Box as="h1" flex="1" minWidth="0" fontSize="15px" fontWeight="600" textAlign="center" truncate>
      {name}
    </Box>
    <OpenPanels actor={actor} panel={panel} />
  </Bar>
);
