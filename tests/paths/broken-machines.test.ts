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

/** The report of the first rule that a machine breaks. */
const findCounterexample = (model: PathModel): string => {
  const [first] = checkModel(model);
  return first ? formatCounterexample(model, 0, first) : 'every rule holds';
};

const payment = getModel('payment');
const subscriptionPayment = getModel('payment', 5);
const gift = getModel('purchase', 17);
const { machine: paying } = payment;

describe('a faulty machine breaks a rule, and the report says how', () => {
  test('a paid payment shown as cancelled', () => {
    const broken = withMachine(payment, changeMachine(paying, 'states.reconciled.always.0', 'target', 'cancelled'));
    expect(findCounterexample(broken)).toBe(`payment breaks a rule: what is paid is never shown as anything else
Start: Signed in as a customer without cards, open /title/purchase?titleid=1008 and press “Continue to payment”.
   - A wait: “Taking you to the payment page…”.
1. Server: The server gives a payment session: it has a page at the gateway.
   - The browser leaves for the gateway’s page.
   - The gateway’s page; behind it, by Back, the heading “Complete your payment” with “Continue to payment”, “I’ve already paid” and “Cancel”.
2. You: Press “Cancel”.
   - A wait: “Checking your payment…” or “One moment…”.
3. Server: The server gives its word where the payment stands: it has been paid in another window.
   - The payment ends: the purchase says “Purchase cancelled”.

As a test:

test('payment: what is paid is never shown as anything else', () => {
  const events = [
    {"type":"xstate.done.actor.startPayment","output":{"transId":"t1","provider":"test","url":"https://pay.example/1"}},
    {"type":"cancel.pressed"},
    {"type":"xstate.done.actor.statusBeforeCancel","output":{"transId":"t1","titleId":"1001","intentId":"in1","url":"https://pay.example/1","reason":null,"status":"paid"}},
  ];
  expect(findBroken(getModel('payment', 0), events)).toEqual([]);
});`);
  });

  test('a sign-out that keeps the token', () => {
    const session = getModel('session');
    const broken = changeMachine(session.machine, 'states.open.states.signedIn.on', 'signOut.pressed', 'visitor');
    expect(findCounterexample(withMachine(session, broken))).toContain(
      `session breaks a rule: signed out means that no token is kept: nobody is signed out before it was cleared away
Start: Open any address of the shop.`,
    );
  });

  test.each(['signIn', 'signUp'])('a password left in the context of %s', (name) => {
    const form = getModel(name);
    expect(findCounterexample(withImplementations(form, { actions: { dropForm: assign({}) } }))).toContain(
      `${name} breaks a rule: what is personal is kept only where it is needed (pii is kept in ${name}.`,
    );
  });

  const broken: [string, PathModel, string][] = [
    [
      'a payment counts as made when its answer is lost',
      withMachine(payment, changeMachine(paying, 'states.confirming.invoke', 'onError', 'succeeded')),
      'a payment has succeeded only when the server has said so',
    ],
    [
      'a payment whose answer is lost is made again with another key',
      withMachine(
        payment,
        changeMachine(paying, 'states.submitting.invoke', 'input', () => ({ key: `${Math.random()}` })),
      ),
      'a lost answer is never followed by a second charge (',
    ],
    [
      'a confirmation whose answer is lost is sent again',
      withMachine(payment, changeMachine(paying, 'states.unknown.after', 'checkAgain', 'confirming')),
      'nothing is taken but what a status has just called authorised, once for each',
    ],
    [
      'cancelling is forgotten',
      withImplementations(payment, { guards: { cancels: () => false } }),
      'nothing is taken once the customer has cancelled',
    ],
    [
      'an unknown payment is waited for without end',
      withMachine(payment, changeMachine(paying, 'states', 'unknown', {})),
      'every payment ends, whatever is answered (',
    ],
    [
      'a status is asked for without a pause',
      withMachine(payment, changeMachine(paying, 'states', 'unknown', { always: 'reconciling' })),
      'every payment ends, whatever is answered (answers alone may loop forever from here)',
    ],
    ['a visitor pays', withImplementations(getModel('purchase'), { guards: { mayPay: () => true } }), 'only a customer pays'],
    [
      'Try again does nothing',
      withMachine(getModel('boot'), changeMachine(getModel('boot').machine, 'states.unreachable.on', 'retry.pressed', {})),
      'to try again asks again',
    ],
    [
      'a refusal leads nowhere',
      withMachine(getModel('account'), changeMachine(getModel('account').machine, 'states', 'failed', {})),
      'a state that waits, or says that something failed, has a way on: a limit, or something to press (no way out of account.failed)',
    ],
    [
      'a failure does not say why',
      withImplementations(getModel('account'), { actions: { keepProblem: assign({}) } }),
      'a screen that says what failed knows why',
    ],
    [
      'a place is not saved before the title is closed',
      withMachine(getModel('progress'), changeMachine(getModel('progress').machine, 'states.moved.on', 'close', 'closed')),
      'no place is lost: nobody leaves before it was saved, or sent a last time',
    ],
    [
      'progress is saved as null',
      withImplementations(getModel('progress'), { actions: { keepPosition: assign({ position: null }) } }),
      'what is saved is where the reader is',
    ],
    [
      'the titles of a customer who signed out are still theirs',
      withImplementations(getModel('ownedTitles', 1), { actions: { keepSession: assign({ signedIn: false }) } }),
      'nothing of a customer is known after a change of the session',
    ],
    [
      'a subscription outlives its session',
      withImplementations(getModel('frame', 1), {
        actions: { keepSignedIn: assign({ signedIn: (_: unknown, signedIn: boolean) => signedIn }) },
      }),
      'a new session begins without a subscription, and signing out sets it back',
    ],
    [
      'a visitor sees the page of a customer',
      withImplementations(getModel('screen'), { guards: { mustSignIn: () => false } }),
      'no visitor sees a page that is for customers',
    ],
    [
      'success leads to the wrong page',
      withImplementations(getModel('purchase', 3), { actions: { goSuccess: () => {} } }),
      'the success page is that of what was paid for; a subscription loads the shop anew',
    ],
    [
      'the first card is charged although the second was chosen',
      withImplementations(getModel('purchase', 3), { actions: { chooseCard: assign({ cardId: 'c1' }) } }),
      'a press on a way to pay chooses it, and nothing beside it, where it is offered',
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
      'a new payment is paid in the way that is chosen',
    ],
    [
      'a gift can be paid although its preview failed',
      withMachine(gift, changeMachine(gift.machine, 'states.previewing.invoke', 'onError', 'ready')),
      'a gift is never paid when its preview failed',
    ],
    [
      'another balance is shown than the one that was answered',
      withImplementations(getModel('purchase', 3), {
        actions: { keepBalance: assign({ balance: { balance: 9, currency: 'Credits', accepted: true } }) },
      }),
      'the balance that is shown is the one last answered',
    ],
    [
      'an unanswered confirmation of a subscription is shown as refused',
      withMachine(subscriptionPayment, changeMachine(paying, 'states.confirming.invoke', 'onError', 'failed')),
      'an unanswered confirmation is unknown, and never shown as refused before the server has said so',
    ],
    [
      'an unknown payment waits for a press alone',
      withMachine(payment, changeMachine(paying, 'states.unknown', 'after', {})),
      'an unknown payment is asked about by itself after its delay',
    ],
  ];

  test.each(broken)(
    '%s',
    (_, model, rule) => {
      const rules = getRules(model).filter(({ name }) => rule.startsWith(name));
      const found = checkModel(model, rules).map((each) => formatCounterexample(model, 0, each));
      expect(found.join('\n')).toContain(`${model.name} breaks a rule: ${rule}`);
    },
    120_000,
  );
});

