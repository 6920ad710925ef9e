import { sendParent, sendTo, type AnyActorRef, type EventObject } from 'xstate';
import type { SignInResult, SignedInUser } from '../app/session.ts';
import type { FlowSignal, TypedEmail } from '../flows/flow-input.ts';
import { createFormActions, type FormContext } from '../form.ts';
import type { AfterSignIn } from '../model/account/after-sign-in.ts';
import { toReturnQuery } from '../model/account/way.ts';
import { getOutput, getProblem } from '../ports.ts';

/**
 * The context that sign-in and sign-up share: a form with an e-mail address and a password, and the
 * page that follows. Both have the states `checking` and `welcomed`, and the providers' buttons.
 */
export type AccountFormContext<Form> = FormContext<Form> & {
  /** The page and action to continue with after sign-in. */
  way: AfterSignIn;
  /** The e-mail address typed into the previous form. */
  typed?: TypedEmail;
};

export type FormEvents =
  | FlowSignal
  | { type: 'leave'; url: string }
  | ({ type: 'session.started' } & SignInResult)
  | ({ type: 'email.typed' } & TypedEmail);

/** Creates the actions of an account form; `getPath` returns the form's own path with a query. */
export const createAccountFormActions = <Context extends AccountFormContext<Form>, Event extends EventObject, Form>(
  getPath: (query: Record<string, string>) => string,
) => ({
  ...createFormActions<Context, Event, Form>(),
  /** Lets the next account form start with this e-mail address. */
  forwardEmail: sendParent<Context, Event, undefined, EventObject, Event>(({ event }) => event),
  sendToProviders: sendTo<Context, Event, undefined, AnyActorRef, Event>('providers', { type: 'page.returned' }),
  goToProvider: sendParent<Context, Event, undefined, EventObject, Event>(({ event }) => event),
  forwardEvent: sendParent<Context, Event, SignInResult, EventObject, Event>((_, { userId, pii }) => ({
    type: 'session.started',
    userId,
    pii,
  })),
  /** Shows the store’s questions before the page that follows sign-in. */
  addQuestions: sendParent<Context, Event, undefined, EventObject, Event>(({ context: { way } }) => ({
    type: 'go',
    to: getPath({ ...toReturnQuery(way), questions: '1' }),
    replace: true,
  })),
  reportSession: sendParent<Context, Event, SignedInUser, EventObject, Event>((_, customer) => ({
    type: 'session.started',
    ...customer,
  })),
});

export const formGuards = { isAsked: (_: unknown, { asks }: SignInResult): boolean => asks === true };

const getSignInResult = ({ event }: { event: SignInResult }): SignInResult => event;

/** Transitions for the events of the child machines (providers, passkey) and of the page. */
export const onSignal = {
  leave: { actions: 'goToProvider' },
  'session.started': [
    {
      guard: { type: 'isAsked', params: getSignInResult },
      actions: ['addQuestions', { type: 'forwardEvent', params: getSignInResult }],
    },
    { actions: { type: 'forwardEvent', params: getSignInResult } },
  ],
  'page.returned': { actions: 'sendToProviders' },
} as const;

/** `onDone` and `onError` of the request that submits the form. */
export const welcomeOnDone = {
  onDone: { target: 'welcomed', actions: { type: 'reportSession', params: getOutput } },
  onError: { target: 'asking', actions: { type: 'keepProblem', params: getProblem } },
} as const;
