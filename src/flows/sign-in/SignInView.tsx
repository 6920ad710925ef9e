import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { signInMachine } from '../../../machines/account/sign-in.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { useSearch } from 'wouter';
import { signUpPath } from '../../../machines/model/paths.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { SignInForm } from '../../../machines/model/account/session.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { FormPage } from '../../views/lazy/FormPage.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { EmailField } from '../../views/lazy/EmailField.tsx';
import { formatFieldProblem } from '../../views/lazy/field-problem-text.tsx';
import { ProviderButtons } from '../../views/lazy/ProviderButtons.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { leadsToSample } from '../../views/wants-sample.ts';
import { PasskeyButton } from './PasskeyButton.tsx';

/**
 * The text for a refusal; here `unauthorized` means that the typed credentials are wrong, not that
 * a session has ended.
 */
const formatRefusal = (problem: Problem): ReactElement =>
  problem.kind === 'unauthorized' ? (
    <Trans>That email address or password is incorrect. Please try again.</Trans>
  ) : (
    formatProblem(problem)
  );

/** The sign-in form; its input stays while it is checked. */
const SignInFormView = ({ actor }: { actor: ActorRefFrom<typeof signInMachine> }): ReactElement => {
  const { t } = useLingui();
  const search = useSearch();
  const context = useSelector(actor, (state) => state.context);
  const { passkey, providers } = useSelector(actor, ({ children }) => children);
  return (
    <FormPage
      actor={actor}
      name="signIn"
      form={SignInForm}
      heading={<Trans>Sign in</Trans>}
      above={
        <>
          {context.expired ? (
            <Notice>
              <Trans>Your session has ended. Sign in again to pick up where you left off.</Trans>
            </Notice>
          ) : null}
          {leadsToSample(search) ? (
            <Notice>
              <Trans>Sign in to open the sample.</Trans>
            </Notice>
          ) : null}
        </>
      }
      problem={context.problem}
      reason={formatRefusal}
      submitText={<Trans>Sign in</Trans>}
      busyText={t`Signing in…`}
      below={
        <>
          <chakra.p textAlign="center">
            <Trans>
              New here? <TextLink href={signUpPath(search)}>Create an account</TextLink>
            </Trans>
          </chakra.p>
          {passkey === undefined ? null : <PasskeyButton actor={passkey} />}
          {providers === undefined ? null : <ProviderButtons actor={providers} />}
        </>
      }
    >
      <EmailField actor={actor} context={context} autoComplete="username webauthn" />
      <PasswordField
        name="password"
        autoComplete="current-password"
        label={t`Password`}
        problem={formatFieldProblem(context.fields['password'])}
      />
      <chakra.div display="flex" flexWrap="wrap" justifyContent="space-between" alignItems="center" columnGap={4} rowGap={2}>
        <Checkbox name="remember" defaultChecked label={t`Remember me`} />
        <TextLink href="/forgotpassword">
          <Trans>Forgot your password?</Trans>
        </TextLink>
      </chakra.div>
    </FormPage>
  );
};

type Actor = ActorRefFrom<typeof signInMachine>;

const Welcomed = (): ReactElement => (
  <Loading>
    <Trans>You’re signed in. One moment…</Trans>
  </Loading>
);

const screens: Screens<typeof signInMachine> = {
  asking: SignInFormView,
  checking: SignInFormView,
  welcomed: Welcomed,
};

/** Sign-in with an e-mail address and a password. */
export const SignInView = ({ actor }: { actor: Actor }): ReactElement => (
  <FlowScreen flow="signIn" actor={actor} screens={screens}>
    {(screen) => <Page width="narrow">{screen}</Page>}
  </FlowScreen>
);