describe('fuzzing', () => {
  const cancelled = withMachine(payment, changeMachine(paying, 'states.reconciled.always.0', 'target', 'cancelled'));

  test('finds the same fault, and shortens its path as far as possible', () => {
    const { counterexample } = fuzz(cancelled, getRules(cancelled), { seed: 7, milliseconds: 20_000 });
    expect(counterexample?.rule).toBe('what is paid is never shown as anything else');
    expect(counterexample?.steps).toHaveLength(3);
    expect(counterexample?.steps.at(-1)?.event).toMatchObject({ output: { status: 'paid' } });
  });

  test('walks the same paths for the same seed, and others for another', () => {
    const walked = (seed: number) => {
      const { counterexample } = fuzz(cancelled, getRules(cancelled), { seed, milliseconds: 20_000, paths: 1 });
      return JSON.stringify(counterexample?.steps.map(({ event }) => event));
    };
    expect(walked(3)).toBe(walked(3));
    const ways = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => fuzz(payment, [], { seed, milliseconds: 20_000, paths: 5 }));
    expect(new Set(ways.map(({ steps }) => steps)).size).toBeGreaterThan(1);
  });

  test('finds a thrown error', () => {
    const broken = withImplementations(payment, {
      actions: {
        keepStatus: assign(() => {
          throw new Error('the status is odd');
        }),
      },
    });
    const { counterexample } = fuzz(broken, [], { seed: 1, milliseconds: 20_000 });
    expect(counterexample?.rule).toBe('no step throws');
    expect(counterexample?.message).toContain('the status is odd');
  });
});

test('a path that broke something is replayed as a test', () => {
  const events = [{ type: 'xstate.error.actor.startPayment', error: { kind: 'timeout' } }, { type: 'retry.pressed' }];
  expect(findBroken(payment, events)).toEqual([]);
  const broken = withMachine(
    payment,
    changeMachine(paying, 'states.submitting.invoke', 'input', () => ({ key: 'k2' })),
  );
  expect(findBroken(broken, events)).toEqual([
    'a lost answer is never followed by a second charge',
    'what is begun is what was ordered',
  ]);
});

test('title: a free title that was granted is owned, although a subscription had opened it before', () => {
  const free = { ...title, free: true, prices: [] };
  const events = [
    { type: 'xstate.done.actor.title', output: { ...title, free: false } },
    { type: 'xstate.done.actor.ownership', output: { instanceId: 'i1', withSubscription: true } },
    { type: 'language.changed' },
    { type: 'xstate.done.actor.title', output: free },
    { type: 'xstate.done.actor.ownership', output: { instanceId: null, withSubscription: false } },
    { type: 'xstate.done.actor.grant', output: 'i1' },
  ];
  expect(findBroken(getModel('title', 4), events)).toEqual([]);
});
