import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { chakra } from '../../ui/chakra.ts';
import { useSortText } from '../../views/sort-text.ts';

/** The server sorts by this when it is not told otherwise. */
const unsaid = 'newest';

/** How the list is sorted, out of what the store offers; nothing when it offers nothing. */
export const SortSelect = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement | null => {
  const sortText = useSortText();
  const options = useSelector(actor, ({ context }) => context.sortOptions);
  const sort = useSelector(actor, ({ context }) => context.query.sort);
  if (options.length === 0) return null;
  const current = sort === '' ? unsaid : sort;
  const isOffered = options.some(({ value }) => value === current);
  return (
    <chakra.label display="inline-flex" alignItems="center" gap={2} fontSize="sm">
      <chakra.span
        css={{ mdDown: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' } }}
      >
        <Trans>Sort by</Trans>
      </chakra.span>
      <chakra.select
        value={isOffered ? current : ''}
        onChange={({ currentTarget }) => actor.send({ type: 'sort.chosen', sort: currentTarget.value })}
        data-event="sort.chosen"
        minHeight={10}
        px={3}
        bg="surface"
        border="1px solid"
        borderColor="lineStrong"
        borderRadius="md"
      >
        {isOffered ? null : <option value="">—</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {sortText(option)}
          </option>
        ))}
      </chakra.select>
    </chakra.label>
  );
};
