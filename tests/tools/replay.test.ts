import { expect, test } from 'vitest';
import { shopMachine, shopScreenMachine } from '../../machines/app/shop.ts';
import type { Report } from '../../tools/replay/report.ts';
import { noLimits } from '../trace/session.ts';
import { recordGoodTrace, runReplay } from './support/replaying.ts';

const findLine = (out: string, searchText: string): string => out.split('\n').find((line) => line.includes(searchText)) ?? '';

test('the report of a purchase has the time, actor, event, states and screen of each step', async () => {
  const { code, out, err } = await runReplay(await recordGoodTrace(), ['--full']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('Store   harbour, locale en\n');
  expect(out).toMatch(/^Visit {3}2026-11-21 09:00:00 UTC, 0:06\.900 long, 1 run, \d+ steps$/m);
  expect(out).toContain('── Run 1 of 1, page load at /id:1001/the-keeper, 2026-11-21 09:00:00 UTC ──');
  expect(findLine(out, 'signIn.submitted')).toMatch(
    /^ *\d+ {2}0:06\.900 {2}root\/screen\/flow~2 +signIn\.submitted +signIn asking → checking$/,
  );
  expect(findLine(out, 'offer done')).toMatch(/root\/screen\/flow~1 +offer done +purchase quoting → ready$/);
  const payLines = out.slice(out.indexOf('pay.pressed'));
  expect(payLines).toMatch(/^ +customer {2}Presses “Continue to payment”/m);
  expect(out).toMatch(/^ +server {4}The server gives the offer and its price$/m);
  expect(out).toMatch(/^ +saw {7}The heading “Sign in”/m);
  expect(out).toMatch(/\n\nIdentical: \d+ steps replayed to the states that were recorded\.$/);
});

test('personal data is not printed, not even as a pseudonym', async () => {
  const trace = await recordGoodTrace();
  const inputs = trace.runs.flatMap(({ steps }) => steps.map(({ input }) => input));
  const pii = inputs.flatMap((input) => ('event' in input && input.event['pii']) || []);
  const texts = [...JSON.stringify(pii).matchAll(/:"([^"]{6,})"/g)].map(([, text = '']) => text);
  expect(texts.length).toBeGreaterThan(1);
  const { out } = await runReplay(trace, ['--full']);
  const { out: short } = await runReplay(trace);
  const { out: json } = await runReplay(trace, ['--json']);
  const { summary, acts } = JSON.parse(json) as Report;
  const printed = [out, short, JSON.stringify({ summary, acts })].join('\n');
  expect(texts.filter((text) => printed.includes(text))).toEqual([]);
  expect(out).toContain('pii hidden');
});

test('runs are printed separately, with a note on those that continue from a checkpoint', async () => {
  const { code, out } = await runReplay(await recordGoodTrace({ ...noLimits, runSize: 450 }), ['--full']);
  expect(code).toBe(0);
  expect(out.match(/^── Run .*$/gm)?.map((line) => line.replace(/, 2026.*/, ''))).toEqual([
    '── Run 1 of 4, page load at /id:1001/the-keeper',
    '── Run 2 of 4, goes on from a checkpoint at /id:1001/the-keeper',
    '── Run 3 of 4, goes on from a checkpoint at /title/purchase',
    '── Run 4 of 4, goes on from a checkpoint at /signin',
  ]);
});

test('with --json the report is one JSON document', async () => {
  const { code, out, err } = await runReplay(await recordGoodTrace(), ['--json']);
  expect([code, err]).toEqual([0, '']);
  const report = JSON.parse(out) as Report;
  expect(report).toMatchObject({
    file: 'visit.json',
    format: 5,
    store: 'harbour',
    identical: true,
    divergence: null,
    differing: [],
  });
  expect(report.runs).toEqual([
    {
      startedAt: '2026-11-21T09:00:00.000Z',
      begins: 'page load',
      path: '/id:1001/the-keeper',
      steps: report.steps.length,
      replayed: report.steps.length,
    },
  ]);
  expect(report.steps.map(({ step }) => step)).toEqual(report.steps.map((_, index) => index + 1));
  expect(report.steps.find(({ event }) => event.type === 'pay.pressed')).toEqual({
    step: expect.any(Number) as number,
    run: 1,
    at: 4_600,
    actor: 'root/screen/flow~1',
    event: { type: 'pay.pressed' },
    machine: 'purchase',
    from: 'ready',
    to: 'ready',
    changes: [{ actor: 'root/screen', machine: 'screen', from: 'showing', to: 'fetching' }],
    by: 'customer',
    does: 'Presses “Continue to payment”',
    saw: [expect.stringContaining('The title with its price')],
    fired: expect.arrayContaining(['purchase.ready pay.pressed#1']) as string[],
  });
});

test('a replay in which a machine behaves differently exits with 1 and names the step, the expected and the actual result', async () => {
  const machine = shopMachine.provide({
    actors: { screen: shopScreenMachine.provide({ actions: { goSignIn: () => {} } }) },
  });
  const { code, out } = await runReplay(await recordGoodTrace(), [], { machine });
  expect(code).toBe(1);
  const verdict = out.slice(out.indexOf('Diverged'));
  expect(verdict).toMatch(/^Diverged at step \d+ \(run 1, 0:04\.600\): a machine reacted differently\.$/m);
  expect(verdict).toMatch(/^ {2}event {5}pay\.pressed, taken by root\/screen\/flow~1$/m);
  expect(verdict).toMatch(/^ {4}expected {2}.+\n {4}got {7}.+$/m);
  expect(verdict).toMatch(/^ {2}\d+ steps after a divergence not replayed\.$/m);

  const { code: jsonCode, out: json } = await runReplay(await recordGoodTrace(), ['--json'], { machine });
  const { divergence, identical } = JSON.parse(json) as Report;
  expect([jsonCode, identical]).toEqual([1, false]);
  expect(divergence).toMatchObject({ run: 1, at: 4_600, event: 'pay.pressed', actor: 'root/screen/flow~1' });
});

test('an edited state in the file is found; the report has the recorded state and the replayed state', async () => {
  const trace = await recordGoodTrace();
  const reaction = trace.runs[0]?.steps.flatMap(({ reactions }) => reactions).find(({ state }) => state === 'ready');
  if (reaction) reaction.state = 'owned';
  const { code, out } = await runReplay(trace);
  expect(code).toBe(1);
  expect(out).toContain('  machine   purchase, as root/screen/flow~1\n  state\n    expected  "owned"\n    got       "ready"\n');
});

test('an edited message in the file is found; its personal data is not printed', async () => {
  const trace = await recordGoodTrace();
  const messages = trace.runs[0]?.steps.flatMap(({ messages: stepMessages = [] }) => stepMessages) ?? [];
  const signInMessage = messages.find(({ to }) => to.endsWith('/signIn'));
  expect(signInMessage).toMatchObject({ input: { pii: expect.anything() as object } });
  if (signInMessage) signInMessage.to = 'root/screen/flow~2/signUp';
  const { code, out } = await runReplay(trace);
  expect(code).toBe(1);
  expect(out).toMatch(/: a machine sent a different message\.$/m);
  expect(out).toContain('  message\n    expected  starts root/screen/flow~2/signUp with {"pii":"hidden"');
  expect(out).toContain('    got       starts root/screen/flow~2/signIn with {"pii":"hidden"');
});

test('control characters in a file do not reach the terminal', async () => {
  const trace = { ...(await recordGoodTrace()), store: '\u001B[2Jgone\u009B\u202E', locale: 'en\nIdentical' };
  const { out } = await runReplay(trace, ['--full']);
  expect(out).toContain('Store   �[2Jgone��, locale en�Identical\n');
  const { out: short } = await runReplay(trace);
  expect(short).toContain('store �[2Jgone��, language en�Identical\n');
  const { out: json } = await runReplay(trace, ['--json']);
  expect(json).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  expect(JSON.parse(json)).toMatchObject({ store: trace.store, locale: trace.locale });
});
