import { seededRandom } from '../../machines/paths/walk.ts';
import type { ErrandCase } from './errands.ts';
import type { KillTarget } from './tested-shop.ts';

export const shopSettings = ['one', 'two'] as const;
export type ShopSetting = (typeof shopSettings)[number];

export const killMoments = ['as it is sent', 'while it runs', 'after its response'] as const;
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
  errandCase: ErrandCase;
  /** Milliseconds from sending the call to the kill, for kills while the call runs. */
  delayMs: number;
  /** 0 ≤ luck < 1: selects the errand's call to hit. */
  luck: number;
};

/** Milliseconds; most calls have responded by then. */
const MAX_DELAY_MS = 40;

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, position: random() }))
    .toSorted((one, other) => one.position - other.position)
    .map(({ item }) => item);
}

/**
 * Plans kills: every errand equally often, give or take one, and for each errand every combination
 * of setting, target and moment before one repeats. The same seed gives the same plan.
 */
export function createKillPlan(options: {
  cases: readonly ErrandCase[];
  setting?: ShopSetting | undefined;
  seed: number;
  count: number;
}): Kill[] {
  const random = seededRandom(options.seed);
  const errandCases = shuffle(options.cases, random);
  const selectedTargets = killTargets.filter(({ setting }) => options.setting === undefined || setting === options.setting);
  const combinations = shuffle(
    selectedTargets.flatMap((target) => killMoments.map((moment): KillCombination => ({ ...target, moment }))),
    random,
  );
  return Array.from({ length: options.count }, (_, index) => {
    const errandIndex = index % errandCases.length;
    const round = Math.floor(index / errandCases.length);
    const [errandCase, combination] = [errandCases[errandIndex], combinations[(errandIndex + round) % combinations.length]];
    if (errandCase === undefined || combination === undefined) throw new Error('A plan of kills needs at least one errand.');
    return { ...combination, errandCase, number: index + 1, delayMs: Math.ceil(random() * MAX_DELAY_MS), luck: random() };
  });
}
