import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { ownProvidersMachine, ProviderNotice } from '../../../machines/account/own-providers.ts';
import type { phoneMachine } from '../../../machines/account/phone.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { OwnProvider } from '../../../machines/model/account/provider.ts';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { PhoneSignIn } from '../../views/lazy/PhoneSignIn.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { Done } from './Done.tsx';
import { Row, RowButton } from './Row.tsx';
import { RefusedAbove } from './Refused.tsx';
import { RemovalQuestion, useIsConfirmingRemoval } from './RemovalQuestion.tsx';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof ownProvidersMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your ways to sign in…</Trans>
  </Loading>
);

/** Returns a function for a provider's name; a telephone number has no name of its own. */
const useProviderName = (): ((provider: OwnProvider) => string) => {
  const { t } = useLingui();
  return ({ kind, name }) => (kind === 'phone' ? t`Phone number` : name);
};

const Notice = ({ what: change, provider }: ProviderNotice): ReactElement => {
  const name = useProviderName()(provider);
  return (
    <Done>
      {change === 'connected' ? (
        <Trans>{name} is connected. You can now sign in with it.</Trans>
      ) : (
        <Trans>{name} has been removed. You can no longer sign in with it here.</Trans>
      )}
    </Done>
  );
};

const reasonTexts: Record<string, ReactElement> = {
  last_way_in: (
    <Trans>
      This is your only way to sign in. Set a password, add a passkey or connect another service before you remove it.
    </Trans>
  ),
  provider_unreachable: <Trans>That service isn’t responding. Please try again later.</Trans>,
  not_found: <Trans>This has changed in the meantime. Reload the page.</Trans>,
};

const signInAgain = (
  <Trans>
    To connect or remove a way to sign in, please sign in again first. This keeps others who use this device out of your account.
  </Trans>
);

const formatReason = (problem: Problem): ReactElement =>
  (problem.kind === 'refused' ? reasonTexts[problem.code] : undefined) ?? formatProblem(problem);

const Question = ({ actor, provider }: Props & { provider: OwnProvider }): ReactElement => {
  const name = useProviderName()(provider);
  return (
    <RemovalQuestion
      actor={actor}
      question={<Trans>Remove {name}?</Trans>}
      remove={<Trans>Remove</Trans>}
      keep={<Trans>Keep</Trans>}
    />
  );
};

const Facts = ({ actor, provider }: Props & { provider: OwnProvider }): ReactElement => {
  const { t } = useLingui();
  const { id, isJoined } = provider;
  const name = useProviderName()(provider);
  const chosenProviderId = useSelector(actor, ({ context }) => context.chosen);
  const isStarting = useSelector(actor, (state) => state.hasTag('busy')) && chosenProviderId === id;
  return (
    <>
      <chakra.div flex="1 1 14rem" minWidth="0" overflowWrap="anywhere">
        <p>{name}</p>
        <chakra.p color="inkMuted">{isJoined ? <Trans>Connected</Trans> : <Trans>Not connected</Trans>}</chakra.p>
      </chakra.div>
      <RowButton
        actor={actor}
        event={isJoined ? { type: 'remove.pressed', providerId: id } : { type: 'connect.pressed', providerId: id }}
        itemId={id}
        label={isJoined ? t`Remove ${name}` : t`Connect ${name}`}
        restoresFocus={chosenProviderId === id}
        isRunning={isStarting}
      >
        {isJoined ? <Trans>Remove</Trans> : <Trans>Connect</Trans>}
      </RowButton>
    </>
  );
};

/** One provider, or the question whether to remove it. */
const Line = ({ actor, provider }: Props & { provider: OwnProvider }): ReactElement => {
  const isConfirmingRemoval = useIsConfirmingRemoval(actor, provider.id);
  return (
    <Row>
      {isConfirmingRemoval ? <Question actor={actor} provider={provider} /> : <Facts actor={actor} provider={provider} />}
    </Row>
  );
};

/** The list of providers; it stays visible while a provider is being changed. */
const Shown = ({ actor }: Props): ReactElement => {
  const { providers, notice, problem } = useSelector(actor, ({ context }) => context);
  return (
    <>
      <RefusedAbove problem={problem} signInAgain={signInAgain} reason={formatReason} />
      {notice === null ? null : <Notice {...notice} />}
      <chakra.p color="inkMuted">
        <Trans>Connect a service that you already use, and sign in through it without a password.</Trans>
      </chakra.p>
      <chakra.ul listStyleType="none" mt={3}>
        {providers.map((provider) => (
          <Line key={provider.id} actor={actor} provider={provider} />
        ))}
      </chakra.ul>
    </>
  );
};

/** Connects a telephone number: the fields for the number and its code replace the list. */
const Phoning = ({ actor }: Props): ReactElement | null => {
  const phone = useSelector(actor, ({ children }) => children.phone as ActorRefFrom<typeof phoneMachine> | undefined);
  return phone === undefined ? null : <PhoneSignIn actor={phone} joins />;
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your ways to sign in</Trans>} />
);

const screens: Screens<typeof ownProvidersMachine> = {
  loading: Fetching,
  none: null,
  shown: Shown,
  starting: Shown,
  leaving: Shown,
  phoning: Phoning,
  asking: Shown,
  removing: Shown,
  failed: Failed,
};

/**
 * The store's sign-in providers, with buttons to connect or remove them; renders nothing in a store
 * without providers.
 */
export const OwnProviders = ({ actor }: Props): ReactElement => (
  <Section flow="ownProviders" actor={actor} screens={screens} heading={<Trans>Other ways to sign in</Trans>} part="ways" />
);
