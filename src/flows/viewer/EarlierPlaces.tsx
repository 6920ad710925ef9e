import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { useId, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { OfferedPlace } from '../../../machines/model/reading/reading.ts';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import { Box, chakra } from '../../ui/chakra.ts';
import { rowButton } from './row-button.ts';
import { usePlaceText } from './PlaceNotice.tsx';

type Actor = ActorRefFrom<typeof progressMachine>;

const PlaceButton = chakra('button', {
  base: {
    ...rowButton,
    display: 'flex',
    gap: '12px',
    alignItems: 'baseline',
    minHeight: '44px',
    padding: '8px 12px',
  },
});

const Line = ({ place, onChoose }: { place: OfferedPlace; onChoose: () => void }): ReactElement => {
  const { i18n } = useLingui();
  const { at, since } = usePlaceText()(place);
  const details = [since, place.device?.name ?? ''].filter((text) => text !== '');
  return (
    <li>
      <PlaceButton type="button" data-event="earlier.chosen" data-value={place.savedAt} onClick={onChoose}>
        <span>{at}</span>
        <Box as="span" fontSize="14px" color="var(--soft)">
          {new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(details)}
        </Box>
      </PlaceButton>
    </li>
  );
};

/** Earlier places of the customer: on another device, at another time, or before a jump. */
export const EarlierPlaces = ({ actor, onChosen }: { actor: Actor; onChosen?: () => void }): ReactElement | null => {
  const id = useId();
  const earlierPlaces = useSelector(actor, ({ context }) => context.earlier);
  if (earlierPlaces.length === 0) return null;
  return (
    <Box as="section" aria-labelledby={id} marginTop="16px">
      <Box as="h3" id={id} padding="8px 12px" fontSize="14px" fontWeight={600} color="var(--soft)">
        <Trans>Where you left off before</Trans>
      </Box>
      <Box as="ul" listStyleType="none">
        {earlierPlaces.map((place) => (
          <Line
            key={place.savedAt}
            place={place}
            onChoose={() => {
              actor.send({ type: 'earlier.chosen', savedAt: place.savedAt });
              onChosen?.();
            }}
          />
        ))}
      </Box>
    </Box>
  );
};
