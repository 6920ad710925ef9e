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
import { FormPage, Titled } from '../../views/late/FormPage.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { CustomFields } from '../../views/late/CustomFields.tsx';
import { EmailField } from '../../views/late/EmailField.tsx';
import { fieldProblemText } from '../../views/late/field-problem-text.tsx';
import { NewPasswordField } from '../../views/late/NewPasswordField.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { ProviderButtons } from '../../views/late/ProviderButtons.tsx';
import { wantsSample } from '../../views/wants-sample.ts';

/** Opens beside the form, so that what was typed stays. */
const Aside = ({ href, children }: { href: string; children: ReactNode }): ReactElement => (
  <OuterLink href={href} target="_blank" rel="noopener">
    {children}
  </OuterLink>
);

const heading = <Trans>Create your account</Trans>;

/** The form of a new account; it stays as typed while it is checked. */
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
        wantsSample(search) ? (
          <Notice>
            <Trans>
              Create a free account to open the sample. It keeps your place, so you can pick up in the full title where you left
              off.
            </Trans>
          </Notice>
        ) : null
      }
      problem={context.problem}
      send={<Trans>Create account</Trans>}
      sending={t`Creating your account…`}
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
      <TextField name="name" autoComplete="name" label={t`Your name`} problem={fieldProblemText(context.fields['name'])} />
      <EmailField actor={actor} context={context} />
      <NewPasswordField name="password" fields={context.fields} label={t`Password`} hint={t`At least 8 characters`} />
      <CustomFields fields={context.customFields} problems={context.fields} />
      <Checkbox
        name="agree"
        problem={fieldProblemText(context.fields['agree'])}
        label={
          <Trans>
            I agree to the <Aside href="/terms">terms of service</Aside> and the <Aside href="/privacy">privacy policy</Aside>.
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

/** The place of the form, until it is known what it asks for. */
const Opening = (): ReactElement => (
  <Titled heading={heading}>
    <Loading>
      <Trans>One moment…</Trans>
    </Loading>
  </Titled>
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
