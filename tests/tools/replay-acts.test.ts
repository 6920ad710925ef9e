import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventObject } from 'xstate';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { traceFromJson } from '../../machines/trace/trace-in.ts';
import { play } from '../../machines/trace/player.ts';
import { narrate, describeAddress } from '../../tools/replay/narrative.ts';
import { formatNarrative } from '../../tools/replay/narrative-text.ts';
import { plainColors } from '../../tools/replay/text.ts';
import { createReport, type Report } from '../../tools/replay/report.ts';
import { customer, paidState } from '../support/open-shop.ts';
import { recordVisitTrace } from '../trace/purchase.ts';

const reportVisit = async (visit: Parameters<typeof recordVisitTrace>[0]): Promise<Report> => {
  const trace = await recordVisitTrace(visit);
  return createReport('visit.json', trace, play(shopMachine, trace), []);
};
const listActs = ({ acts }: Report): [string, string, string | null][] =>
  acts.map(({ kind, text, shows }) => [kind, text, shows]);

const offlineProblem = { kind: 'offline' };
const returnVisit = { start: '/checkout/complete?transId=t1', steps: [] };
const openingAct = ['does', 'Opens the shop at /checkout/complete', null];

test('a chunk that does not load is reported with the message on the screen', async () => {
  const report = await reportVisit({ start: '/id:1001', steps: [], world: { fetchFlow: () => Promise.reject(offlineProblem) } });
  expect(listActs(report)).toEqual([
    ['does', 'Opens the shop at /id:1001', null],
    ['fails', 'a part of the page could not be loaded: “Loading failed! Please reload.”', '“Loading failed! Please reload.”'],
  ]);
  expect(report.summary).toMatchObject({
    who: 'A visitor, not signed in',
    sawLast: '“Loading failed! Please reload.”, at 0:00',
    wentWrong: 'At 0:00: a part of the page could not be loaded: “Loading failed! Please reload.”',
  });
});

test('an unreachable shop is reported with the request that failed', async () => {
  const report = await reportVisit({ start: '/', steps: [], world: { store: () => Promise.reject(offlineProblem) } });
  expect(listActs(report)).toEqual([
    ['does', 'Opens the shop at /', null],
    [
      'fails',
      'the shop could not be reached (the call or its answer was lost) and did not give the store’s properties',
      '“The shop can’t be reached”',
    ],
  ]);
});

test.each([
  ['card_declined', 'the card was declined at the payment page'],
  ['insufficient_funds', 'the card was declined at the payment page: not enough money'],
  ['expired', 'the payment page had expired; nothing was charged'],
  ['made_up', 'the payment did not go through (made_up)'],
])('a payment that ended with %s is reported with its reason', async (reason, expectedText) => {
  const paymentStatus = async () => ({ ...paidState, status: 'failed' as const, reason });
  const report = await reportVisit({ ...returnVisit, world: { restoredUser: customer, paymentStatus } });
  expect(listActs(report)).toEqual([openingAct, ['refuses', expectedText, '“The payment didn’t go through”']]);
  expect(report.summary).toMatchObject({ wentWrong: `At 0:00: ${expectedText}`, ended: 'Not paid' });
});

test('a declined card is reported although another card paid later', async () => {
  const paymentStatus = async () => ({ ...paidState, status: 'authorized' as const, reason: 'card_declined' });
  const report = await reportVisit({ ...returnVisit, world: { restoredUser: customer, paymentStatus } });
  expect(listActs(report).slice(0, 3)).toEqual([
    openingAct,
    ['refuses', 'the card was declined at the payment page, before another try was accepted', null],
    ['works', 'The payment is taken, and the title is in the library', null],
  ]);
  expect(report.summary.ended).toMatch(/^Paid, and the title is in the library/);
});

test('a payment with an unknown outcome is reported as such', async () => {
  const paymentStatus = () => Promise.reject({ kind: 'timeout' });
  const report = await reportVisit({ ...returnVisit, world: { restoredUser: customer, paymentStatus } });
  expect(listActs(report)).toEqual([
    openingAct,
    [
      'fails',
      'the shop did not answer in time when it was asked whether the payment went through',
      '“We don’t know yet whether your payment went through”',
    ],
  ]);
  expect(report.summary.ended).toBe('Not known yet whether the payment went through: the shop goes on asking');
});

const reportTrace = (name: string): Report => {
  const file = new URL(`../traces/${name}.json`, import.meta.url);
  const trace = traceFromJson(JSON.parse(readFileSync(file, 'utf8')) as Trace);
  return createReport(`${name}.json`, trace, play(shopMachine, trace), []);
};
const reportSeveralThings = (): Report => reportTrace('several-things');

