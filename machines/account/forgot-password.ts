import { sendParent, setup } from 'xstate';
import { formActions, onForm } from '../form.ts';
import type { FlowInput, FlowNews, TypedEmail } from '../flows/flow-input.ts';
import type { ForgotPasswordForm } from '../model/account/password.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { problemIn, requestPort } from '../ports.ts';

type Context = {
  /** The customer says that another person has changed the account. */
  isNotMe: boolean;
  fields: FieldProblems;
  problem: Problem | null;
  /** On the form before. */
  typed?: TypedEmail;
  /** Held only while the request is on its way. */
  pii: { form: ForgotPasswordForm | null };
};

type Events =
  | FlowNews
  | ({ type: 'email.typed' } & TypedEmail)
  | { type: 'request.submitted'; pii: { form: ForgotPasswordForm } }
  | { type: 'request.rejected'; fields: FieldProblems }
  | { type: 'again.pressed' };

/** Having a link for a new password sent. Nobody is told whether there is an account with the address. */
export const forgotPasswordMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /**
     * Answers alike for an address without an account; the link that is sent says again that it was
     * not the customer.
     */
    requestLink: requestPort<object, { isNotMe: boolean; pii: { form: ForgotPasswordForm | null } }>(),
  },
  actions: {
    ...formActions<Context, Events, ForgotPasswordForm>(),
    /** The form that comes next has it. */
    tellEmail: sendParent(({ event }) => event),
  },
}).createMachine({
  id: 'forgotPassword',
  context: ({ input: { route, typed } }) => ({
    isNotMe: route.query['notme'] === '1',
    fields: {},
    problem: null,
    pii: { form: null },
    ...(typed && { typed }),
  }),
  initial: 'asking',
  states: {
    asking: {
      meta: { spec: ['S2./forgotpassword', 'S2.forgot/send'] },
      on: {
        'email.typed': { actions: 'tellEmail' },
        ...onForm('request', 'sending'),
      },
    },
    sending: {
      meta: { spec: ['S7.user/forgotpassword'] },
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'requestLink',
        src: 'requestLink',
        input: ({ context: { isNotMe, pii } }) => ({ isNotMe, pii }),
        onDone: 'sent',
        onError: { target: 'asking', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    sent: { on: { 'again.pressed': 'asking' } },
  },
});
