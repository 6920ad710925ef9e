import { assign, type AnyStateMachine } from 'xstate';
import { describe, expect, test } from 'vitest';
import { counterexampleText } from '../../tools/paths/counterexample.ts';
import { hunt } from '../../tools/paths/hunt.ts';
import { changedMachine } from '../support/changed-machine.ts';
import { startOf } from '../../tools/path-models/models.ts';
import { title, type PathModel } from '../../machines/path-models/path-model.ts';
import { brokenOn, checkModel, rulesOf } from '../../tools/path-models/rules.ts';

const withMachine = (model: PathModel, machine: AnyStateMachine): PathModel => ({ ...model, machine });
const provided = (model: PathModel, implementations: object): PathModel =>
  withMachine(model, model.machine.provide(implementations as never));

/** Says what is wrong with a machine, as the first of its rules that break says it. */
const firstOf = (model: PathModel): string => {
  const [first] = checkModel(model);
  return first ? counterexampleText(model, 0, first) : 'every rule holds';
};

const payment = startOf('payment');
const subscribing = startOf('payment', 5);
const gift = startOf('purchase', 17);
const { machine: paying } = payment;

describe('a machine that does something wrong breaks a rule, and says how', () => {
  test('what is paid is shown as cancelled', () => {
    const broken = withMachine(payment, changedMachine(paying, 'states.reconciled.always.0', 'target', 'cancelled'));
    expect(firstOf(broken)).toBe(`payment breaks a rule: what is paid is never shown as anything else
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
  expect(brokenOn(startOf('payment', 0), events)).toEqual([]);
});`);
  });

  test('to sign out leaves the token', () => {
    const session = startOf('session');
    const broken = changedMachine(session.machine, 'states.open.states.signedIn.on', 'signOut.pressed', 'visitor');
    expect(firstOf(withMachine(session, broken))).toContain(
      `session breaks a rule: signed out means that no token is kept: nobody is signed out before it was cleared away
Start: Open any address of the shop.`,
    );
  });

  test.each(['signIn', 'signUp'])('the password stays in the context of %s', (name) => {
    const form = startOf(name);
    expect(firstOf(provided(form, { actions: { dropForm: assign({}) } }))).toContain(
      `${name} breaks a rule: what is personal is kept only where it is needed (pii is kept in ${name}.`,
    );
  });

  const broken: [string, PathModel, string][] = [
    [
      'a payment counts as made when its answer is lost',
      withMachine(payment, changedMachine(paying, 'states.confirming.invoke', 'onError', 'succeeded')),
      'a payment has succeeded only when the server has said so',
    ],
    [
      'a payment whose answer is lost is made again with another key',
      withMachine(
        payment,
        changedMachine(paying, 'states.submitting.invoke', 'input', () => ({ key: `${Math.random()}` })),
      ),
      'a lost answer is never followed by a second charge (',
    ],
    [
      'a confirmation whose answer is lost is sent again',
      withMachine(payment, changedMachine(paying, 'states.unknown.after', 'checkAgain', 'confirming')),
      'nothing is taken but what a status has just called authorised, once for each',
    ],
    [
      'cancelling is forgotten',
      provided(payment, { guards: { cancels: () => false } }),
      'nothing is taken once the customer has cancelled',
    ],
    [
      'a payment that nobody knows of is waited for in vain',
      withMachine(payment, changedMachine(paying, 'states', 'unknown', {})),
      'every payment ends, whatever is answered (',
    ],
    [
      'a status is asked for without a pause',
      withMachine(payment, changedMachine(paying, 'states', 'unknown', { always: 'reconciling' })),
      'every payment ends, whatever is answered (from here answers alone may lead round for ever)',
    ],
    ['a visitor pays', provided(startOf('purchase'), { guards: { mayPay: () => true } }), 'only a customer pays'],
    [
      'Try again does nothing',
      withMachine(startOf('boot'), changedMachine(startOf('boot').machine, 'states.unreachable.on', 'retry.pressed', {})),
      'to try again asks again',
    ],
    [
      'a refusal leads nowhere',
      withMachine(startOf('account'), changedMachine(startOf('account').machine, 'states', 'failed', {})),
      'a state that waits, or says that something failed, has a way on: a limit, or something to press (nobody leads on from account.failed)',
    ],
    [
      'a failure does not say why',
      provided(startOf('account'), { actions: { keepProblem: assign({}) } }),
      'a screen that says what failed knows why',
    ],
    [
      'a place is not saved before the title is closed',
      withMachine(startOf('progress'), changedMachine(startOf('progress').machine, 'states.moved.on', 'close', 'closed')),
      'no place is lost: nobody leaves before it was saved, or sent a last time',
    ],
    [
      'progress is saved as null',
      provided(startOf('progress'), { actions: { keepPosition: assign({ position: null }) } }),
      'what is saved is where the reader is',
    ],
    [
      'the titles of a customer who signed out are still theirs',
      provided(startOf('ownedTitles', 1), { actions: { keepSession: assign({ signedIn: false }) } }),
      'nothing of a customer is known after a change of the session',
    ],
    [
      'a subscription outlives its session',
      provided(startOf('frame', 1), {
        actions: { keepSignedIn: assign({ signedIn: (_: unknown, signedIn: boolean) => signedIn }) },
      }),
      'a new session begins without a subscription, and signing out sets it back',
    ],
    [
      'a visitor sees the page of a customer',
      provided(startOf('screen'), { guards: { mustSignIn: () => false } }),
      'no visitor sees a page that is for customers',
    ],
    [
      'success leads to the wrong page',
      provided(startOf('purchase', 3), { actions: { goSuccess: () => {} } }),
      'the success page is that of what was paid for; a subscription loads the shop anew',
    ],
    [
      'the first card is charged although the second was chosen',
      provided(startOf('purchase', 3), { actions: { chooseCard: assign({ cardId: 'c1' }) } }),
      'a press on a way to pay chooses it, and nothing beside it, where it is offered',
    ],
    [
      'the order names another card than the one that is chosen',
      withMachine(
        startOf('purchase', 3),
        changedMachine(startOf('purchase', 3).machine, 'states.paying.invoke', 'input', () => ({
          cardId: 'c1',
          credits: null,
          method: null,
        })),
      ),
      'a new payment is paid in the way that is chosen',
    ],
    [
      'a gift can be paid although its preview failed',
      withMachine(gift, changedMachine(gift.machine, 'states.previewing.invoke', 'onError', 'ready')),
      'a gift is never paid when its preview failed',
    ],
    [
      'another balance is shown than the one that was answered',
      provided(startOf('purchase', 3), {
        actions: { keepBalance: assign({ balance: { balance: 9, currency: 'Credits', accepted: true } }) },
      }),
      'the balance that is shown is the one last answered',
    ],
    [
      'an unanswered confirmation of a subscription is shown as refused',
      withMachine(subscribing, changedMachine(paying, 'states.confirming.invoke', 'onError', 'failed')),
      'an unanswered confirmation is unknown, and never shown as refused before the server has said so',
    ],
    [
      'an unknown payment waits for a press alone',
      withMachine(payment, changedMachine(paying, 'states.unknown', 'after', {})),
      'an unknown payment is asked about by itself after its delay',
    ],
  ];

  test.each(broken)(
    '%s',
    (_, model, rule) => {
      const rules = rulesOf(model).filter(({ name }) => rule.startsWith(name));
      const found = checkModel(model, rules).map((each) => counterexampleText(model, 0, each));
      expect(found.join('\n')).toContain(`${model.name} breaks a rule: ${rule}`);
    },
    120_000,
  );
});

