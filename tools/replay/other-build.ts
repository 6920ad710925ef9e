import type { Trace } from '../../machines/trace/format.ts';
import type { Build } from '../build/build-of.ts';
import type { Refusal } from './refusal.ts';

/** The machines whose source is not the one that the trace was recorded with, by name. */
export const differingMachines = (trace: Trace, ours: Build): string[] =>
  [...new Set([...Object.keys(trace.machines), ...Object.keys(ours.machines)])]
    .filter((name) => trace.machines[name] !== ours.machines[name])
    .toSorted();

const listed = (names: readonly string[]): string =>
  names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ');

export const otherBuild = (trace: Trace, ours: Build, differing: readonly string[]): Refusal => ({
  refused: `The record is of another build, ${trace.build}; this is ${ours.build}. Different: ${listed(differing)}.`,
  advice: 'Replay it with the version that the shop ran, or add --anyway to see how far these machines follow it.',
});
