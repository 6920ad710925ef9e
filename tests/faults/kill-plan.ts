import { seeded } from '../../machines/paths/walk.ts';
import type { Case } from './errands.ts';
import type { KillTarget } from './tested-shop.ts';

export const settings = ['one', 'two'] as const;
export type SettingName = (typeof settings)[number];

export const moments = ['as it is sent', 'while it runs', 'after it has answered'] as const;
export type Moment = (typeof moments)[number];

/** The setting, the target and the moment of a kill. */
export type Way = { setting: SettingName; target: KillTarget; moment: Moment };

/** The embedded database of one shop has no connections that could be cut. */
const ends: readonly Pick<Way, 'setting' | 'target'>[] = [
  { setting: 'one', target: 'process' },
  { setting: 'two', target: 'process' },
  { setting: 'two', target: 'connections' },
];

export type Kill = Way & {
  /** From 1. Together with the seed it reproduces the kill. */
  number: number;
  each: Case;
  /** Milliseconds from sending the call to the kill, for kills while the call runs. */
  delay: number;
  /** 0 ≤ luck < 1: selects the errand's call to hit. */
  luck: number;
};

/** Milliseconds; most calls have answered by then. */
const MAX_DELAY_MS = 40;

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/**
 * Plans kills: every errand equally often, and for each errand every combination of setting, target
 * and moment before one repeats. The same seed gives the same plan.
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
    if (each === undefined || way === undefined) throw new Error('A plan of kills needs at least one errand.');
    return { ...way, each, number: at + 1, delay: Math.ceil(random() * MAX_DELAY_MS), luck: random() };
  });
}
