import { assign, type AnyStateMachine } from 'xstate';
import { describe, expect, test } from 'vitest';
import { formatCounterexample } from '../../tools/paths/counterexample.ts';
import { fuzz } from '../../tools/paths/fuzz.ts';
import { changeMachine } from '../support/changed-machine.ts';
import { getModel } from '../../tools/path-models/models.ts';
import { title, type PathModel } from '../../machines/path-models/path-model.ts';
import { findBroken, checkModel, getRules } from '../../tools/path-models/rules.ts';

const withMachine = (model: PathModel, machine: AnyStateMachine): PathModel => ({ ...model, machine });
const withImplementations = (model: PathModel, implementations: object): PathModel =>
  withMachine(model, model.machine.provide(implementations as never));

/** The report of the first rule that a machine breaks, or `every rule holds`. */
const findCounterexample = (model: PathModel): string => {
  const [counterexample] = checkModel(model);
  return counterexample ? formatCounterexample(model, 0, counterexample) : 'every rule holds';
};

const payment = getModel('payment');
const subscriptionPayment = getModel('payment', 5);
const gift = getModel('purchase', 17);
const { machine: paymentMachine } = payment;

describe('a faulty machine breaks a rule, and the report says how', () => {
  test('a paid payment that is shown as cancelled breaks a rule', () => {
    const brokenModel = withMachine(payment, changeMachine(paymentMachine, 'states.reconciled.always.0', 'target', 'cancelled'));
    expect(findCounterexample(brokenModel)).toBe(`payment breaks a rule: a paid payment never ends with another outcome
Start: Signed in as a customer without cards, open /title/purchase?titleid=1008 and press “Continue to payment”.
   - A wait: “Taking you to the payment page…”.
1. Server: The server gives a payment session: it has a page at the gateway.
   - The browser leaves for the gateway’s page.
   - The gateway’s page; behind it, by Back, the heading “Complete your payment” with “Continue to payment”, “I’ve already paid” and “Cancel”.
2. You: Press “Cancel”.
   - A wait: “Checking your payment…” or “One moment…”.
3. Server: The server gives the status of the payment: it has been paid in another window.
   - The payment ends: the purchase shows “Purchase cancelled”, for a gift “Your gift hasn’t been sent”.

As a test:

test('payment: a paid payment never ends with another outcome', () => {
  const events = [
    {"type":"xstate.done.actor.startPayment","output":{"transId":"t1","provider":"test","url":"https://pay.example/1"}},
    {"type":"cancel.pressed"},
    {"type":"xstate.done.actor.statusBeforeCancel","output":{"transId":"t1","titleId":"1001","intentId":"in1","url":"https://pay.example/1","reason":null,"status":"paid"}},
  ];
  expect(findBroken(getModel('payment', 0), events)).toEqual([]);
});`);
  });

  test('a sign-out that keeps the token breaks a rule', () => {
    const session = getModel('session');
    const brokenMachine = changeMachine(session.machine, 'states.open.states.signedIn.on', 'signOut.pressed', 'visitor');
    expect(findCounterexample(withMachine(session, brokenMachine))).toContain(
      `session breaks a rule: a sign-out ends only after the stored session is cleared
Start: Open any URL of the shop.`,
    );
  });

  test.each(['signIn', 'signUp'])('a password left in the context of %s breaks a rule', (name) => {
    const formModel = getModel(name);
    expect(findCounterexample(withImplementations(formModel, { actions: { dropForm: assign({}) } }))).toContain(
      `${name} breaks a rule: personal data is kept only in states that declare it (pii is kept in ${name}.`,
    );
  });

  const brokenModels: [string, PathModel, string][] = [
    [
      'a payment counts as made when its answer is lost',
      withMachine(payment, changeMachine(paymentMachine, 'states.confirming.invoke', 'onError', 'succeeded')),
      'a payment succeeds only after the server has confirmed it',
    ],
    [
      'a payment whose answer is lost is made again with another key',
      withMachine(
        payment,
        changeMachine(paymentMachine, 'states.submitting.invoke', 'input', () => ({ key: `${Math.random()}` })),
      ),
      'a start without an answer is repeated only with its key (',
    ],
    [
      'a confirmation whose answer is lost is sent again',
      withMachine(payment, changeMachine(paymentMachine, 'states.unknown.after', 'checkAgain', 'confirming')),
      'a payment is captured at most once for each authorised status',
    ],
    [
      'cancelling is forgotten',
      withImplementations(payment, { guards: { cancels: () => false } }),
      'no payment is captured after the customer has cancelled',
    ],
    [
      'an unknown payment has no way out',
      withMachine(payment, changeMachine(paymentMachine, 'states', 'unknown', {})),
      'every payment ends, whatever the server answers (',
    ],
    [
      'a status is requested without a pause',
      withMachine(payment, changeMachine(paymentMachine, 'states', 'unknown', { always: 'reconciling' })),
      'every payment ends, whatever the server answers (answers alone may loop forever from here)',
    ],
    ['a visitor pays', withImplementations(getModel('purchase'), { guards: { mayPay: () => true } }), 'only a customer pays'],
    [
      'the button “Try again” does nothing',
      withMachine(getModel('boot'), changeMachine(getModel('boot').machine, 'states.unreachable.on', 'retry.pressed', {})),
      'an accepted retry starts a request or sends an event',
    ],
    [
      'a refusal leads nowhere',
      withMachine(getModel('account'), changeMachine(getModel('account').machine, 'states', 'failed', {})),
      'a state that waits or reports a failure has a way out: a pending activity or a press (no way out of account.failed)',
    ],
    [
      'a failure loses its problem',
      withImplementations(getModel('account'), { actions: { keepProblem: assign({}) } }),
      'a failure screen has the problem that it reports',
    ],
    [
      'a position is not saved before the title is closed',
      withMachine(getModel('progress'), changeMachine(getModel('progress').machine, 'states.moved.on', 'close', 'closed')),
      'the viewer closes only after a moved position was saved or sent a last time',
    ],
    [
      'progress is saved as null',
      withImplementations(getModel('progress'), { actions: { keepPosition: assign({ position: null }) } }),
      'the saved position is the current one',
    ],
    [
      'the owned titles outlive the session',
      withImplementations(getModel('ownedTitles', 1), { actions: { keepSession: assign({ signedIn: false }) } }),
      'a change of the session clears the owned titles',
    ],
    [
      'a subscription outlives its session',
      withImplementations(getModel('frame', 1), {
        actions: { keepSignedIn: assign({ signedIn: (_: unknown, signedIn: boolean) => signedIn }) },
      }),
      'a change of the session resets the subscription',
    ],
    [
      'a visitor sees the page of a customer',
      withImplementations(getModel('screen'), { guards: { mustSignIn: () => false } }),
      'a visitor never sees a page for customers',
    ],
    [
      'success leads to the wrong page',
      withImplementations(getModel('purchase', 3), { actions: { goSuccess: () => {} } }),
      'the success page is that of the paid goods, and a subscription reloads the app',
    ],
    [
      'the first card is charged although the second was chosen',
      withImplementations(getModel('purchase', 3), { actions: { chooseCard: assign({ cardId: 'c1' }) } }),
      'a press on an offered payment option selects it alone',
    ],
    [
      'the order names another card than the one that is chosen',
      withMachine(
        getModel('purchase', 3),
        changeMachine(getModel('purchase', 3).machine, 'states.paying.invoke', 'input', () => ({
          cardId: 'c1',
          credits: null,
          method: null,
        })),
      ),
      'a new payment uses the selected payment option',
    ],
    [
      'a gift can be paid although its preview failed',
      withMachine(gift, changeMachine(gift.machine, 'states.previewing.invoke', 'onError', 'ready')),
      'a gift is never paid when its preview failed',
    ],
    [
      'the displayed balance is not that of the answer',
      withImplementations(getModel('purchase', 3), {
        actions: { keepBalance: assign({ balance: { balance: 9, currency: 'Credits', accepted: true } }) },
      }),
      'the shown balance is that of the server’s last answer',
    ],
    [
      'an unanswered confirmation of a subscription is shown as refused',
      withMachine(subscriptionPayment, changeMachine(paymentMachine, 'states.confirming.invoke', 'onError', 'failed')),
      'a capture without an answer stays unknown until the server reports a status',
    ],
    [
      'an unknown payment waits for a press alone',
      withMachine(payment, changeMachine(paymentMachine, 'states.unknown', 'after', {})),
      'an unknown payment is checked again after its delay',
    ],
  ];

  test.each(brokenModels)(
    'a rule is broken when %s',
    (_, model, rule) => {
      const rules = getRules(model).filter(({ name }) => rule.startsWith(name));
      const reports = checkModel(model, rules).map((each) => formatCounterexample(model, 0, each));
      expect(reports.join('\n')).toContain(`${model.name} breaks a rule: ${rule}`);
    },
    120_000,
  );
});

