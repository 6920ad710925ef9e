import { assign, setup } from 'xstate';
import { createFormActions, onForm } from '../form.ts';
import { failed, toFailed } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { countRemoved, type ResetForm, type RemovableLogin } from '../model/account/reset.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

type Context = {
  /** The customer reports that another person changed the account. */
  isNotMe: boolean;
  /** The account's other sign-in methods and known devices. */
  ways: RemovableLogin[];
  /** The number of `ways` that the reset removes: ticked ones, and those with `goesAnyway`. */
  removedCount: number;
  fields: FieldProblems;
  problem: Problem | null;
  /** The typed form, held only until the request settles. */
  pii: { form: ResetForm | null };
};

type Events =
  | FlowSignal
  | { type: 'retry.pressed' }
  | { type: 'password.submitted'; pii: { form: ResetForm } }
  | { type: 'password.rejected'; fields: FieldProblems };

/**
 * Sets a new password by an e-mailed link, and can remove other sign-in methods. The link's secret
 * stays in the URL, which the ports read.
 */
export const resetPasswordMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /** Whether the link is still valid; the check does not consume it. */
    checkLink: requestPort<boolean>(),
    /**
     * The account's other sign-in methods and known devices; empty if the server does not have this
     * call. Rejects with `refused link_over` if the link has since been used or has expired.
     */
    loadResetMethods: requestPort<RemovableLogin[]>(),
    /** Sets the password; rejects with `refused link_over` if the link was used or has expired. */
    savePassword: requestPort<object, { pii: { form: ResetForm | null } }>(),
  },
  actions: {
    keepWays: assign({ ways: (_, logins: RemovableLogin[]) => logins, problem: null }),
    ...createFormActions<Context, Events, ResetForm>(),
    keepForm: assign({
      pii: (_, form: ResetForm) => ({ form }),
      removedCount: ({ context: { ways } }, { removed }: ResetForm) => countRemoved(ways, removed),
      fields: {},
      problem: null,
    }),
  },
  guards: {
    isGood: (_, isValid: boolean) => isValid,
    isOver: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'link_over',
  },
}).createMachine({
  id: 'resetPassword',
  context: ({ input: { route } }) => ({
    isNotMe: route.query['notme'] === '1',
    ways: [],
    removedCount: 0,
    fields: {},
    problem: null,
    pii: { form: null },
  }),
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S2./resetpassword', 'S7.user/token'] },
      tags: 'busy',
      invoke: {
        id: 'checkLink',
        src: 'checkLink',
        onDone: [{ guard: { type: 'isGood', params: getOutput }, target: 'loadingWays' }, { target: 'over' }],
        onError: toFailed,
      },
    },
    loadingWays: {
      tags: 'busy',
      invoke: {
        id: 'loadResetMethods',
        src: 'loadResetMethods',
        onDone: { target: 'asking', actions: { type: 'keepWays', params: getOutput } },
        onError: [{ guard: { type: 'isOver', params: getProblem }, target: 'over' }, toFailed],
      },
    },
    asking: {
      meta: { spec: ['S2.reset/save'] },
      on: onForm('password', 'saving'),
    },
    saving: {
      meta: { spec: ['S7.user/resetpassword'] },
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'savePassword',
        src: 'savePassword',
        input: ({ context }) => ({ pii: context.pii }),
        onDone: 'saved',
        onError: [
          { guard: { type: 'isOver', params: getProblem }, target: 'over' },
          { target: 'asking', actions: { type: 'keepProblem', params: getProblem } },
        ],
      },
    },
    saved: {},
    over: {},
    failed,
  },
});
