import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { OfferedPlace } from '../../../machines/model/reading/reading.ts';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import { formatAgo, formatPercent } from '../../brand/facts.ts';
import { Box } from '../../ui/chakra.ts';
import { Pill, PillButton } from './Pill.tsx';
import { getStateAttributes } from '../../views/state-name.ts';

type Actor = ActorRefFrom<typeof progressMachine>;

/**
 * Returns a function for a place's texts: `at` is its position in the title as a percentage,
 * `since` how long ago it was saved, empty if unknown.
 */
export const usePlaceText = (): ((place: OfferedPlace) => { at: string; since: string }) => {
  const { i18n } = useLingui();
  return ({ position, minutesAgo }) => ({
    at: formatPercent(position.totalProgression, i18n.locale),
    since: minutesAgo === null ? '' : formatAgo(minutesAgo, i18n.locale),
  });
};

type OfferProps = { actor: Actor; goLabel: ReactNode; stayLabel: ReactNode; children: ReactNode };

const Offer = ({ actor, goLabel, stayLabel, children }: OfferProps): ReactElement => (
  <Pill>
    <Box display="flex" flexWrap="wrap" alignItems="center" justifyContent="flex-end">
      <Box as="span" paddingBlock="8px" flex="1 1 auto">
        {children}
      </Box>
      <PillButton type="button" data-event="place.accepted" onClick={() => actor.send({ type: 'place.accepted' })}>
        {goLabel}
      </PillButton>
      <PillButton type="button" data-event="place.dismissed" onClick={() => actor.send({ type: 'place.dismissed' })}>
        {stayLabel}
      </PillButton>
    </Box>
  </Pill>
);

/** The offer of a newer place: another device has read further while this one was reading. */
const NewerPlaceOffer = ({ actor, place }: { actor: Actor; place: OfferedPlace }): ReactElement => {
  const { t } = useLingui();
  const { at, since } = usePlaceText()(place);
  const name = place.device?.name ?? '';
  const device = name === '' ? t`another device` : name;
  return (
    <Offer actor={actor} goLabel={<Trans>Go there</Trans>} stayLabel={<Trans>Stay here</Trans>}>
      {since === '' ? t`You’re at ${at} on ${device}.` : t`You’re at ${at} on ${device}, ${since}.`}
    </Offer>
  );
};

/** The offer of this device's own place, after the title was opened at another device's place. */
const OwnPlaceOffer = ({ actor, place }: { actor: Actor; place: OfferedPlace }): ReactElement => {
  const { t } = useLingui();
  const { at, since } = usePlaceText()(place);
  return (
    <Offer actor={actor} goLabel={<Trans>Go there</Trans>} stayLabel={<Trans>Stay here</Trans>}>
      {since === '' ? t`On this device you were at ${at}.` : t`On this device you were at ${at}, ${since}.`}
    </Offer>
  );
};

/**
 * The offer of another place, of another device or of this one. Its element stays mounted, so that
 * screen readers announce it.
 */
export const PlaceNotice = ({ actor }: { actor: Actor }): ReactElement => {
  const { value, context } = useSelector(actor, (state) => state);
  const { conflict, offered } = context;
  const newer = conflict?.newer ?? null;
  return (
    <Box role="status" {...getStateAttributes('progress', value)} display="grid" justifyItems="center">
      {newer !== null ? (
        <NewerPlaceOffer actor={actor} place={newer} />
      ) : offered === null ? null : (
        <OwnPlaceOffer actor={actor} place={offered} />
      )}
    </Box>
  );
};
