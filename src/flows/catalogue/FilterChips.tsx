import { useLingui, Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { changeListPath, clearedFilters } from '../../../machines/model/catalogue/list.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useActiveFilters } from './active-filters.ts';
import { moveFocusOnRemoval } from './move-focus-on-removal.ts';

/** A small link that removes a filter of a list, or leads to another list. */
export const Chip = chakra(TextLink, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 2,
    minHeight: 10,
    px: 4,
    bg: 'surface',
    border: '1px solid',
    borderColor: 'lineStrong',
    borderRadius: 'full',
    fontSize: 'sm',
    fontWeight: 500,
    _hover: { bg: 'accentSoft' },
    maxWidth: '100%',
    overflowWrap: 'anywhere',
  },
});

const Text = chakra('span', { base: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } });

/** The active filters, each with a link that removes it; nothing for an unfiltered list. */
export const ActiveFilters = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement | null => {
  const { t } = useLingui();
  const route = useSelector(actor, ({ context }) => context.route);
  const filters = useActiveFilters(actor);
  if (filters.length === 0) return null;
  return (
    <chakra.nav aria-label={t`Active filters`} display="flex" flexWrap="wrap" alignItems="center" gap={2} minWidth={0}>
      {filters.map(({ text, queryChanges }) => (
        <Chip
          key={text}
          ref={moveFocusOnRemoval}
          href={changeListPath(route, queryChanges)}
          look="plain"
          aria-label={t`Remove ${text}`}
        >
          <Text>{text}</Text>
          <Icon name="close" size={16} />
        </Chip>
      ))}
      <TextLink ref={moveFocusOnRemoval} href={changeListPath(route, clearedFilters)} fontSize="sm" px={2} py={2}>
        <Trans>Clear all</Trans>
      </TextLink>
    </chakra.nav>
  );
};
