import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { phoneMachine } from '../../../machines/account/phone.ts';
import { CodeForm, PhoneForm } from '../../../machines/model/phone.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { moment } from '../../brand/facts.ts';
import { Button } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading, Spinner } from '../../ui/Loading.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { Status } from '../../ui/Status.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { fieldProblemText } from './field-problem-text.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { problemText } from '../problem-text.ts';
import { submitForm } from '../submit-form.ts';
import { passFocus } from '../../ui/pass-focus.ts';

const refusals: Record<string, ReactElement> = {
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
  provider_taken: <Trans>That number already opens another account in this shop. Remove it there first.</Trans>,
  sign_in_again: <Trans>You signed in too long ago to connect a number. Sign out, sign in again, and connect it then.</Trans>,
};

const refusalText = (problem: Problem): ReactElement =>
  (problem.kind === 'refused' ? refusals[problem.code] : undefined) ?? problemText(problem);

type Props = {
  actor: ActorRefFrom<typeof phoneMachine>;
  /** The number is for the account that is signed in. */
  joins?: boolean;
};

const useForm = (actor: Props['actor']) => ({
  ...useSelector(actor, ({ context }) => context),
  busy: useSelector(actor, (state) => state.hasTag('busy')),
});

const Refused = ({ actor }: Props): ReactElement | null => {
  const problem = useSelector(actor, ({ context }) => context.problem);
  return problem === null ? null : <ProblemNotice problem={problem}>{refusalText(problem)}</ProblemNotice>;
};

/** The number; it stays as typed while the code is sent. */
const NumberForm = ({ actor }: Props): ReactElement => {
  const { fields, busy } = useForm(actor);
  return (
    <chakra.form noValidate onSubmit={submitForm(actor, 'phone', PhoneForm, busy)} display="grid" gap={5} aria-busy={busy}>
      <Refused actor={actor} />
      <TextField
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        autoFocus
        label={<Trans>Phone number</Trans>}
        hint={<Trans>We’ll text you a code.</Trans>}
        problem={fieldProblemText(fields['phone'])}
      />
      <Button type="submit" size="lg" wide data-event="phone.submitted" disabled={busy}>
        {busy ? <Spinner aria-hidden /> : null}
        {busy ? <Trans>Sending…</Trans> : <Trans>Send code</Trans>}
      </Button>
      <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet">
        <Trans>Cancel</Trans>
      </EventButton>
      <span hidden ref={passFocus} />
    </chakra.form>
  );
};

/** The code; it stays as typed while it is checked. */
const CodeAsked = ({ actor, joins = false }: Props): ReactElement => {
  const { fields, busy } = useForm(actor);
  return (
    <chakra.form noValidate onSubmit={submitForm(actor, 'code', CodeForm, busy)} display="grid" gap={5} aria-busy={busy}>
      <Refused actor={actor} />
      <TextField
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        label={<Trans>Code from the text message</Trans>}
        problem={fieldProblemText(fields['code'])}
      />
      <Button type="submit" size="lg" wide data-event="code.submitted" disabled={busy}>
        {busy ? <Spinner aria-hidden /> : null}
        {joins ? busy ? <Trans>Connecting…</Trans> : <Trans>Connect</Trans> : null}
        {joins ? null : busy ? <Trans>Signing in…</Trans> : <Trans>Sign in</Trans>}
      </Button>
      <EventButton actor={actor} event={{ type: 'again.pressed' }} look="quiet">
        <Trans>Send another code</Trans>
      </EventButton>
      <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet">
        <Trans>Cancel</Trans>
      </EventButton>
      <span hidden ref={passFocus} />
    </chakra.form>
  );
};

/** Which message has the code; it says itself how long the code works. */
const Sent = ({ actor }: Props): ReactElement => {
  const { i18n } = useLingui();
  const sentAt = useSelector(actor, ({ context }) => context.sentAt);
  if (sentAt === null) return <Trans>We’ve texted you a code.</Trans>;
  const time = moment(sentAt, i18n.locale);
  return <Trans>You already have a text message with a code that works ({time}). Enter that code.</Trans>;
};

const Welcomed = (): ReactElement => (
  <Loading>
    <Trans>You’re signed in. One moment…</Trans>
  </Loading>
);

const screens: Record<StateValueFrom<typeof phoneMachine>, (props: Props) => ReactElement> = {
  asking: NumberForm,
  sending: NumberForm,
  codeAsked: CodeAsked,
  checking: CodeAsked,
  welcomed: Welcomed,
};

/** Signing in by a number and the code that is sent to it. */
export const PhoneSignIn = ({ actor, joins = false }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  return (
    <section data-flow="phone" data-state={JSON.stringify(value)}>
      <Sheet display="grid" gap={5}>
        <chakra.h2 fontSize="xl">{joins ? <Trans>Connect a phone number</Trans> : <Trans>Sign in by phone</Trans>}</chakra.h2>
        <Status>{Screen === CodeAsked ? <Sent actor={actor} /> : null}</Status>
        <Screen actor={actor} joins={joins} />
      </Sheet>
    </section>
  );
};
