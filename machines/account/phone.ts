import { assign, sendParent, setup } from 'xstate';
import type { SignInResult } from '../app/session.ts';
import { keepFields, onForm } from '../form.ts';
import { keepProblem } from '../loadable.ts';
import type { CodeForm, PhoneCodeRequest, PhoneForm, TypedCode } from '../model/account/phone.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

type Context = {
  /** Keeps the session after the tab is closed. */
  remember: boolean;
  fields: FieldProblems;
  problem: Problem | null;
  /** The time of the text message (ISO 8601), if an earlier message is still valid; else null. */
  sentAt: PhoneCodeRequest['sentAt'];
  /**
   * The typed data: number and request id are held until sign-in succeeds or the form for the
   * number is shown again, the code only until its request settles.
   */
  pii: TypedCode;
};

/** The input for requesting a code. */
export type CodeRequest = { pii: { phone: string } };
/** The input for signing in with a code. */
export type CodeSignIn = { remember: boolean; pii: TypedCode };

const emptyTypedCode: TypedCode = { phone: '', code: '', requestId: '' };

/** Sign-in with a code sent to a telephone. A new number gets a new account. */
export const phoneMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'phone.submitted'; pii: { form: PhoneForm } }
      | { type: 'phone.rejected'; fields: FieldProblems }
      | { type: 'code.submitted'; pii: { form: CodeForm } }
      | { type: 'code.rejected'; fields: FieldProblems }
      | { type: 'again.pressed' }
      | { type: 'cancel.pressed' };
    input: { remember: boolean };
  },
  actors: {
    /**
     * Sends a code; the response is the same if no account exists. Rejects with `refused`:
     * `bad_phone` for an invalid number, `phone_kind` and `phone_country` for a number that the
     * shop sends no codes to, `phone_country_full` at the daily limit of the country.
     */
    sendCode: requestPort<PhoneCodeRequest, CodeRequest>(),
    /**
     * Signs in and stores the token itself. Rejects with `refused`: `code_wrong`, or `code_over` if
     * a new code must be sent.
     */
    signInByCode: requestPort<SignInResult, CodeSignIn>(),
  },
  actions: {
    keepPhone: assign({ pii: (_, { phone }: PhoneForm) => ({ ...emptyTypedCode, phone }), fields: {}, problem: null }),
    dropPhone: assign({ pii: emptyTypedCode }),
    keepRequest: assign({
      sentAt: (_, { sentAt }: PhoneCodeRequest) => sentAt,
      pii: ({ context }, { pii: { requestId } }: PhoneCodeRequest) => ({ ...context.pii, requestId }),
    }),
    keepCode: assign({ pii: ({ context: { pii } }, { code }: CodeForm) => ({ ...pii, code }), fields: {}, problem: null }),
    dropCode: assign({ pii: ({ context: { pii } }) => ({ ...pii, code: '' }) }),
    keepFields: keepFields(),
    keepProblem: keepProblem(),
    restart: assign({ fields: {}, problem: null }),
    reportSession: sendParent((_, customer: SignInResult) => ({ type: 'session.started', ...customer })),
    close: sendParent({ type: 'phone.closed' }),
  },
  guards: {
    isOver: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'code_over',
  },
}).createMachine({
  id: 'phone',
  context: ({ input: { remember } }) => ({ remember, fields: {}, problem: null, sentAt: null, pii: emptyTypedCode }),
  initial: 'asking',
  states: {
    asking: {
      entry: 'dropPhone',
      on: {
        ...onForm('phone', 'sending', 'keepPhone'),
        'cancel.pressed': { actions: 'close' },
      },
    },
    sending: {
      tags: 'busy',
      invoke: {
        id: 'sendCode',
        src: 'sendCode',
        input: ({ context }) => ({ pii: { phone: context.pii.phone } }),
        onDone: { target: 'codeAsked', actions: { type: 'keepRequest', params: getOutput } },
        onError: { target: 'asking', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    codeAsked: {
      on: {
        ...onForm('code', 'checking', 'keepCode'),
        'again.pressed': { target: 'asking', actions: 'restart' },
        'cancel.pressed': { actions: 'close' },
      },
    },
    checking: {
      tags: 'busy',
      exit: 'dropCode',
      invoke: {
        id: 'signInByCode',
        src: 'signInByCode',
        input: ({ context: { remember, pii } }) => ({ remember, pii }),
        onDone: { target: 'welcomed', actions: { type: 'reportSession', params: getOutput } },
        onError: [
          {
            guard: { type: 'isOver', params: getProblem },
            target: 'asking',
            actions: { type: 'keepProblem', params: getProblem },
          },
          { target: 'codeAsked', actions: { type: 'keepProblem', params: getProblem } },
        ],
      },
    },
    welcomed: { tags: 'busy', entry: 'dropPhone' },
  },
});