test('headings and buttons are named with the values that they showed', () => {
  const discount = reportTrace('discount-by-code');
  expect(listActs(discount).map(([, , shows]) => shows)).toContain('“Your code takes 20% off”');
  const { acts, steps, summary } = reportTrace('gift-for-credits');
  expect(acts.map(({ text }) => text)).toContain('Presses “Give it for 1 Credit”');
  expect(summary.what[0]).toBe('3 Credits, by a code');
  for (const { saw } of [...discount.steps, ...steps])
    expect(saw.join(' ')).not.toMatch(/\{(percent|credits|price|amount|total)\}/);
});

test('a failure followed by a successful retry counts once', () => {
  const { acts } = reportSeveralThings();
  const startFailures = acts.filter(({ text }) => text.includes('when the payment was to begin'));
  expect(startFailures.map(({ kind }) => kind)).toEqual(['fails']);
  expect(acts.find(({ text }) => text === 'Presses “Try again”')?.shows).toBe('the payment page');
});

test('a payment for several titles names all of them, on its receipt too', () => {
  const { acts, summary } = reportSeveralThings();
  const titleNames = '“The Lamp Mender” and “Low Water”';
  expect(summary.what[0]).toMatch(new RegExp(`^${titleNames}, \\$10\\.98, order `));
  expect(summary.ended).toContain(`${titleNames}: paid`);
  expect(acts.find(({ shows }) => shows?.startsWith('“Thank you!”'))).toMatchObject({
    text: 'The payment is taken, and what was in the cart is in the library',
    shows: `“Thank you!” (${titleNames}, $10.98)`,
  });
});

test('a repeated action is one line, however long it takes', async () => {
  const rejectedEvent = { type: 'signIn.rejected', fields: {} };
  const report = await reportVisit({ start: '/signin', steps: [rejectedEvent, rejectedEvent, rejectedEvent], pause: 26_000 });
  expect(listActs(report)).toEqual([
    ['does', 'Opens the shop at /signin', '“Sign in”'],
    ['waits', '26 s on “Sign in”', null],
    ['does', 'Presses “Sign in” with an invalid e-mail address (3 times)', null],
  ]);
});

test('a wait that does not end is reported as last seen', async () => {
  const report = await reportVisit({
    ...returnVisit,
    world: { restoredUser: customer, paymentStatus: () => new Promise(() => {}) },
  });
  expect(listActs(report)).toEqual([['does', 'Opens the shop at /checkout/complete', '“Checking your payment…”, to the end']]);
  expect(report.summary.sawLast).toBe('“Checking your payment…”, to the end, at 0:00');
});

test('a customer who does not return from the payment page is last seen there; long waits have lines', async () => {
  const world = { restoredUser: customer };
  const report = await reportVisit({
    start: '/id:1001',
    steps: [{ type: 'buy.pressed' }, { type: 'pay.pressed' }],
    world,
    pause: 26_000,
  });
  expect(listActs(report)).toEqual([
    ['does', 'Opens the shop at /id:1001', 'the page of “The Keeper’s Third Log”'],
    ['waits', '26 s on the page of “The Keeper’s Third Log”', null],
    ['does', 'Presses “Buy for $9.99”', '“Your purchase” (“The Keeper’s Third Log”, $9.99)'],
    ['waits', '26 s on “Your purchase” (“The Keeper’s Third Log”, $9.99)', null],
    ['does', 'Presses “Continue to payment”', 'the payment page'],
  ]);
  expect(report.summary).toMatchObject({
    who: 'Customer u1, signed in when the visit began',
    what: ['“The Keeper’s Third Log”, $9.99, order t1, transaction t1'],
    sawLast: 'the payment page, at 0:52',
    wentWrong: 'Nothing that the shop knows of',
    ended: 'Went to the payment page and is not back in this record: look the transaction up',
  });
});

test('a payment that the server reports as taken is reported with the possible confirmations', async () => {
  // In the time before this event the app requests the status again automatically.
  const laterSteps = [{ type: 'page.hidden' }];
  const describeTakenPayment = async (world: Parameters<typeof recordVisitTrace>[0]['world']): Promise<string | undefined> =>
    (
      await reportVisit({ ...returnVisit, steps: laterSteps, pause: 26_000, world: { restoredUser: customer, ...world } })
    ).acts.find(({ kind }) => kind === 'works')?.text;
  expect(await describeTakenPayment({ paymentStatus: async () => paidState })).toMatch(
    /taken, says the server: another tab or device had confirmed it, or word from the payment page/,
  );
  let callCount = 0;
  const paymentStatus = async () => {
    callCount += 1;
    return callCount === 1 ? { ...paidState, status: 'authorized' as const } : paidState;
  };
  const takenText = await describeTakenPayment({ paymentStatus, confirmPayment: () => Promise.reject({ kind: 'timeout' }) });
  expect(takenText).toMatch(/taken, says the server: it had got the confirmation, or word from the payment page/);
});

test('a cancelled payment has no order number, a paid one has', async () => {
  const readPurchases = async (status: 'cancelled' | 'paid'): Promise<string[]> =>
    (
      await reportVisit({
        ...returnVisit,
        world: { restoredUser: customer, paymentStatus: async () => ({ ...paidState, status }) },
      })
    ).summary.what;
  expect(await readPurchases('cancelled')).toEqual([expect.stringMatching(/, transaction t1$/)]);
  expect((await readPurchases('cancelled')).join()).not.toContain('order');
  expect(await readPurchases('paid')).toEqual([expect.stringMatching(/order t1, transaction t1$/)]);
});

