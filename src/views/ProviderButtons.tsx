import { useSelector } from '@xstate/react';
import type { MouseEvent, ReactElement, ReactNode } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { phoneMachine } from '../../machines/account/phone.ts';
import type { providersMachine } from '../../machines/account/providers.ts';
import type { Problem } from '../../machines/model/problem.ts';
import { Button } from '../ui/Button.tsx';
import { chakra } from '../ui/chakra.ts';
import { Spinner } from '../ui/Loading.tsx';
import { PhoneSignIn, type PhoneWords } from './PhoneSignIn.tsx';
import { ProblemNotice } from './ProblemNotice.tsx';

/** What a form's own page says of its providers; each flow brings its words with it. */
export type ProviderWords = {
  or: ReactNode;
  continueWith: (name: string) => ReactNode;
  continueByPhone: ReactNode;
  phone: PhoneWords;
  /** what is agreed to by going on */
  terms: ReactNode;
  refusal: (problem: Problem) => ReactElement;
};

type Props = { actor: ActorRefFrom<typeof providersMachine>; words: ProviderWords };

const Nothing = (): null => null;

/** Whether the form above is ticked to remember who signs in; one that does not ask remembers. */
const isRemembered = (button: HTMLElement): boolean =>
  button.closest('[data-flow="providers"]')?.parentElement?.querySelector<HTMLInputElement>('[name="remember"]')?.checked ?? true;

/** A button for each provider; while one of them is gone to, all of them stay. */
const Buttons = ({ actor, words }: Props): ReactElement => {
  const { providers, choice, problem } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  const press =
    (providerId: string) =>
    ({ currentTarget }: MouseEvent<HTMLElement>): void =>
      actor.send({ type: 'provider.pressed', providerId, remember: isRemembered(currentTarget) });
  return (
    <chakra.div display="grid" gap={4} aria-busy={busy}>
      <chakra.div display="flex" alignItems="center" gap={4} color="inkMuted" aria-hidden>
        <chakra.span flex="1" borderTop="1px solid" borderColor="line" />
        {words.or}
        <chakra.span flex="1" borderTop="1px solid" borderColor="line" />
      </chakra.div>
      {problem === null ? null : <ProblemNotice problem={problem}>{words.refusal(problem)}</ProblemNotice>}
      {providers.map(({ id, kind, name }) => (
        <Button
          key={id}
          look="outline"
          size="lg"
          wide
          data-event="provider.pressed"
          data-value={id}
          disabled={busy}
          onClick={press(id)}
          overflowWrap="anywhere"
        >
          {choice?.providerId === id ? <Spinner aria-hidden /> : null}
          {kind === 'phone' ? words.continueByPhone : words.continueWith(name)}
        </Button>
      ))}
      <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
        {words.terms}
      </chakra.p>
    </chakra.div>
  );
};

const Phone = ({ actor, words }: Props): ReactElement | null => {
  const phone = useSelector(actor, ({ children }) => children.phone as ActorRefFrom<typeof phoneMachine> | undefined);
  return phone === undefined ? null : <PhoneSignIn actor={phone} words={words.phone} />;
};

const screens: Record<StateValueFrom<typeof providersMachine>, (props: Props) => ReactElement | null> = {
  loading: Nothing,
  none: Nothing,
  offered: Buttons,
  starting: Buttons,
  phoning: Phone,
  leaving: Buttons,
};

/** The ways in beside the form; below everything else, so that nothing moves when they come. */
export const ProviderButtons = ({ actor, words }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  return (
    <div data-flow="providers" data-state={JSON.stringify(value)} style={{ display: 'contents' }}>
      <Screen actor={actor} words={words} />
    </div>
  );
};
