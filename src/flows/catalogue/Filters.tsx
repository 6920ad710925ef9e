import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { pathWith } from '../../../machines/model/list.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { categoryPath } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { useApp } from '../../views/app-actor.ts';
import { categoryTrail } from '../../views/category-trail.ts';
import { Chip } from './chip.ts';
import { PriceRange } from './PriceRange.tsx';

type Actor = ActorRefFrom<typeof catalogueMachine>;

const Panel = chakra('details', {
  base: {
    '& > summary': { width: 'fit-content', py: 2, fontSize: 'sm', fontWeight: 600, color: 'accentInk', cursor: 'pointer' },
    '& > div': { display: 'grid', gap: 5, pt: 3 },
  },
});

/** The categories below the one that is shown, or the uppermost; the search, the prices and the order stay. */
const Categories = ({ actor }: { actor: Actor }): ReactElement | null => {
  const { t } = useLingui();
  const tree = useApp((context) => context.categories);
  const { type, of } = useSelector(actor, ({ context }) => context.query);
  const path = useSelector(actor, ({ context }) => pathWith(context.route, {}));
  const categoryId = useSelector(actor, ({ context }) => context.page?.categoryId ?? null);
  if (of.kind === 'catalog' || of.kind === 'titleset') return null;
  const below = categoryId === null ? tree : (categoryTrail(tree, categoryId).at(-1)?.children ?? []);
  if (below.length === 0) return null;
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
  return (
    <chakra.nav aria-label={t`Narrow to a category`} display="flex" flexWrap="wrap" gap={2}>
      {below.map((category) => (
        <Chip key={category.id} href={categoryPath(category, type) + query} look="plain">
          {category.name}
        </Chip>
      ))}
    </chakra.nav>
  );
};

/** Nothing to pay: on, and off again. */
const FreeOnly = ({ actor }: { actor: Actor }): ReactElement => {
  const route = useSelector(actor, ({ context }) => context.route);
  const { free } = useSelector(actor, ({ context }) => context.query);
  return (
    <div>
      <Chip
        href={pathWith(route, { free: free ? '' : 'true', pricefrom: '', priceto: '' })}
        look="plain"
        aria-current={free ? 'true' : undefined}
      >
        <Trans>Free titles only</Trans>
      </Chip>
    </div>
  );
};

/** Ways to narrow the list, out of the way until they are wanted. */
export const Filters = ({ actor }: { actor: Actor }): ReactElement => {
  const { showsPrices } = useBrand();
  return (
    <Panel>
      <summary>
        <Trans>Filters</Trans>
      </summary>
      <div>
        <Categories actor={actor} />
        {showsPrices ? (
          <>
            <PriceRange actor={actor} />
            <FreeOnly actor={actor} />
          </>
        ) : null}
      </div>
    </Panel>
  );
};
