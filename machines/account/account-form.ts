import { sendParent, sendTo, type AnyActorRef, type EventObject } from 'xstate';
import type { CameBy, SignedIn } from '../app/session.ts';
import type { FlowNews, TypedEmail } from '../flows/flow-input.ts';
import { formActions, type FormContext } from '../form.ts';
import type { AfterSignIn } from '../model/account/after-sign-in.ts';
import { queryOfWay } from '../model/account/way.ts';
import { outputIn, problemIn } from '../ports.ts';

/**
 * The parts that signing in and signing up share: a form with an address and a password that is
 * `checking` until the customer is `welcomed`, and the store's providers beside it.
 */
export type AccountFormContext<Form> = FormContext<Form> & {
  /** The page after the sign-in. */
  way: AfterSignIn;
  /** On the form before. */
  typed?: TypedEmail;
};

export type FormEvents =
  | FlowNews
  | { type: 'leave'; url: string }
  | ({ type: 'session.started' } & CameBy)
  | ({ type: 'email.typed' } & TypedEmail);

/** `pathOf` gives the form's own address for a query. */
export const accountFormActions = <Context extends AccountFormContext<Form>, Event extends EventObject, Form>(
  pathOf: (query: Record<string, string>) => string,
) => ({
  ...formActions<Context, Event, Form>(),
  /** The form that comes next has it. */
  tellEmail: sendParent<Context, Event, undefined, EventObject, Event>(({ event }) => event),
  tellProviders: sendTo<Context, Event, undefined, AnyActorRef, Event>('providers', { type: 'page.returned' }),
  goToProvider: sendParent<Context, Event, undefined, EventObject, Event>(({ event }) => event),
  passOn: sendParent<Context, Event, CameBy, EventObject, Event>((_, { userId, pii }) => ({
    type: 'session.started',
    userId,
    pii,
  })),
  /** The store’s questions come before the page after the sign-in. */
  addQuestions: sendParent<Context, Event, undefined, EventObject, Event>(({ context: { way } }) => ({
    type: 'go',
    to: pathOf({ ...queryOfWay(way), questions: '1' }),
    replace: true,
  })),
  reportSession: sendParent<Context, Event, SignedIn, EventObject, Event>((_, customer) => ({
    type: 'session.started',
    ...customer,
  })),
});

export const formGuards = { isAsked: (_: unknown, { asks }: CameBy): boolean => asks === true };

const cameBy = ({ event }: { event: CameBy }): CameBy => event;

/** News of the providers, and of the page. */
export const onNews = {
  leave: { actions: 'goToProvider' },
  'session.started': [
    { guard: { type: 'isAsked', params: cameBy }, actions: ['addQuestions', { type: 'passOn', params: cameBy }] },
    { actions: { type: 'passOn', params: cameBy } },
  ],
  'page.returned': { actions: 'tellProviders' },
} as const;

/** `onDone` and `onError` of the call that checks the form. */
export const thenWelcomed = {
  onDone: { target: 'welcomed', actions: { type: 'reportSession', params: outputIn } },
  onError: { target: 'asking', actions: { type: 'keepProblem', params: problemIn } },
} as const;
