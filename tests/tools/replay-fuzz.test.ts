import { expect, test } from 'vitest';
import { seededRandom } from '../../machines/paths/walk.ts';
import { noLimits } from '../trace/session.ts';
import { packTrace } from '../trace/recorded.ts';
import { recordGoodTrace, runReplay } from './support/replaying.ts';

type Random = () => number;
type Container = Record<string, unknown>;

const pickRandom = <T>(random: Random, list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** Every object and list in a value, and the value itself if it is an object or a list. */
const findContainers = (value: unknown): Container[] =>
  isContainer(value) ? [value, ...Object.values(value).flatMap(findContainers)] : [];

const oddValues: unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  '',
  'root',
  'root/screen/flow',
  'xstate.init',
  '\u0000',
  [],
  {},
  [[]],
  { type: 'pay.pressed' },
  { $error: 'x', name: 'y' },
  { xstate$$type: 1, id: 'root' },
  { kind: 'start' },
  Array.from({ length: 30_000 }, (_, index) => index),
];

type Mutation = (container: Container, key: string, random: Random, containers: Container[]) => void;

const mutations: Record<string, Mutation> = {
  replace: (container, key, random) => void (container[key] = pickRandom(random, oddValues)),
  remove: (container, key) => (Array.isArray(container) ? void container.splice(Number(key), 1) : void delete container[key]),
  copy: (container, key, random, containers) => {
    const other = pickRandom(random, containers);
    const otherKey = other && pickRandom(random, Object.keys(other));
    if (other && otherKey !== undefined) container[key] = structuredClone(other[otherKey]);
  },
  repeat: (container, key) => {
    if (!Array.isArray(container)) return;
    const copies = Array.from({ length: 500 }, () => structuredClone(container[Number(key)]) as unknown);
    container.splice(Number(key), 0, ...copies);
  },
  addKey: (container, _, random) => {
    if (Array.isArray(container)) return;
    const key = pickRandom(random, ['__proto__', 'constructor', 'toString', 'then', 'length', 'id', 'status']) ?? '';
    Object.defineProperty(container, key, {
      value: pickRandom(random, oddValues),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  },
};

/** Corrupts a trace at random: cuts its text off, or applies one or two mutations. */
const mutateText = (text: string, random: Random): string => {
  if (random() < 0.15) return text.slice(0, Math.floor(random() * text.length));
  const trace = JSON.parse(text) as Container;
  for (let change = 0; change <= random() * 2; change += 1) {
    const containers = findContainers(trace).filter((container) => Object.keys(container).length > 0);
    const container = pickRandom(random, containers);
    const key = container && pickRandom(random, Object.keys(container));
    if (container && key !== undefined) pickRandom(random, Object.values(mutations))?.(container, key, random, containers);
  }
  return JSON.stringify(trace);
};

test('each of 300 randomly corrupted records is replayed, diverges or is refused, without a crash', async () => {
  const traces = [await recordGoodTrace(), await recordGoodTrace({ ...noLimits, runSize: 600 })];
  const texts = traces.flatMap((trace) => [JSON.stringify(trace), packTrace(trace)]);
  const codes = { 0: 0, 1: 0, 2: 0 };
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = seededRandom(seed);
    const text = mutateText(texts[seed % texts.length] ?? '', random);
    const { code, out, err } = await runReplay(text, random() < 0.2 ? ['--anyway'] : []);
    codes[code] += 1;
    const output = code === 2 ? err : out;
    expect({ seed, output }).toEqual({ seed, output: expect.stringMatching(/\w{3}/) });
    expect(output).not.toMatch(/^ +at .*:\d+:\d+/m);
  }
  expect(Object.values(codes).every((count) => count > 10)).toBe(true);
});
