import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { phoneMachine } from '../../machines/account/phone.ts';
import { CodeForm, PhoneForm } from '../../machines/model/phone.ts';
import type { Problem } from '../../machines/model/problem.ts';
import { Button } from '../ui/Button.tsx';
import { chakra } from '../ui/chakra.ts';
import { EventButton } from '../ui/EventButton.tsx';
import { Loading, Spinner } from '../ui/Loading.tsx';
import { Sheet } from '../ui/Page.tsx';
import { TextField } from '../ui/TextField.tsx';
import { fieldProblemText } from './field-problem-text.tsx';
import { ProblemNotice } from './ProblemNotice.tsx';
import { submitForm } from './submit-form.ts';
import { passFocus } from './take-focus.ts';

/** What is said of signing in by telephone; each flow brings its words with it. */
export type PhoneWords = {
  heading: ReactNode;
  phone: ReactNode;
  hint: ReactNode;
  send: ReactNode;
  sending: ReactNode;
  sent: ReactNode;
  code: ReactNode;
  signIn: ReactNode;
  signingIn: ReactNode;
  another: ReactNode;
  cancel: ReactNode;
  welcome: ReactNode;
  refusal: (problem: Problem) => ReactElement;
};

type Props = { actor: ActorRefFrom<typeof phoneMachine>; words: PhoneWords };

const useForm = (actor: Props['actor']) => ({
  ...useSelector(actor, ({ context }) => context),
  busy: useSelector(actor, (state) => state.hasTag('busy')),
});

const Refused = ({ actor, words }: Props): ReactElement | null => {
  const problem = useSelector(actor, ({ context }) => context.problem);
  return problem === null ? null : <ProblemNotice problem={problem}>{words.refusal(problem)}</ProblemNotice>;
};

/** The number; it stays as typed while the code is sent. */
const NumberForm = ({ actor, words }: Props): ReactElement => {
  const { fields, busy } = useForm(actor);
  return (
    <chakra.form noValidate onSubmit={submitForm(actor, 'phone', PhoneForm, busy)} display="grid" gap={5} aria-busy={busy}>
      <Refused actor={actor} words={words} />
      <TextField
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        autoFocus
        label={words.phone}
        hint={words.hint}
        problem={fieldProblemText(fields['phone'])}
      />
      <Button type="submit" size="lg" wide data-event="phone.submitted" disabled={busy}>
        {busy ? <Spinner aria-hidden /> : null}
        {busy ? words.sending : words.send}
      </Button>
      <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet">
        {words.cancel}
      </EventButton>
      <span hidden ref={passFocus} />
    </chakra.form>
  );
};

/** The code; it stays as typed while it is checked. */
const CodeAsked = ({ actor, words }: Props): ReactElement => {
  const { fields, busy } = useForm(actor);
  return (
    <chakra.form noValidate onSubmit={submitForm(actor, 'code', CodeForm, busy)} display="grid" gap={5} aria-busy={busy}>
      <p role="status">{words.sent}</p>
      <Refused actor={actor} words={words} />
      <TextField
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        label={words.code}
        problem={fieldProblemText(fields['code'])}
      />
      <Button type="submit" size="lg" wide data-event="code.submitted" disabled={busy}>
        {busy ? <Spinner aria-hidden /> : null}
        {busy ? words.signingIn : words.signIn}
      </Button>
      <EventButton actor={actor} event={{ type: 'again.pressed' }} look="quiet">
        {words.another}
      </EventButton>
      <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet">
        {words.cancel}
      </EventButton>
      <span hidden ref={passFocus} />
    </chakra.form>
  );
};

const Welcomed = ({ words }: Props): ReactElement => <Loading>{words.welcome}</Loading>;

const screens: Record<StateValueFrom<typeof phoneMachine>, (props: Props) => ReactElement> = {
  asking: NumberForm,
  sending: NumberForm,
  codeAsked: CodeAsked,
  checking: CodeAsked,
  welcomed: Welcomed,
};

/** Signing in by a number and the code that is sent to it. */
export const PhoneSignIn = ({ actor, words }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  return (
    <section data-flow="phone" data-state={JSON.stringify(value)}>
      <Sheet display="grid" gap={5}>
        <chakra.h2 fontSize="xl">{words.heading}</chakra.h2>
        <Screen actor={actor} words={words} />
      </Sheet>
    </section>
  );
};
