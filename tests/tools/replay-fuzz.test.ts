import { expect, test } from 'vitest';
import { seeded } from '../../machines/paths/walk.ts';
import { unbounded } from '../trace/session.ts';
import { fileOf } from '../trace/recorded.ts';
import { goodTrace, replaying } from './support/replaying.ts';

type Chance = () => number;
type Holder = Record<string, unknown>;

const pick = <T>(chance: Chance, list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Every object and list in a value. */
const holdersIn = (value: unknown): Holder[] => (isHolder(value) ? [value, ...Object.values(value).flatMap(holdersIn)] : []);

const oddities: unknown[] = [
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

type Mutation = (holder: Holder, key: string, chance: Chance, all: Holder[]) => void;

const mutations: Record<string, Mutation> = {
  replace: (holder, key, chance) => void (holder[key] = pick(chance, oddities)),
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
    Object.defineProperty(holder, key, { value: pick(chance, oddities), enumerable: true, configurable: true, writable: true });
  },
};

/** Changes a trace, in one to three places or by a cut, as chance has it. */
const mutated = (text: string, chance: Chance): string => {
  if (chance() < 0.15) return text.slice(0, Math.floor(chance() * text.length));
  const trace = JSON.parse(text) as Holder;
  for (let change = 0; change <= chance() * 2; change += 1) {
    const all = holdersIn(trace).filter((holder) => Object.keys(holder).length > 0);
    const holder = pick(chance, all);
    const key = holder && pick(chance, Object.keys(holder));
    if (holder && key !== undefined) pick(chance, Object.values(mutations))?.(holder, key, chance, all);
  }
  return JSON.stringify(trace);
};

test('of 300 records that were damaged at random each is replayed, found to diverge or refused, and none breaks the command', async () => {
  const traces = [await goodTrace(), await goodTrace({ ...unbounded, runSize: 600 })];
  const texts = traces.flatMap((trace) => [JSON.stringify(trace), fileOf(trace)]);
  const codes = { 0: 0, 1: 0, 2: 0 };
  for (let seed = 1; seed <= 300; seed += 1) {
    const chance = seeded(seed);
    const text = mutated(texts[seed % texts.length] ?? '', chance);
    const { code, out, err } = await replaying(text, chance() < 0.2 ? ['--anyway'] : []);
    codes[code] += 1;
    const said = code === 2 ? err : out;
    expect({ seed, said }).toEqual({ seed, said: expect.stringMatching(/\w{3}/) });
    expect(said).not.toMatch(/^ +at .*:\d+:\d+/m);
  }
  expect(Object.values(codes).every((count) => count > 10)).toBe(true);
});
