import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shopMachine } from '../../machines/app/shop.ts';
import { type Input, type Plain, type Reaction, type Trace, traceFormat } from '../../machines/trace/format.ts';
import { toCurrentTrace } from '../../machines/trace/older/translate.ts';
import { readTraceOfAnyFormat } from '../../machines/trace/pack.ts';
import { replay, type Divergence } from '../../machines/trace/replay.ts';

const folder = new URL('../traces/older/', import.meta.url);
const fileNames = readdirSync(folder);
const readTrace = (name: string): Trace => readTraceOfAnyFormat(JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Trace);

const findDivergences = (trace: Trace): (Divergence | null)[] =>
  toCurrentTrace(trace).runs.map((run) => replay(shopMachine, run).divergence);

/** The divergence of one run alone, its step counted from 0. */
const findDivergence = ({ runs, ...otherFields }: Trace, run: number): Divergence | null | undefined =>
  findDivergences({ ...otherFields, runs: runs.slice(run, run + 1) })[0];

test.each(fileNames)('%s: a visit of an older shop is replayed to its end by today’s machines', (name) => {
  const trace = readTrace(name);
  expect(findDivergences(trace)).toEqual(trace.runs.map(() => null));
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

type SettledInput = Extract<Input, { kind: 'settled' }>;

const isAnswerFrom =
  (port: string) =>
  (input: Input): input is SettledInput =>
    input.kind === 'settled' && new RegExp(`/${port}(?:~\\d+)?$`).test(input.from);

test.each(purchases)('$name: a changed answer of $port is found at its step', ({ name, run, port, price }) => {
  const trace = readTrace(name);
  const steps = trace.runs[run]?.steps ?? [];
  const stepIndex = steps.findIndex(({ input }) => isAnswerFrom(port)(input));
  const input = steps[stepIndex]?.input;
  if (!input || !isAnswerFrom(port)(input)) throw new Error(`The port ${port} has no recorded answer.`);
  const output = input.event['output'] as Record<string, Plain>;
  output[price] = { ...(output[price] as object), changed: 'by hand' };
  expect(findDivergence(trace, run)).toMatchObject({ input: { from: expect.stringMatching(/\/offer/) as string } });
});

const tamperedCases = purchases.flatMap(({ name, run, states }) => states.map((state) => ({ name, run, state })));

test.each(tamperedCases)('$name: a changed state in place of $state is found at its step', ({ name, run, state }) => {
  const trace = readTrace(name);
  const steps = trace.runs[run]?.steps ?? [];
  const isIn = ({ actor, state: value }: Reaction) => /^root\/screen\/flow(?:~\d+)?$/.test(actor) && value === state;
  const stepIndex = steps.findIndex(({ reactions }) => reactions.some(isIn));
  const reaction = steps[stepIndex]?.reactions.find(isIn);
  if (!reaction) throw new Error(`The record never reaches the state ${state}.`);
  reaction.state = 'elsewhere';
  expect(findDivergence(trace, run)).toMatchObject({ why: 'a machine reacted differently', expected: { state: 'elsewhere' } });
});

test('messages from a purchase to the screen are compared', () => {
  const trace = readTrace('declined-then-paid.json');
  const messages = trace.runs[0]?.steps.flatMap(({ messages: stepMessages = [] }) => stepMessages) ?? [];
  const signIn = messages.find((each) => 'event' in each && (each.event as { type?: string }).type === 'signIn.needed');
  if (!signIn || !('event' in signIn)) throw new Error('The record has no message that sign-in is needed.');
  (signIn.event as Record<string, Plain>)['action'] = 'pay-1-USD';
  expect(findDivergence(trace, 0)).toMatchObject({
    why: 'a machine sent a different message',
    expected: { event: { action: 'pay-1-USD' } },
  });
});

test('a record in the current format is not translated', () => {
  const { runs, ...otherFields } = readTrace('buy-and-read.json');
  const trace: Trace = { ...otherFields, format: traceFormat, runs };
  expect(toCurrentTrace(trace)).toBe(trace);
});
