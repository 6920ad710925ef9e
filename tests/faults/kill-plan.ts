import { seeded } from '../../machines/paths/walk.ts';
import type { Case } from './errands.ts';
import type { KillTarget } from './tested-shop.ts';

export const settings = ['one', 'two'] as const;
export type SettingName = (typeof settings)[number];

export const moments = ['as it is sent', 'while it runs', 'after it has answered'] as const;
export type Moment = (typeof moments)[number];

/** The shops of a kill, its target, and its moment in the call. */
export type Way = { setting: SettingName; target: KillTarget; moment: Moment };

/** The embedded database of one shop has no connections that could be cut. */
const ends: readonly Pick<Way, 'setting' | 'target'>[] = [
  { setting: 'one', target: 'process' },
  { setting: 'two', target: 'process' },
  { setting: 'two', target: 'connections' },
];

export type Kill = Way & {
  /** From 1. With the seed it repeats the kill. */
  number: number;
  each: Case;
  /** Milliseconds from sending the call to the kill, where that happens while it runs. */
  delay: number;
  /** From 0 up to 1: which of the errand's calls it hits. */
  luck: number;
};

/** Milliseconds; most calls have answered by then. */
const LONGEST_DELAY = 40;

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/**
 * Deals kills: each kind of purchase as often as another, and each kind in every way before one
 * is repeated. The same seed deals the same kills.
 */
export function planOf(chosen: {
  cases: readonly Case[];
  setting?: SettingName | undefined;
  seed: number;
  count: number;
}): Kill[] {
  const random = seeded(chosen.seed);
  const kinds = shuffled(chosen.cases, random);
  const own = ends.filter(({ setting }) => chosen.setting === undefined || setting === chosen.setting);
  const ways = shuffled(
    own.flatMap((end) => moments.map((moment): Way => ({ ...end, moment }))),
    random,
  );
  return Array.from({ length: chosen.count }, (_, at) => {
    const place = at % kinds.length;
    const round = Math.floor(at / kinds.length);
    const [each, way] = [kinds[place], ways[(place + round) % ways.length]];
    if (each === undefined || way === undefined) throw new Error('A plan of kills needs a kind of purchase.');
    return { ...way, each, number: at + 1, delay: Math.ceil(random() * LONGEST_DELAY), luck: random() };
  });
}
