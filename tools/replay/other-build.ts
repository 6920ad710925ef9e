import type { Trace } from '../../machines/trace/format.ts';
import { type Build, hashSource, isHashedFile } from '../build/build-of.ts';
import type { Refusal } from './refusal.ts';
import { formatNames } from './text.ts';
import { spawnSync } from 'node:child_process';

type Machines = Readonly<Record<string, string>>;

/** Maximum number of commits that are searched. */
const MAX_COMMITS = 2_000;

/** The output of a git command; empty without git or history. */
const runGit = (root: string, args: readonly string[], input = ''): Buffer => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, input, maxBuffer: 256 * 1024 * 1024 });
  return status === 0 ? stdout : Buffer.alloc(0);
};

const toLines = (output: Buffer): string[] => output.toString().split('\n').filter(Boolean);

/** The hashes of these blobs, as in a build. */
const hashBlobs = (root: string, blobs: readonly string[]): Map<string, string> => {
  const output = runGit(root, ['cat-file', '--batch'], blobs.join('\n'));
  const hashes = new Map<string, string>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at);
    const [blob = '', , size = '0'] = output.toString('utf8', at, end).split(' ');
    const from = end + 1;
    at = from + Number(size) + 1;
    hashes.set(blob, hashSource(output.toString('utf8', from, at - 1)));
  }
  return hashes;
};

const countMachineFiles = (root: string, commit: string): number =>
  toLines(runGit(root, ['ls-tree', '-r', '--name-only', commit, 'machines/'])).filter((path) =>
    isHashedFile(path.slice('machines/'.length)),
  ).length;

/**
 * The latest commit with exactly these machines, abbreviated and with its date; null if the history
 * has none.
 */
export const findCommit = (root: string, machines: Machines): string | null => {
  const names = Object.keys(machines);
  if (names.length === 0 || !names.every((name) => /^[\w/-]+$/.test(name))) return null;
  const log = ['log', `--max-count=${MAX_COMMITS}`, '--format=%h of %cs', '--abbrev=10'];
  const commits = toLines(runGit(root, log)).map((line) => ({ line, id: line.split(' ')[0] ?? '' }));
  const asked = commits.flatMap(({ id }) => names.map((name) => `${id}:machines/${name}.ts`));
  const found = toLines(runGit(root, ['cat-file', '--batch-check=%(objectname)'], asked.join('\n')));
  const hashes = hashBlobs(root, [...new Set(found.filter((line) => /^[\da-f]{40,64}$/.test(line)))]);
  const match = commits.find(
    ({ id }, index) =>
      names.every((name, at) => hashes.get(found[index * names.length + at] ?? '') === machines[name]) &&
      countMachineFiles(root, id) === names.length,
  );
  return match?.line ?? null;
};

/** The machines whose source differs from that of the recording, by name. */
export const findDifferingMachines = (trace: Trace, ours: Build): string[] =>
  [...new Set([...Object.keys(trace.machines), ...Object.keys(ours.machines)])]
    .filter((name) => trace.machines[name] !== ours.machines[name])
    .toSorted();

/** `commit` is the commit with the recorded machines, if the history has one. */
export const refuseOtherBuild = (trace: Trace, ours: Build, differing: readonly string[], commit: string | null): Refusal => ({
  refused: `The record is of another build, ${trace.build}; this is ${ours.build}. Different: ${formatNames(differing)}.`,
  advice: commit
    ? `Its machines are those of commit ${commit}: replay it there, as docs/replaying-a-trace.md says, or add --anyway.`
    : 'Replay it with the version that the shop ran, or add --anyway to see how far the current machines follow it.',
});
