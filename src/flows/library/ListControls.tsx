import { useLingui, Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { libraryPath } from '../../../machines/model/paths.ts';
import type { ListType } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { libraryMachine } from '../../../machines/reading/library.ts';
import { useSortText } from '../../views/sort-text.ts';

const Tab = chakra(
  Link,
  {
    base: {
      display: 'inline-flex',
      alignItems: 'center',
      minHeight: '2.75rem',
      px: 4,
      borderRadius: 'full',
      border: '1px solid',
      borderColor: 'line',
      bg: 'surface',
      color: 'ink',
      fontSize: 'sm',
      fontWeight: 600,
      textDecoration: 'none',
      whiteSpace: 'nowrap',
      _hover: { borderColor: 'accentInk' },
      '&[aria-current]': { bg: 'accent', color: 'accentText', borderColor: 'accent' },
    },
  },
  { forwardProps: ['href'] },
);

/**
 * Links to all of the customer's titles, by the store's name for them, and to each kind of title
 * that the store offers.
 */
export const TypeTabs = ({ current }: { current: ListType }): ReactElement => {
  const { t } = useLingui();
  const { lists, listTexts, catalogText } = useBrand();
  return (
    <chakra.nav aria-label={t`Types of title`} display="flex" flexWrap="wrap" gap={2}>
      {lists.map((type) => (
        <Tab key={type} href={libraryPath(type)} data-event="go" aria-current={type === current ? 'page' : undefined}>
          {type === 'all' ? catalogText : listTexts[type]}
        </Tab>
      ))}
    </chakra.nav>
  );
};

const Select = chakra('select', {
  base: {
    minHeight: '2.75rem',
    px: 3,
    bg: 'surface',
    color: 'ink',
    fontSize: 'sm',
    border: '1px solid',
    borderColor: 'lineStrong',
    borderRadius: 'md',
    cursor: 'pointer',
  },
});

/** The default order of a library. */
const defaultSort = 'newest';

/** The select for the sort order; renders nothing in a store without sort options. */
export const SortSelect = ({ actor }: { actor: ActorRefFrom<typeof libraryMachine> }): ReactElement | null => {
  const { t } = useLingui();
  const sortText = useSortText();
  const { sortOptions, query } = useSelector(actor, (state) => state.context);
  if (sortOptions.length === 0) return null;
  const offersDefault = sortOptions.some(({ value }) => value === defaultSort);
  return (
    <chakra.label display="flex" alignItems="center" gap={2} fontSize="sm" fontWeight={600}>
      <Trans>Sort by</Trans>
      <Select
        value={query.sort === '' && offersDefault ? defaultSort : query.sort}
        data-event="sort.chosen"
        onChange={(event) => actor.send({ type: 'sort.chosen', sort: event.currentTarget.value })}
      >
        {query.sort === '' && !offersDefault ? <option value="">{t`Recently added`}</option> : null}
        {sortOptions.map((option) => (
          <option key={option.value} value={option.value}>
            {sortText(option)}
          </option>
        ))}
      </Select>
    </chakra.label>
  );
};
