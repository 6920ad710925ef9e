import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { viewerMachine } from '../../../machines/reading/viewer.ts';
import { Box } from '../../ui/chakra.ts';
import { readingCss } from './reading-colors.ts';
import { viewerScreens } from './viewer-screens.tsx';

/** The viewer fills the window, over whatever frame the shop has. */
export const ViewerView = ({ actor }: { actor: ActorRefFrom<typeof viewerMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = viewerScreens[value];
  return (
    <Box
      as="main"
      data-flow="viewer"
      data-state={JSON.stringify(value)}
      css={{ ...readingCss('light'), position: 'fixed', inset: 0, zIndex: 10, overflow: 'hidden' }}
    >
      <Screen actor={actor} />
    </Box>
  );
};
