import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { signUpMachine } from '../../../machines/account/sign-up.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { useSearch } from 'wouter';
import { signInPath } from '../../../machines/model/paths.ts';
import { withCustomFields } from '../../../machines/model/account/custom-form.ts';
import { SignUpForm } from '../../../machines/model/account/session.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { OuterLink, TextLink } from '../../ui/TextLink.tsx';
import { FormPage, TitledPage } from '../../views/lazy/FormPage.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { CustomFields } from '../../views/lazy/CustomFields.tsx';
import { EmailField } from '../../views/lazy/EmailField.tsx';
import { formatFieldProblem } from '../../views/lazy/field-problem-text.tsx';
import { NewPasswordField } from '../../views/lazy/NewPasswordField.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { ProviderButtons } from '../../views/lazy/ProviderButtons.tsx';
import { leadsToSample } from '../../views/wants-sample.ts';

/** A link that opens in a new tab, so that the form's input stays. */
const NewTabLink = ({ href, children }: { href: string; children: ReactNode }): ReactElement => (
  <OuterLink href={href} target="_blank" rel="noopener">
    {children}
  </OuterLink>
);

const heading = <Trans>Create your account</Trans>;

/** The form for a new account; its input stays while it is checked. */
const SignUpFormView = ({ actor }: { actor: ActorRefFrom<typeof signUpMachine> }): ReactElement => {
  const { t } = useLingui();
  const search = useSearch();
  const { showNewsletterControls, newsletterSignupText } = useBrand().store;
  const context = useSelector(actor, (state) => state.context);
  const providers = useSelector(actor, ({ children }) => children.providers);
  return (
    <FormPage
      actor={actor}
      name="signUp"
      form={withCustomFields(SignUpForm, context.customFields)}
      heading={heading}
      above={
        leadsToSample(search) ? (
          <Notice>
            <Trans>
              Create a free account to open the sample. It keeps your place, so you can pick up in the full title where you left
              off.
            </Trans>
          </Notice>
        ) : null
      }
      problem={context.problem}
      submitText={<Trans>Create account</Trans>}
      busyText={t`Creating your account…`}
      below={
        <>
          <chakra.p textAlign="center">
            <Trans>
              Already have an account? <TextLink href={signInPath(search)}>Sign in</TextLink>
            </Trans>
          </chakra.p>
          {providers === undefined ? null : <ProviderButtons actor={providers} />}
        </>
      }
    >
      <TextField name="name" autoComplete="name" label={t`Your name`} problem={formatFieldProblem(context.fields['name'])} />
      <EmailField actor={actor} context={context} />
      <NewPasswordField name="password" fields={context.fields} label={t`Password`} hint={t`At least 8 characters`} />
      <CustomFields fields={context.customFields} problems={context.fields} />
      <Checkbox
        name="agree"
        problem={formatFieldProblem(context.fields['agree'])}
        label={
          <Trans>
            I agree to the <NewTabLink href="/terms">terms of service</NewTabLink> and the{' '}
            <NewTabLink href="/privacy">privacy policy</NewTabLink>.
          </Trans>
        }
      />
      {showNewsletterControls ? (
        <Checkbox name="newsletter" label={newsletterSignupText || <Trans>Send me the newsletter.</Trans>} />
      ) : null}
    </FormPage>
  );
};

type Actor = ActorRefFrom<typeof signUpMachine>;

const Welcomed = (): ReactElement => (
  <Loading>
    <Trans>Your account is ready. One moment…</Trans>
  </Loading>
);

/** The placeholder of the form until its fields have loaded. */
const Opening = (): ReactElement => (
  <TitledPage heading={heading}>
    <Loading>
      <Trans>One moment…</Trans>
    </Loading>
  </TitledPage>
);

const Failed = ({ actor }: { actor: Actor }): ReactElement => (
  <LoadFailure actor={actor} level={1} heading={<Trans>We couldn’t load the form</Trans>} />
);

const screens: Screens<typeof signUpMachine> = {
  loading: Opening,
  failed: Failed,
  asking: SignUpFormView,
  checking: SignUpFormView,
  welcomed: Welcomed,
};

/** Creating an account. */
export const SignUpView = ({ actor }: { actor: Actor }): ReactElement => (
  <FlowScreen flow="signUp" actor={actor} screens={screens}>
    {(screen) => <Page width="narrow">{screen}</Page>}
  </FlowScreen>
);
