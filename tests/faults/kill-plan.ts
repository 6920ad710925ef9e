import { seededRandom } from '../../machines/paths/walk.ts';
import type { ErrandCase } from './errands.ts';
import type { KillTarget } from './tested-shop.ts';

export const shopSettings = ['one', 'two'] as const;
export type ShopSetting = (typeof shopSettings)[number];

export const killMoments = ['as it is sent', 'while it runs', 'after it has answered'] as const;
export type KillMoment = (typeof killMoments)[number];

/** The setting, the target and the moment of a kill. */
export type KillCombination = { setting: ShopSetting; target: KillTarget; moment: KillMoment };

/** The embedded database of one shop has no connections that could be cut. */
const killTargets: readonly Pick<KillCombination, 'setting' | 'target'>[] = [
  { setting: 'one', target: 'process' },
  { setting: 'two', target: 'process' },
  { setting: 'two', target: 'connections' },
];

export type Kill = KillCombination & {
  /** From 1. Together with the seed it reproduces the kill. */
  number: number;
  each: ErrandCase;
  /** Milliseconds from sending the call to the kill, for kills while the call runs. */
  delay: number;
  /** 0 ≤ luck < 1: selects the errand's call to hit. */
  luck: number;
};

/** Milliseconds; most calls have answered by then. */
const MAX_DELAY_MS = 40;

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/**
 * Plans kills: every errand equally often, and for each errand every combination of setting, target
 * and moment before one repeats. The same seed gives the same plan.
 */
export function createKillPlan(chosen: {
  cases: readonly ErrandCase[];
  setting?: ShopSetting | undefined;
  seed: number;
  count: number;
}): Kill[] {
  const random = seededRandom(chosen.seed);
  const kinds = shuffle(chosen.cases, random);
  const own = killTargets.filter(({ setting }) => chosen.setting === undefined || setting === chosen.setting);
  const ways = shuffle(
    own.flatMap((end) => killMoments.map((moment): KillCombination => ({ ...end, moment }))),
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
