import { assign, setup } from 'xstate';
import { formActions, onForm } from '../form.ts';
import { failed, fails } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { countRemoved, type ResetForm, type ResetWay } from '../model/account/reset.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';

type Context = {
  /** The customer says that another person has changed the account. */
  isNotMe: boolean;
  /** The other ways into the account. */
  ways: ResetWay[];
  /** How many of them are removed with the password, ticked or in any case. */
  removedCount: number;
  fields: FieldProblems;
  problem: Problem | null;
  /** Held only while the request is on its way. */
  pii: { form: ResetForm | null };
};

type Events =
  | FlowNews
  | { type: 'retry.pressed' }
  | { type: 'password.submitted'; pii: { form: ResetForm } }
  | { type: 'password.rejected'; fields: FieldProblems };

/**
 * Sets a new password by an e-mailed link, and removes other ways into the account with it. The
 * link's secret stays in the page's address, which the ports read.
 */
export const resetPasswordMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /** Whether the link is still good; asking does not use it up. */
    checkLink: requestPort<boolean>(),
    /**
     * The other ways into the account; empty where the server does not know the call. Rejects
     * with `refused link_over` where the link has been used or expired in the meantime.
     */
    loadWays: requestPort<ResetWay[]>(),
    /** Rejects with `refused link_over` where the link has been used, or is too old. */
    savePassword: requestPort<object, { pii: { form: ResetForm | null } }>(),
  },
  actions: {
    keepWays: assign({ ways: (_, ways: ResetWay[]) => ways, problem: null }),
    ...formActions<Context, Events, ResetForm>(),
    keepForm: assign({
      pii: (_, form: ResetForm) => ({ form }),
      removedCount: ({ context: { ways } }, { removed }: ResetForm) => countRemoved(ways, removed),
      fields: {},
      problem: null,
    }),
  },
  guards: {
    isGood: (_, good: boolean) => good,
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
        onDone: [{ guard: { type: 'isGood', params: outputIn }, target: 'loadingWays' }, { target: 'over' }],
        onError: fails,
      },
    },
    loadingWays: {
      tags: 'busy',
      invoke: {
        id: 'loadWays',
        src: 'loadWays',
        onDone: { target: 'asking', actions: { type: 'keepWays', params: outputIn } },
        onError: [{ guard: { type: 'isOver', params: problemIn }, target: 'over' }, fails],
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
          { guard: { type: 'isOver', params: problemIn }, target: 'over' },
          { target: 'asking', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    saved: {},
    over: {},
    failed,
  },
});
