import { chakra } from '@chakra-ui/react/styled-system';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/catalogue.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Skeleton } from '../../ui/Loading.tsx';
import { SearchInList } from './SearchInList.tsx';
import { SortSelect } from './SortSelect.tsx';
import { TypeChips } from './TypeChips.tsx';

type Actor = ActorRefFrom<typeof catalogueMachine>;

const Heading = ({ actor }: { actor: Actor }): ReactElement => {
  const { t } = useLingui();
  const { listTexts } = useBrand();
  const { type, category, search } = useSelector(actor, ({ context }) => context.query);
  const page = useSelector(actor, ({ context }) => context.page);
  const isWaiting = useSelector(actor, (snapshot) => snapshot.matches('loading'));
  const place = category === null ? listTexts[type] : (page?.categoryName ?? null);
  const total = isWaiting ? null : (page?.total ?? null);
  const count = total === null ? '' : t`${plural(total, { one: '# title', other: '# titles' })}`;
  return (
    <div>
      <chakra.h1 fontSize="3xl" minHeight="2.7rem">
        {place === null ? <Skeleton as="span" height="2.4rem" width="14rem" /> : place}
      </chakra.h1>
      <chakra.p mt={1} minHeight="1.5rem" color="inkMuted" aria-live="polite">
        {search === '' ? count : [t`Search for “${search}”`, count].filter(Boolean).join(' · ')}
      </chakra.p>
    </div>
  );
};

/** What the list is of, and how it can be narrowed and sorted; it stays while the list itself is fetched anew. */
export const ListHead = ({ actor }: { actor: Actor }): ReactElement => {
  const { hidesFilters } = useBrand();
  return (
    <chakra.div display="grid" gap={5} mb={8}>
      <Heading actor={actor} />
      {hidesFilters ? null : (
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap={3}>
          <TypeChips actor={actor} />
          <chakra.div flex="1 1 13rem" minWidth="0" maxWidth={{ md: '20rem' }} ml="auto">
            <SearchInList actor={actor} />
          </chakra.div>
          <SortSelect actor={actor} />
        </chakra.div>
      )}
    </chakra.div>
  );
};
