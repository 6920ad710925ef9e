import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { libraryMachine } from '../../../machines/reading/library.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { libraryScreens } from './library-screens.tsx';
import { OpenApp } from './OpenApp.tsx';
import { SortSelect } from './SortSelect.tsx';
import { TypeTabs } from './TypeTabs.tsx';

/** My Library: everything that the customer owns. */
export const LibraryView = ({ actor }: { actor: ActorRefFrom<typeof libraryMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const type = useSelector(actor, (state) => state.context.query.type);
  const Screen = libraryScreens[value];
  return (
    <chakra.div data-flow="library" data-state={JSON.stringify(value)}>
      <Page>
        <chakra.h1 fontSize="3xl" mb={5}>
          <Trans>My Library</Trans>
        </chakra.h1>
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={4} mb={8}>
          <TypeTabs current={type} />
          <SortSelect actor={actor} />
        </chakra.div>
        <OpenApp />
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};
