import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { GenericSchema } from 'valibot';
import type { ActorRefFrom } from 'xstate';
import type { phoneMachine } from '../../../machines/account/phone.ts';
import { CodeForm, PhoneForm } from '../../../machines/model/account/phone.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { formatDateTime } from '../../brand/facts.ts';
import { Button } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading, Spinner } from '../../ui/Loading.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { Status } from '../../ui/Status.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { formatFieldProblem } from './field-problem-text.tsx';
import { FlowScreen, type Screens } from '../FlowScreen.tsx';
import { MachineForm } from '../MachineForm.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { formatProblem } from '../problem-text.ts';
import { keepFocusInScreen } from '../../ui/keep-focus.ts';

const refusalTexts: Record<string, ReactElement> = {
  bad_phone: <Trans>This doesn’t look like a phone number. Include the country code, like +44.</Trans>,
  phone_kind: (
    <Trans>We can’t send codes to premium-rate, satellite or other special numbers. Use an ordinary phone number.</Trans>
  ),
  phone_country: <Trans>This shop doesn’t send codes to numbers from that country.</Trans>,
  phone_country_full: (
    <Trans>This shop has sent all its codes to that country for today. Try again tomorrow, or sign in another way.</Trans>
  ),
  message_not_sent: <Trans>We couldn’t send the message. Try again later, or use your email address and a password.</Trans>,
  code_wrong: <Trans>That code is incorrect. Please try again.</Trans>,
  code_over: <Trans>That code no longer works. Get a new one.</Trans>,
  provider_taken: (
    <Trans>That number is already linked to another account in this shop. Remove it from that account first.</Trans>
  ),
  sign_in_again: <Trans>For your security, sign out and sign in again before you connect a number.</Trans>,
};

const formatPhoneRefusal = (problem: Problem): ReactElement =>
  (problem.kind === 'refused' ? refusalTexts[problem.code] : undefined) ?? formatProblem(problem);

type PanelContext = {
  /** Whether the number is joined to the signed-in customer's account. */
  joins?: boolean;
};

type Props = PanelContext & { actor: ActorRefFrom<typeof phoneMachine> };

type FormProps = Props & {
  name: 'phone' | 'code';
  form: GenericSchema;
  /** Props of the field. */
  field: Omit<ComponentProps<typeof TextField>, 'name' | 'autoFocus' | 'problem'>;
  submitText: ReactNode;
  busyText: ReactNode;
  children?: ReactNode;
};

/**
 * A form with one field, which keeps its value during the submission. `children` are additional
 * buttons.
 */
const OneFieldForm = ({ actor, name, form, field, submitText, busyText, children }: FormProps): ReactElement => {
  const { fields, problem } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <MachineForm actor={actor} name={name} form={form}>
      {problem === null ? null : <ProblemNotice problem={problem}>{formatPhoneRefusal(problem)}</ProblemNotice>}
      <TextField name={name} autoFocus problem={formatFieldProblem(fields[name])} {...field} />
      <Button type="submit" size="lg" wide data-event={`${name}.submitted`} disabled={busy}>
        {busy ? <Spinner aria-hidden /> : null}
        {busy ? busyText : submitText}
      </Button>
      {children}
      <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet">
        <Trans>Cancel</Trans>
      </EventButton>
      <span hidden ref={keepFocusInScreen} />
    </MachineForm>
  );
};

const NumberForm = ({ actor }: Props): ReactElement => (
  <OneFieldForm
    actor={actor}
    name="phone"
    form={PhoneForm}
    field={{
      type: 'tel',
      inputMode: 'tel',
      autoComplete: 'tel',
      label: <Trans>Phone number</Trans>,
      hint: <Trans>We’ll text you a code.</Trans>,
    }}
    submitText={<Trans>Send code</Trans>}
    busyText={<Trans>Sending…</Trans>}
  />
);

const CodeEntryForm = ({ actor, joins = false }: Props): ReactElement => (
  <OneFieldForm
    actor={actor}
    name="code"
    form={CodeForm}
    field={{
      inputMode: 'numeric',
      autoComplete: 'one-time-code',
      label: <Trans>Code from the text message</Trans>,
    }}
    submitText={joins ? <Trans>Connect</Trans> : <Trans>Sign in</Trans>}
    busyText={joins ? <Trans>Connecting…</Trans> : <Trans>Signing in…</Trans>}
  >
    <EventButton actor={actor} event={{ type: 'again.pressed' }} look="quiet">
      <Trans>Send another code</Trans>
    </EventButton>
  </OneFieldForm>
);

/** Which text message has the valid code; how long the code is valid is in the message. */
const Sent = ({ actor }: Props): ReactElement => {
  const { i18n } = useLingui();
  const sentAt = useSelector(actor, ({ context }) => context.sentAt);
  if (sentAt === null) return <Trans>We’ve texted you a code.</Trans>;
  const time = formatDateTime(sentAt, i18n.locale);
  return <Trans>You already have a text message with a valid code ({time}). Enter that code.</Trans>;
};

const Welcomed = (): ReactElement => (
  <Loading>
    <Trans>You’re signed in. One moment…</Trans>
  </Loading>
);

const screens: Screens<typeof phoneMachine, PanelContext> = {
  asking: NumberForm,
  sending: NumberForm,
  codeAsked: CodeEntryForm,
  checking: CodeEntryForm,
  welcomed: Welcomed,
};

/** Signs in with a telephone number by the code sent to it, or joins the number to the account. */
export const PhoneSignIn = ({ actor, joins = false }: Props): ReactElement => (
  <FlowScreen flow="phone" actor={actor} screens={screens} props={{ joins }}>
    {(screen, state) => (
      <Sheet display="grid" gap={5}>
        <chakra.h2 fontSize="xl">
          {joins ? <Trans>Connect a phone number</Trans> : <Trans>Sign in with a phone number</Trans>}
        </chakra.h2>
        <Status>{state === 'codeAsked' || state === 'checking' ? <Sent actor={actor} /> : null}</Status>
        {screen}
      </Sheet>
    )}
  </FlowScreen>
);
