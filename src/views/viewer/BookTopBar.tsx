import { Box } from '@chakra-ui/react/box';
import { chakra } from '@chakra-ui/react/styled-system';
import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/book.ts';
import type { BookPanel } from './book-parts.ts';
import { IconButton } from './IconButton.tsx';

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
export const BookTopBar = ({ actor, name, panel, hidden }: Props): ReactElement => {
  const { t } = useLingui();
  // Veiled while a panel is open, but there for the focus that comes back from it.
  const canOpen = useSelector(actor, (state) => state.matches('reading'));
  return (
    <Bar inert={hidden}>
      <IconButton
        icon="close"
        label={t`Close the book`}
        event="close.pressed"
        onClick={() => actor.send({ type: 'close.pressed' })}
      />
      <Box as="h1" flex="1" minWidth="0" fontSize="15px" fontWeight="600" textAlign="center" truncate>
        {name}
      </Box>
      <IconButton
        icon="contents"
        label={t`Contents`}
        event="contents.pressed"
        aria-expanded={panel === 'contents'}
        disabled={!canOpen}
        onClick={() => actor.send({ type: 'contents.pressed' })}
      />
      <IconButton
        icon="settings"
        label={t`Reading settings`}
        event="settings.pressed"
        aria-expanded={panel === 'settings'}
        disabled={!canOpen}
        onClick={() => actor.send({ type: 'settings.pressed' })}
      />
    </Bar>
  );
};