describe('fuzzing', () => {
  const cancelledModel = withMachine(payment, changeMachine(paymentMachine, 'states.reconciled.always.0', 'target', 'cancelled'));

  test('fuzzing finds a paid payment that is shown as cancelled, and shortens its path to three steps', () => {
    const { counterexample } = fuzz(cancelledModel, getRules(cancelledModel), { seed: 7, milliseconds: 20_000 });
    expect(counterexample?.rule).toBe('a paid payment never ends with another outcome');
    expect(counterexample?.steps).toHaveLength(3);
    expect(counterexample?.steps.at(-1)?.event).toMatchObject({ output: { status: 'paid' } });
  });

  test('fuzzing walks the same paths for the same seed, and others for another', () => {
    const walkEvents = (seed: number) => {
      const { counterexample } = fuzz(cancelledModel, getRules(cancelledModel), { seed, milliseconds: 20_000, paths: 1 });
      return JSON.stringify(counterexample?.steps.map(({ event }) => event));
    };
    expect(walkEvents(3)).toBe(walkEvents(3));
    const runs = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => fuzz(payment, [], { seed, milliseconds: 20_000, paths: 5 }));
    expect(new Set(runs.map(({ steps }) => steps)).size).toBeGreaterThan(1);
  });

  test('fuzzing finds a thrown error', () => {
    const brokenModel = withImplementations(payment, {
      actions: {
        keepStatus: assign(() => {
          throw new Error('the status is odd');
        }),
      },
    });
    const { counterexample } = fuzz(brokenModel, [], { seed: 1, milliseconds: 20_000 });
    expect(counterexample?.rule).toBe('no step throws');
    expect(counterexample?.message).toContain('the status is odd');
  });
});

test('a replay of a path finds the rules that it breaks', () => {
  const events = [{ type: 'xstate.error.actor.startPayment', error: { kind: 'timeout' } }, { type: 'retry.pressed' }];
  expect(findBroken(payment, events)).toEqual([]);
  const brokenModel = withMachine(
    payment,
    changeMachine(paymentMachine, 'states.submitting.invoke', 'input', () => ({ key: 'k2' })),
  );
  expect(findBroken(brokenModel, events)).toEqual([
    'a start without an answer is repeated only with its key',
    'a payment starts with the content of its order',
  ]);
});

test('a free title that was granted is owned, although a subscription had opened it before', () => {
  const freeTitle = { ...title, free: true, prices: [] };
  const events = [
    { type: 'xstate.done.actor.title', output: { ...title, free: false } },
    { type: 'xstate.done.actor.ownership', output: { instanceId: 'i1', withSubscription: true } },
    { type: 'language.changed' },
    { type: 'xstate.done.actor.title', output: freeTitle },
    { type: 'xstate.done.actor.ownership', output: { instanceId: null, withSubscription: false } },
    { type: 'xstate.done.actor.grant', output: 'i1' },
  ];
  expect(findBroken(getModel('title', 4), events)).toEqual([]);
});
