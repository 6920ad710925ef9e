import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { MouseEvent, ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { phoneMachine } from '../../../machines/account/phone.ts';
import type { providersMachine } from '../../../machines/account/providers.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { Button } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Spinner } from '../../ui/Loading.tsx';
import { OuterLink } from '../../ui/TextLink.tsx';
import { FlowScreen, type Screens } from '../FlowScreen.tsx';
import { isRemembered } from './is-remembered.ts';
import { PhoneSignIn } from './PhoneSignIn.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { formatProblem } from '../problem-text.ts';

const formatProviderRefusal = (problem: Problem): ReactElement =>
  problem.kind === 'refused' && ['provider_unreachable', 'not_found'].includes(problem.code) ? (
    <Trans>That service isn’t responding. Try again later, or use your email address and a password.</Trans>
  ) : (
    formatProblem(problem)
  );

/** The terms that the customer accepts by continuing. */
const Terms = (): ReactElement => (
  <Trans>
    By continuing, you agree to the{' '}
    <OuterLink href="/terms" target="_blank" rel="noopener">
      terms of service
    </OuterLink>{' '}
    and the{' '}
    <OuterLink href="/privacy" target="_blank" rel="noopener">
      privacy policy
    </OuterLink>
    .
  </Trans>
);

type Props = { actor: ActorRefFrom<typeof providersMachine> };

/** A button for each provider; all stay visible while one of them redirects. */
const Buttons = ({ actor }: Props): ReactElement => {
  const { providers, choice, problem } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  const createPressHandler =
    (providerId: string) =>
    ({ currentTarget }: MouseEvent<HTMLElement>): void =>
      actor.send({ type: 'provider.pressed', providerId, remember: isRemembered(currentTarget) });
  return (
    <chakra.div display="grid" gap={4} aria-busy={busy}>
      <chakra.div display="flex" alignItems="center" gap={4} color="inkMuted" aria-hidden>
        <chakra.span flex="1" borderTop="1px solid" borderColor="line" />
        <Trans>or</Trans>
        <chakra.span flex="1" borderTop="1px solid" borderColor="line" />
      </chakra.div>
      {problem === null ? null : <ProblemNotice problem={problem}>{formatProviderRefusal(problem)}</ProblemNotice>}
      {providers.map(({ id, kind, name }) => (
        <Button
          key={id}
          look="outline"
          size="lg"
          wide
          data-event="provider.pressed"
          data-value={id}
          disabled={busy}
          onClick={createPressHandler(id)}
          overflowWrap="anywhere"
        >
          {choice?.providerId === id ? <Spinner aria-hidden /> : null}
          {kind === 'phone' ? <Trans>Continue with a phone number</Trans> : <Trans>Continue with {name}</Trans>}
        </Button>
      ))}
      <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
        <Terms />
      </chakra.p>
    </chakra.div>
  );
};

const Phone = ({ actor }: Props): ReactElement | null => {
  const phone = useSelector(actor, ({ children }) => children.phone as ActorRefFrom<typeof phoneMachine> | undefined);
  return phone === undefined ? null : <PhoneSignIn actor={phone} />;
};

const screens: Screens<typeof providersMachine> = {
  loading: null,
  none: null,
  offered: Buttons,
  starting: Buttons,
  phoning: Phone,
  leaving: Buttons,
};

/**
 * The buttons of the sign-in providers; below everything else, so that nothing shifts when they
 * have loaded.
 */
export const ProviderButtons = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="providers" actor={actor} screens={screens} />
);