test('the step of a press names the one button that was pressed', async () => {
  const { steps } = await reportVisit({ start: '/id:1001', steps: [{ type: 'buy.pressed' }], world: { restoredUser: customer } });
  expect(steps.find(({ by }) => by === 'customer')?.does).toBe('Presses “Buy for $9.99”');
});

test('of many different machines three are named, first those in the record', async () => {
  const trace = await recordVisitTrace({ start: '/id:1001', steps: [] });
  const differing = ['account/devices', 'app/app', 'browsing/title', 'buying/purchase/purchase', 'buying/receipt'];
  const report = createReport('visit.json', trace, play(shopMachine, trace), differing);
  expect(report.differing.slice(0, 2)).toEqual(['app/app', 'browsing/title']);
  expect(report.differing.toSorted()).toEqual(differing);
  const text = formatNarrative(report, plainColors).join(' ').replaceAll(/ +/g, ' ');
  expect(text).toContain(
    'other versions of app/app, browsing/title, account/devices and 2 more; these here do the same with this record, so that it can be relied on',
  );
});

test('a refused form names its fields, and not how a tester fills it in', async () => {
  const fields = { email: 'email', password: 'tooShort', agree: 'agree' };
  const report = await reportVisit({ start: '/signup', steps: [{ type: 'signUp.rejected', fields } as EventObject] });
  expect(listActs(report).at(-1)).toEqual([
    'does',
    'Presses “Create account”; the form is not taken: email, password, agree',
    null,
  ]);
});

test('the e-mail address of a gift is not compared with those of the customer', () => {
  const knownAddresses = new Map<string, string>();
  expect(describeAddress(knownAddresses, 'signUp', 'one@x.example')).toBe('');
  expect(describeAddress(knownAddresses, 'purchase', 'two@x.example')).toBe('');
  expect(describeAddress(knownAddresses, 'signIn', 'one@x.example')).toBe(' (the same address)');
  expect(describeAddress(knownAddresses, 'purchase', 'two@x.example')).toBe(' (the same address)');
  expect(describeAddress(knownAddresses, 'signIn', 'two@x.example')).toBe(' (another address than before)');
});

test('a call that the customer’s reload aborted is reported as such', async () => {
  const paymentStatus = () => Promise.reject({ kind: 'offline' });
  const trace = await recordVisitTrace({ ...returnVisit, world: { restoredUser: customer, paymentStatus } });
  const [run] = trace.runs;
  if (!run) throw new Error('The visit recorded no run.');
  const end = run.startedAt + (run.steps.at(-1)?.at ?? 0);
  const narrateReload = (delayMs: number) => {
    const traceWithReload = { ...trace, runs: [run, { ...run, startedAt: end + delayMs }] };
    return narrate(play(shopMachine, traceWithReload), traceWithReload).map(({ text }) => text);
  };
  const expectedText = 'the page was left before the shop had answered when it was asked whether the payment went through';
  expect(narrateReload(300)[1]).toBe(expectedText);
  expect(narrateReload(30_000)[1]).toMatch(/^the shop could not be reached/);
});

test('the divergence of a replay is among the first lines of the narrative', async () => {
  const trace = await recordVisitTrace({
    ...returnVisit,
    world: { restoredUser: customer, paymentStatus: async () => paidState },
  });
  const [run] = trace.runs;
  if (!run) throw new Error('The visit recorded no run.');
  const steps = run.steps.map((step, index) => (index === run.steps.length - 2 ? { ...step, reactions: [] } : step));
  const divergingTrace = { ...trace, runs: [{ ...run, steps }] };
  const report = createReport('visit.json', divergingTrace, play(shopMachine, divergingTrace), []);
  expect(report.identical).toBe(false);
  const text = formatNarrative(report, plainColors).slice(0, 12).join(' ').replaceAll(/ +/g, ' ');
  expect(text).toMatch(/Beware At 0:00 the replay diverged: .* “Ended” may be wrong/);
});

test('credits by a code are listed once for each use of a code', () => {
  const file = join(import.meta.dirname, '../traces/gift-for-credits.json');
  const trace = traceFromJson(JSON.parse(readFileSync(file, 'utf8')) as Trace);
  const listCodes = (runs: Trace['runs']): string[] =>
    createReport('visit.json', { ...trace, runs }, play(shopMachine, { ...trace, runs }), []).summary.what.filter((each) =>
      each.startsWith('3 Credits'),
    );
  const laterRuns = trace.runs.map((run) => ({ ...run, startedAt: run.startedAt + 60_000 }));
  expect(listCodes(trace.runs)).toHaveLength(1);
  expect(listCodes([...trace.runs, ...laterRuns])).toHaveLength(2);
});
