import type { Trace } from '../../machines/trace/format.ts';
import { type Build, hashOfSource, isHashed } from '../build/build-of.ts';
import type { Refusal } from './refusal.ts';
import { someOf } from './text.ts';
import { spawnSync } from 'node:child_process';

type Machines = Readonly<Record<string, string>>;

/** How far back it is looked. */
const mostCommits = 2_000;

/** What git says; empty where there is no git or no history. */
const git = (root: string, args: readonly string[], input = ''): Buffer => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, input, maxBuffer: 256 * 1024 * 1024 });
  return status === 0 ? stdout : Buffer.alloc(0);
};

const linesOf = (output: Buffer): string[] => output.toString().split('\n').filter(Boolean);

/** The hash that a build names, for each of these blobs. */
const hashesOf = (root: string, blobs: readonly string[]): Map<string, string> => {
  const output = git(root, ['cat-file', '--batch'], blobs.join('\n'));
  const hashes = new Map<string, string>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at);
    const [blob = '', , size = '0'] = output.toString('utf8', at, end).split(' ');
    const from = end + 1;
    at = from + Number(size) + 1;
    hashes.set(blob, hashOfSource(output.toString('utf8', from, at - 1)));
  }
  return hashes;
};

const countAt = (root: string, commit: string): number =>
  linesOf(git(root, ['ls-tree', '-r', '--name-only', commit, 'machines/'])).filter((path) =>
    isHashed(path.slice('machines/'.length)),
  ).length;

/** The newest commit, in short and with its date, at which the machines were these; null when the history has none. */
export const commitWith = (root: string, machines: Machines): string | null => {
  const names = Object.keys(machines);
  if (names.length === 0 || !names.every((name) => /^[\w/-]+$/.test(name))) return null;
  const log = ['log', `--max-count=${mostCommits}`, '--format=%h of %cs', '--abbrev=10'];
  const commits = linesOf(git(root, log)).map((line) => ({ line, id: line.split(' ')[0] ?? '' }));
  const asked = commits.flatMap(({ id }) => names.map((name) => `${id}:machines/${name}.ts`));
  const found = linesOf(git(root, ['cat-file', '--batch-check=%(objectname)'], asked.join('\n')));
  const hashes = hashesOf(root, [...new Set(found.filter((line) => /^[\da-f]{40,64}$/.test(line)))]);
  const match = commits.find(
    ({ id }, index) =>
      names.every((name, at) => hashes.get(found[index * names.length + at] ?? '') === machines[name]) &&
      countAt(root, id) === names.length,
  );
  return match?.line ?? null;
};

/** The machines whose source is not the one that the trace was recorded with, by name. */
export const differingMachines = (trace: Trace, ours: Build): string[] =>
  [...new Set([...Object.keys(trace.machines), ...Object.keys(ours.machines)])]
    .filter((name) => trace.machines[name] !== ours.machines[name])
    .toSorted();

/** `commit` is where these machines are in the project's history, if they are. */
export const otherBuild = (trace: Trace, ours: Build, differing: readonly string[], commit: string | null): Refusal => ({
  refused: `The record is of another build, ${trace.build}; this is ${ours.build}. Different: ${someOf(differing)}.`,
  advice: commit
    ? `Its machines are those of commit ${commit}: replay it there, as docs/replaying-a-trace.md says, or add --anyway.`
    : 'Replay it with the version that the shop ran, or add --anyway to see how far these machines follow it.',
});
