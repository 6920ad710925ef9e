import { expect, test } from 'vitest';
import { seededRandom } from '../../machines/paths/walk.ts';
import { noLimits } from '../trace/session.ts';
import { packTrace } from '../trace/recorded.ts';
import { recordGoodTrace, runReplay } from './support/replaying.ts';

type Random = () => number;
type Holder = Record<string, unknown>;

const pick = <T>(chance: Random, list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Every object and list in a value. */
const findHolders = (value: unknown): Holder[] => (isHolder(value) ? [value, ...Object.values(value).flatMap(findHolders)] : []);

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
  Array.from({ length: 30_000 }, (_, at) => at),
];

type Mutation = (holder: Holder, key: string, chance: Random, all: Holder[]) => void;

const mutations: Record<string, Mutation> = {
  replace: (holder, key, chance) => void (holder[key] = pick(chance, oddValues)),
  remove: (holder, key) => (Array.isArray(holder) ? void holder.splice(Number(key), 1) : void delete holder[key]),
  swap: (holder, key, chance, all) => {
    const other = pick(chance, all);
    const otherKey = other && pick(chance, Object.keys(other));
    if (other && otherKey !== undefined) holder[key] = structuredClone(other[otherKey]);
  },
  repeat: (holder, key) => {
    if (!Array.isArray(holder)) return;
    const copies = Array.from({ length: 500 }, () => structuredClone(holder[Number(key)]) as unknown);
    holder.splice(Number(key), 0, ...copies);
  },
  hostile: (holder, _, chance) => {
    if (Array.isArray(holder)) return;
    const key = pick(chance, ['__proto__', 'constructor', 'toString', 'then', 'length', 'id', 'status']) ?? '';
    Object.defineProperty(holder, key, { value: pick(chance, oddValues), enumerable: true, configurable: true, writable: true });
  },
};

/** Corrupts a trace at random, in one to three places or by a cut. */
const mutateText = (text: string, chance: Random): string => {
  if (chance() < 0.15) return text.slice(0, Math.floor(chance() * text.length));
  const trace = JSON.parse(text) as Holder;
  for (let change = 0; change <= chance() * 2; change += 1) {
    const all = findHolders(trace).filter((holder) => Object.keys(holder).length > 0);
    const holder = pick(chance, all);
    const key = holder && pick(chance, Object.keys(holder));
    if (holder && key !== undefined) pick(chance, Object.values(mutations))?.(holder, key, chance, all);
  }
  return JSON.stringify(trace);
};

test('of 300 randomly corrupted records each is replayed, diverges or is refused, and none crashes the command', async () => {
  const traces = [await recordGoodTrace(), await recordGoodTrace({ ...noLimits, runSize: 600 })];
  const texts = traces.flatMap((trace) => [JSON.stringify(trace), packTrace(trace)]);
  const codes = { 0: 0, 1: 0, 2: 0 };
  for (let seed = 1; seed <= 300; seed += 1) {
    const chance = seededRandom(seed);
    const text = mutateText(texts[seed % texts.length] ?? '', chance);
    const { code, out, err } = await runReplay(text, chance() < 0.2 ? ['--anyway'] : []);
    codes[code] += 1;
    const said = code === 2 ? err : out;
    expect({ seed, said }).toEqual({ seed, said: expect.stringMatching(/\w{3}/) });
    expect(said).not.toMatch(/^ +at .*:\d+:\d+/m);
  }
  expect(Object.values(codes).every((count) => count > 10)).toBe(true);
});
