import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { useApp } from '../../views/app-actor.ts';
import { Breadcrumbs } from '../../views/Breadcrumbs.tsx';
import { ActiveFilters } from './ActiveFilters.tsx';
import { Filters } from './Filters.tsx';
import { Heading } from './Heading.tsx';
import { SortSelect } from './SortSelect.tsx';
import { TypeChips } from './TypeChips.tsx';

/** What the list is of, and how it can be narrowed and sorted; it stays while the list itself is fetched anew. */
export const ListHead = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { hidesFilters } = useBrand();
  const categories = useApp((context) => context.categories);
  const { of, type } = useSelector(actor, ({ context }) => context.query);
  const categoryId = useSelector(actor, ({ context }) => context.page?.categoryId ?? null);
  const hasKinds = of.kind === 'all' || of.kind === 'category';
  return (
    <chakra.div display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={5} mb={8}>
      {categoryId === null ? null : <Breadcrumbs categories={categories} categoryId={categoryId} kind={type} />}
      <Heading actor={actor} />
      {hidesFilters ? null : (
        <>
          <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={3}>
            {hasKinds ? <TypeChips actor={actor} /> : null}
            <SortSelect actor={actor} />
          </chakra.div>
          <Filters actor={actor} />
          <ActiveFilters actor={actor} />
        </>
      )}
    </chakra.div>
  );
};
