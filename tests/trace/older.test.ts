import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Input, Plain, Reaction, Trace } from '../../machines/trace/format.ts';
import { ofToday } from '../../machines/trace/older/translate.ts';
import { unpackedIn } from '../../machines/trace/pack.ts';
import { replay, type Divergence } from '../../machines/trace/replay.ts';

const folder = new URL('../traces/older/', import.meta.url);
const names = readdirSync(folder);
const recordedIn = (name: string): Trace => unpackedIn(JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Trace);

const divergencesOf = (trace: Trace): (Divergence | null)[] =>
  ofToday(trace).runs.map((run) => replay(shopMachine, run).divergence);

/** The divergence of one run alone, counted from 0. */
const divergenceOf = ({ runs, ...about }: Trace, run: number): Divergence | null | undefined =>
  divergencesOf({ ...about, runs: runs.slice(run, run + 1) })[0];

test.each(names)('%s: a visit of an older shop is replayed to its end by today’s machines', (name) => {
  const trace = recordedIn(name);
  expect(divergencesOf(trace)).toEqual(trace.runs.map(() => null));
});

type Purchase = { name: string; run: number; port: string; price: string; states: string[] };

/** A purchase of each older flow: the port of its offer, a field of the answer, its states. */
const purchases: Purchase[] = [
  { name: 'declined-then-paid.json', run: 0, port: 'quote', price: 'price', states: ['quoting', 'ready', 'paying'] },
  {
    name: 'several-things.json',
    run: 2,
    port: 'cartOrder',
    price: 'quote',
    states: ['quoting', 'readingCards', 'ready', 'paying'],
  },
  { name: 'several-things-packed.json', run: 2, port: 'cartOrder', price: 'quote', states: ['quoting', 'ready', 'paying'] },
  {
    name: 'several-things.json',
    run: 4,
    port: 'giftOffer',
    price: 'price',
    states: ['quoting', 'writing', 'previewing', 'checking', 'paying'],
  },
  { name: 'several-things.json', run: 6, port: 'loadPlan', price: '0', states: ['loading', 'findingCards', 'actionRequired'] },
];

type Settled = Extract<Input, { kind: 'settled' }>;

const isAnswerOf =
  (port: string) =>
  (input: Input): input is Settled =>
    input.kind === 'settled' && new RegExp(`/${port}(?:~\\d+)?$`).test(input.from);

test.each(purchases)('$name: another answer of $port is found where it was given', ({ name, run, port, price }) => {
  const trace = recordedIn(name);
  const steps = trace.runs[run]?.steps ?? [];
  const at = steps.findIndex(({ input }) => isAnswerOf(port)(input));
  const input = steps[at]?.input;
  if (!input || !isAnswerOf(port)(input)) throw new Error(`${port} has not answered.`);
  const output = input.event['output'] as Record<string, Plain>;
  output[price] = { ...(output[price] as object), changed: 'by hand' };
  expect(divergenceOf(trace, run)).toMatchObject({ input: { from: expect.stringMatching(/\/offer/) as string } });
});

const broken = purchases.flatMap(({ name, run, states }) => states.map((state) => ({ name, run, state })));

test.each(broken)('$name: another state in place of $state is found there', ({ name, run, state }) => {
  const trace = recordedIn(name);
  const steps = trace.runs[run]?.steps ?? [];
  const isIn = ({ actor, state: now }: Reaction) => /^root\/screen\/flow(?:~\d+)?$/.test(actor) && now === state;
  const step = steps.findIndex(({ reactions }) => reactions.some(isIn));
  const reaction = steps[step]?.reactions.find(isIn);
  if (!reaction) throw new Error(`It is never in ${state}.`);
  reaction.state = 'elsewhere';
  expect(divergenceOf(trace, run)).toMatchObject({ why: 'a machine settled otherwise', expected: { state: 'elsewhere' } });
});

test('messages of a purchase to the screen are compared', () => {
  const trace = recordedIn('declined-then-paid.json');
  const told = trace.runs[0]?.steps.flatMap(({ told: all = [] }) => all) ?? [];
  const signIn = told.find((each) => 'event' in each && (each.event as { type?: string }).type === 'signIn.needed');
  if (!signIn || !('event' in signIn)) throw new Error('No sign-in was needed.');
  (signIn.event as Record<string, Plain>)['action'] = 'pay-1-USD';
  expect(divergenceOf(trace, 0)).toMatchObject({
    why: 'a machine told something else',
    expected: { event: { action: 'pay-1-USD' } },
  });
});

test('a record of today is left as it is', () => {
  const { runs, ...about } = recordedIn('buy-and-read.json');
  const trace: Trace = { ...about, format: 4, runs };
  expect(ofToday(trace)).toBe(trace);
});
