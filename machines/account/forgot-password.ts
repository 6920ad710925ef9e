import { sendParent, setup } from 'xstate';
import { createFormActions, onForm } from '../form.ts';
import type { FlowInput, FlowSignal, TypedEmail } from '../flows/flow-input.ts';
import type { ForgotPasswordForm } from '../model/account/password.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { getProblem, requestPort } from '../ports.ts';

type Context = {
  /** The customer reports that another person changed the account. */
  isNotMe: boolean;
  fields: FieldProblems;
  problem: Problem | null;
  /** The e-mail address typed into the previous form. */
  typed?: TypedEmail;
  /** The typed form, held only until the request settles. */
  pii: { form: ForgotPasswordForm | null };
};

type Events =
  | FlowSignal
  | ({ type: 'email.typed' } & TypedEmail)
  | { type: 'request.submitted'; pii: { form: ForgotPasswordForm } }
  | { type: 'request.rejected'; fields: FieldProblems }
  | { type: 'again.pressed' };

/**
 * Requests an e-mailed link to set a new password. The response does not reveal whether an account
 * exists for the address.
 */
export const forgotPasswordMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /**
     * Requests the e-mail; the response is the same if no account exists. With `isNotMe`, the link
     * opens the form for a customer who did not make the change.
     */
    requestLink: requestPort<object, { isNotMe: boolean; pii: { form: ForgotPasswordForm | null } }>(),
  },
  actions: {
    ...createFormActions<Context, Events, ForgotPasswordForm>(),
    /** Lets the next account form start with this e-mail address. */
    forwardEmail: sendParent(({ event }) => event),
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
        'email.typed': { actions: 'forwardEmail' },
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
        onError: { target: 'asking', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    sent: { on: { 'again.pressed': 'asking' } },
  },
});
