import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';
import { duration } from '../../brand/facts.ts';
import { Box, chakra } from '../../ui/chakra.ts';
import { ReaderIcon } from './IconButton.tsx';

const Track = chakra('button', {
  base: {
    display: 'grid',
    gridTemplateColumns: '28px minmax(0, 1fr) auto',
    alignItems: 'center',
    gap: '12px',
    width: '100%',
    minHeight: '52px',
    padding: '10px 14px',
    borderRadius: '12px',
    textAlign: 'start',
    color: 'inherit',
    cursor: 'pointer',
    _hover: { background: 'color-mix(in srgb, currentColor 8%, transparent)' },
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '-2px' },
    '&[aria-current]': { background: 'color-mix(in srgb, currentColor 12%, transparent)', fontWeight: 650 },
  },
});

/** As it stands beside the picture: nothing of what browsers give to a popover. */
const Parts = chakra('nav', {
  base: {
    '&[popover]:not(:popover-open)': {
      display: 'block',
      position: 'static',
      width: 'auto',
      height: 'auto',
      margin: 0,
      padding: 0,
      border: 0,
      background: 'none',
      color: 'inherit',
    },
    '&:popover-open': {
      position: 'fixed',
      inset: '0 0 0 auto',
      width: 'min(22rem, 86vw)',
      height: '100dvh',
      margin: 0,
      padding: '16px max(8px, env(safe-area-inset-right)) 16px 8px',
      border: 0,
      background: 'var(--paper)',
      color: 'var(--ink)',
      overflowY: 'auto',
    },
  },
});

type TrackListProps = {
  actor: ActorRefFrom<typeof tracksMachine>;
  /** The id by which a button opens the list as a drawer over the picture, where there is no room beside it. */
  drawer: string | undefined;
};

/** The recording's parts, the one being played marked. */
export const TrackList = ({ actor, drawer }: TrackListProps): ReactElement => {
  const { t, i18n } = useLingui();
  const { items, itemId } = useSelector(actor, (state) => state.context);
  return (
    <Parts aria-label={t`Parts`} id={drawer} popover={drawer === undefined ? undefined : 'auto'}>
      <Box as="h2" padding="0 14px 12px" fontSize="18px" fontWeight="650">
        <Trans>Parts</Trans>
      </Box>
      <Box as="ol" listStyleType="none" margin="0" padding="0">
        {items.map((item, place) => (
          <li key={item.id}>
            <Track
              type="button"
              data-event="item.chosen"
              data-value={item.id}
              aria-current={item.id === itemId ? 'true' : undefined}
              onClick={({ currentTarget }) => {
                currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
                actor.send({ type: 'item.chosen', itemId: item.id });
              }}
            >
              <Box as="span" color="var(--soft)" fontVariantNumeric="tabular-nums">
                {item.id === itemId ? <ReaderIcon name="sound" size={20} /> : i18n.number(place + 1)}
              </Box>
              <span>{item.name}</span>
              <Box as="span" color="var(--soft)" fontSize="14px" fontWeight="400" fontVariantNumeric="tabular-nums">
                {item.durationSeconds === null ? null : duration(item.durationSeconds)}
              </Box>
            </Track>
          </li>
        ))}
      </Box>
    </Parts>
  );
};
