import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import type { interactiveMachine } from '../../../machines/reading/interactive.ts';
import { Box } from '../../ui/chakra.ts';
import { IconButton } from './IconButton.tsx';
import { PlaceNotice } from './PlaceNotice.tsx';
import { BarTitle, type SampleOfferData } from './SampleOffer.tsx';
import { EndActions, FailedMessage, ViewerWait } from './ViewerMessage.tsx';
import { createReadingCss } from './reading-colors.ts';
import { getStateAttributes } from '../../views/state-name.ts';

type Actor = ActorRefFrom<typeof interactiveMachine>;
type Value = StateValueFrom<typeof interactiveMachine>;
type RunningState = Extract<Extract<Value, object>['running'], string>;
type Screen = Exclude<Extract<Value, string>, 'running'> | RunningState;
type ScreenProps = { actor: Actor; offer: SampleOfferData };

const getScreenName = (value: Value): Screen =>
  typeof value === 'string' ? (value === 'running' ? 'opening' : value) : (value.running ?? 'opening');

const Opening = (): ReactElement => (
  <ViewerWait>
    <Trans>Setting the scene…</Trans>
  </ViewerWait>
);
const Closing = (): ReactElement => (
  <ViewerWait>
    <Trans>Saving your place…</Trans>
  </ViewerWait>
);
const Open = (): null => null;
/** The bar at the end of a title. The title's last scene stays visible above it. */
const Ended = ({ actor, offer }: ScreenProps): ReactElement => (
  <Box
    as="output"
    position="absolute"
    insetInline="0"
    bottom="0"
    display="flex"
    flexWrap="wrap"
    alignItems="center"
    justifyContent="center"
    gap="12px"
    padding="16px 16px max(16px, env(safe-area-inset-bottom))"
    background="var(--panel)"
    boxShadow="0 -8px 32px rgb(0 0 0 / 0.24)"
  >
    <Box as="span" fontWeight="600">
      <Trans>The end</Trans>
    </Box>
    <EndActions actor={actor} offer={offer} />
  </Box>
);

const screens: Record<Screen, (props: ScreenProps) => ReactElement | null> = {
  opening: Opening,
  open: Open,
  ended: Ended,
  failed: FailedMessage,
  closing: Closing,
  closed: Closing,
};

/** The player of an interactive title: its iframe fills the window below a narrow bar. */
export const InteractiveView = ({ actor, name, offer }: { actor: Actor; name: string; offer: SampleOfferData }): ReactElement => {
  const { t } = useLingui();
  const { value, children } = useSelector(actor, (state) => state);
  const progress = children['progress'] as ActorRefFrom<typeof progressMachine> | undefined;
  const Screen = screens[getScreenName(value)];
  return (
    <Box
      as="section"
      {...getStateAttributes('interactive', value)}
      aria-label={name}
      css={{
        ...createReadingCss('dark'),
        position: 'absolute',
        inset: 0,
        display: 'grid',
        // A long name in the bar must not widen the layout.
        gridTemplateColumns: 'minmax(0, 1fr)',
        gridTemplateRows: 'auto minmax(0, 1fr)',
      }}
    >
      <Box as="header" display="flex" alignItems="center" gap="4px" padding="env(safe-area-inset-top) 8px 0" minHeight="52px">
        <IconButton icon="close" label={t`Close`} event="close.pressed" onClick={() => actor.send({ type: 'close.pressed' })} />
        <BarTitle name={name} offer={offer} balance={{ paddingRight: '44px' }} />
      </Box>
      <Box position="relative" minHeight="0">
        <Box as="section" data-mount-point="interactive" aria-label={name} position="absolute" inset="0" />
        <Screen actor={actor} offer={offer} />
        <Box position="absolute" insetInline="8px" bottom="8px" display="grid" justifyItems="center" pointerEvents="none">
          {progress === undefined ? null : <PlaceNotice actor={progress} />}
        </Box>
      </Box>
    </Box>
  );
};
