import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { Button } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Popover } from '../../ui/Popover.tsx';
import { useActiveFilters } from './active-filters.ts';
import { useTotal } from './use-facets.ts';

type Props = { actor: ActorRefFrom<typeof catalogueMachine> };

export const panelId = 'list-filters';

/** A column beside the list; in narrow windows a panel that slides in from the side. */
export const FiltersPanel = chakra(Popover, {
  base: {
    '&:not(:popover-open)': {
      md: {
        position: 'sticky',
        inset: 'auto',
        top: '7rem',
        display: 'grid',
        alignContent: 'start',
        gap: 4,
        width: 'auto',
        height: 'auto',
        maxHeight: 'calc(100dvh - 8rem)',
        overflowY: 'auto',
        // Keeps focus rings from being clipped.
        m: '-4px',
        p: '4px',
        border: 'none',
        boxShadow: 'none',
        bg: 'transparent',
        scrollbarWidth: 'thin',
      },
    },
  },
});

/** The button that opens the filters in narrow windows, with the number of active ones. */
export const FiltersButton = ({ actor }: Props): ReactElement => {
  const set = useActiveFilters(actor).filter(({ isSearch }) => !isSearch).length;
  return (
    <Button popoverTarget={panelId} look="outline" size="sm" display={{ md: 'none' }}>
      {set === 0 ? <Trans>Filters</Trans> : <Trans>Filters ({set})</Trans>}
    </Button>
  );
};

/** The button that closes the panel, with the number of titles in the filtered list. */
export const ShowTitles = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const total = useTotal(actor);
  return (
    // Covers the content behind it down to the panel's edge.
    <chakra.div
      display={{ base: 'grid', md: 'none' }}
      position="sticky"
      bottom="-1.25rem"
      mx="-1.25rem"
      mb="-1.25rem"
      p="0.75rem 1.25rem 1.25rem"
      bg="surface"
      borderTop="1px solid"
      borderColor="line"
    >
      <Button popoverTarget={panelId} popoverTargetAction="hide">
        {total === null ? <Trans>Show titles</Trans> : t`Show ${plural(total, { one: '# title', other: '# titles' })}`}
      </Button>
    </chakra.div>
  );
};