describe('a hunt', () => {
  const cancelled = withMachine(payment, changedMachine(paying, 'states.reconciled.always.0', 'target', 'cancelled'));

  test('finds the same, and makes it as short as it can be', () => {
    const { found } = hunt(cancelled, rulesOf(cancelled), { seed: 7, milliseconds: 20_000 });
    expect(found?.rule).toBe('what is paid is never shown as anything else');
    expect(found?.steps).toHaveLength(3);
    expect(found?.steps.at(-1)?.event).toMatchObject({ output: { status: 'paid' } });
  });

  test('walks the same ways for the same seed, and others for another', () => {
    const walked = (seed: number) => {
      const { found } = hunt(cancelled, rulesOf(cancelled), { seed, milliseconds: 20_000, paths: 1 });
      return JSON.stringify(found?.steps.map(({ event }) => event));
    };
    expect(walked(3)).toBe(walked(3));
    const ways = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => hunt(payment, [], { seed, milliseconds: 20_000, paths: 5 }));
    expect(new Set(ways.map(({ steps }) => steps)).size).toBeGreaterThan(1);
  });

  test('finds what throws', () => {
    const broken = provided(payment, {
      actions: {
        keepStatus: assign(() => {
          throw new Error('the status is odd');
        }),
      },
    });
    const { found } = hunt(broken, [], { seed: 1, milliseconds: 20_000 });
    expect(found?.rule).toBe('no step throws');
    expect(found?.says).toContain('the status is odd');
  });
});

test('a path that broke something is tried again as a test', () => {
  const events = [{ type: 'xstate.error.actor.startPayment', error: { kind: 'timeout' } }, { type: 'retry.pressed' }];
  expect(brokenOn(payment, events)).toEqual([]);
  const broken = withMachine(
    payment,
    changedMachine(paying, 'states.submitting.invoke', 'input', () => ({ key: 'k2' })),
  );
  expect(brokenOn(broken, events)).toEqual([
    'a lost answer is never followed by a second charge',
    'what is begun is what was ordered',
  ]);
});

test('title: what was given for nothing is the customer’s own, although a subscription had opened it before', () => {
  const free = { ...title, free: true, prices: [] };
  const events = [
    { type: 'xstate.done.actor.title', output: { ...title, free: false } },
    { type: 'xstate.done.actor.ownership', output: { instanceId: 'i1', withSubscription: true } },
    { type: 'language.changed' },
    { type: 'xstate.done.actor.title', output: free },
    { type: 'xstate.done.actor.ownership', output: { instanceId: null, withSubscription: false } },
    { type: 'xstate.done.actor.grant', output: 'i1' },
  ];
  expect(brokenOn(startOf('title', 4), events)).toEqual([]);
});
