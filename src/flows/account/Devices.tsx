import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { devicesMachine } from '../../../machines/account/devices.ts';
import type { Device } from '../../../machines/model/account/device.ts';
import { formatDateTime } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading, Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { keepFocusWithin } from '../../views/keep-focus-within.ts';
import { Refused } from './Refused.tsx';
import { Row } from './Row.tsx';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof devicesMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your devices…</Trans>
  </Loading>
);

const Line = ({ actor, device }: Props & { device: Device }): ReactElement => {
  const { t, i18n } = useLingui();
  const removing = useSelector(actor, ({ context }) => context.removing);
  const { id, name, lastSeenAt, isThis, isSignedOut } = device;
  return (
    <Row>
      <chakra.span flex="1 1 14rem" minWidth="0" overflowWrap="anywhere">
        {name}
      </chakra.span>
      {isThis ? (
        <chakra.strong>
          <Trans>This device</Trans>
        </chakra.strong>
      ) : (
        <>
          {lastSeenAt === '' ? null : (
            <chakra.span color="inkMuted">
              {isSignedOut ? (
                <Trans>
                  Last signed in <time dateTime={lastSeenAt}>{formatDateTime(lastSeenAt, i18n.locale)}</time>
                </Trans>
              ) : (
                <Trans>
                  Signed in <time dateTime={lastSeenAt}>{formatDateTime(lastSeenAt, i18n.locale)}</time>
                </Trans>
              )}
            </chakra.span>
          )}
          <EventButton
            actor={actor}
            event={{ type: 'remove.pressed', deviceId: id }}
            look="outline"
            disabled={removing !== null}
            aria-label={isSignedOut ? t`Forget ${name}` : t`Sign out of ${name}`}
          >
            {removing === id ? <Spinner aria-hidden /> : null}
            {isSignedOut ? <Trans>Forget</Trans> : <Trans>Sign out</Trans>}
          </EventButton>
          <span hidden ref={keepFocusWithin} />
        </>
      )}
    </Row>
  );
};

const signInAgain = (
  <Trans>To remove another device, please sign in again first. This keeps others who use this device out of your account.</Trans>
);

/** The notice about the last removed device. */
const formatRemovalNotice = ({ name, isSignedOut }: Device): ReactElement =>
  isSignedOut ? <Trans>{name} has been forgotten.</Trans> : <Trans>Signed out of {name}.</Trans>;

/** The list of devices; it stays visible while a device is being removed. */
const Shown = ({ actor }: Props): ReactElement => {
  const { devices, problem, removed } = useSelector(actor, ({ context }) => context);
  return (
    <>
      <Refused problem={problem} signInAgain={signInAgain} />
      <Notice tone="success">{removed === null ? null : formatRemovalNotice(removed)}</Notice>
      <chakra.ul listStyleType="none">
        {devices.map((device) => (
          <Line key={device.id} actor={actor} device={device} />
        ))}
      </chakra.ul>
    </>
  );
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your devices</Trans>} />
);

const screens: Screens<typeof devicesMachine> = {
  loading: Fetching,
  shown: Shown,
  removing: Shown,
  failed: Failed,
};

/** The account's devices, and whether the customer is signed in there. */
export const Devices = ({ actor }: Props): ReactElement => (
  <Section flow="devices" actor={actor} screens={screens} heading={<Trans>Devices</Trans>} />
);
