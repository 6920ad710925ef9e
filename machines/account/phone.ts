import { assign, sendParent, setup } from 'xstate';
import type { CameBy } from '../app/session.ts';
import { keepFields, onForm } from '../form.ts';
import { keepProblem } from '../loadable.ts';
import type { CodeForm, CodeSent, PhoneForm, TypedCode } from '../model/account/phone.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';

type Context = {
  /** Keeps the session longer than the tab. */
  remember: boolean;
  fields: FieldProblems;
  problem: Problem | null;
  /** When the message with the code was sent (ISO 8601), where it is an earlier one. */
  sentAt: CodeSent['sentAt'];
  /**
   * Number and request are held until they are signed in with, the code only while it is on its
   * way.
   */
  pii: TypedCode;
};

/** What a code is asked for, and what is signed in by. */
export type CodeRequest = { pii: { phone: string } };
export type CodeSignIn = { remember: boolean; pii: TypedCode };

const nothing: TypedCode = { phone: '', code: '', requestId: '' };

/** Signing in by a code that is sent to a telephone. A number that has no account gets one. */
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
     * Answers alike for a number without an account. Rejects with `refused`: `bad_phone` for no
     * number, `phone_kind` and `phone_country` for one that the shop sends no codes to,
     * `phone_country_full` when it sends no more today.
     */
    sendCode: requestPort<CodeSent, CodeRequest>(),
    /** Stores the token by itself; rejects with `refused`: `code_wrong`, and `code_over` when another one has to be sent. */
    signInByCode: requestPort<CameBy, CodeSignIn>(),
  },
  actions: {
    keepPhone: assign({ pii: (_, { phone }: PhoneForm) => ({ ...nothing, phone }), fields: {}, problem: null }),
    dropPhone: assign({ pii: nothing }),
    keepRequest: assign({
      sentAt: (_, { sentAt }: CodeSent) => sentAt,
      pii: ({ context }, { pii: { requestId } }: CodeSent) => ({ ...context.pii, requestId }),
    }),
    keepCode: assign({ pii: ({ context: { pii } }, { code }: CodeForm) => ({ ...pii, code }), fields: {}, problem: null }),
    dropCode: assign({ pii: ({ context: { pii } }) => ({ ...pii, code: '' }) }),
    keepFields: keepFields(),
    keepProblem: keepProblem(),
    startAnew: assign({ fields: {}, problem: null }),
    reportSession: sendParent((_, customer: CameBy) => ({ type: 'session.started', ...customer })),
    close: sendParent({ type: 'phone.closed' }),
  },
  guards: {
    isOver: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'code_over',
  },
}).createMachine({
  id: 'phone',
  context: ({ input: { remember } }) => ({ remember, fields: {}, problem: null, sentAt: null, pii: nothing }),
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
        onDone: { target: 'codeAsked', actions: { type: 'keepRequest', params: outputIn } },
        onError: { target: 'asking', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    codeAsked: {
      on: {
        ...onForm('code', 'checking', 'keepCode'),
        'again.pressed': { target: 'asking', actions: 'startAnew' },
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
        onDone: { target: 'welcomed', actions: { type: 'reportSession', params: outputIn } },
        onError: [
          {
            guard: { type: 'isOver', params: problemIn },
            target: 'asking',
            actions: { type: 'keepProblem', params: problemIn },
          },
          { target: 'codeAsked', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    welcomed: { tags: 'busy', entry: 'dropPhone' },
  },
});
