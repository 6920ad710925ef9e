import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { libraryMachine } from '../../../machines/reading/library.ts';
import { chakra } from '../../ui/chakra.ts';
import { useSortText } from '../../views/sort-text.ts';

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

/** The orders that the store offers; none when it offers none. */
export const SortSelect = ({ actor }: { actor: ActorRefFrom<typeof libraryMachine> }): ReactElement | null => {
  const { t } = useLingui();
  const sortText = useSortText();
  const { sortOptions, query } = useSelector(actor, (state) => state.context);
  if (sortOptions.length === 0) return null;
  return (
    <chakra.label display="flex" alignItems="center" gap={2} fontSize="sm" fontWeight={600}>
      <Trans>Sort by</Trans>
      <Select
        value={query.sort}
        data-event="sort.chosen"
        onChange={(event) => actor.send({ type: 'sort.chosen', sort: event.currentTarget.value })}
      >
        {query.sort === '' ? <option value="">{t`The shop's own order`}</option> : null}
        {sortOptions.map((option) => (
          <option key={option.value} value={option.value}>
            {sortText(option)}
          </option>
        ))}
      </Select>
    </chakra.label>
  );
};
