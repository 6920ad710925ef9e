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

/** `commit` is where these machines are in the project's history, if they are. */
export const otherBuild = (trace: Trace, ours: Build, differing: readonly string[], commit: string | null): Refusal => ({
  refused: `The record is of another build, ${trace.build}; this is ${ours.build}. Different: ${listed(differing)}.`,
  advice: commit
    ? `Its machines are those of commit ${commit}: replay it there, as docs/replaying-a-trace.md says, or add --anyway.`
    : 'Replay it with the version that the shop ran, or add --anyway to see how far these machines follow it.',
});
