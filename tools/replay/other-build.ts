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

/** Hashes git blobs as a build hashes files; the keys are the blobs' object names. */
const hashBlobs = (root: string, blobs: readonly string[]): Map<string, string> => {
  const output = runGit(root, ['cat-file', '--batch'], blobs.join('\n'));
  const hashes = new Map<string, string>();
  for (let offset = 0; offset < output.length;) {
    const end = output.indexOf('\n', offset);
    const [blob = '', , size = '0'] = output.toString('utf8', offset, end).split(' ');
    const start = end + 1;
    offset = start + Number(size) + 1;
    hashes.set(blob, hashSource(output.toString('utf8', start, offset - 1)));
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
  const requestedPaths = commits.flatMap(({ id }) => names.map((name) => `${id}:machines/${name}.ts`));
  const objectNames = toLines(runGit(root, ['cat-file', '--batch-check=%(objectname)'], requestedPaths.join('\n')));
  const hashes = hashBlobs(root, [...new Set(objectNames.filter((line) => /^[\da-f]{40,64}$/.test(line)))]);
  const match = commits.find(
    ({ id }, index) =>
      names.every((name, nameIndex) => hashes.get(objectNames[index * names.length + nameIndex] ?? '') === machines[name]) &&
      countMachineFiles(root, id) === names.length,
  );
  return match?.line ?? null;
};

/** The machines whose source differs from that of the recording, by name. */
export const findDifferingMachines = (trace: Trace, currentBuild: Build): string[] =>
  [...new Set([...Object.keys(trace.machines), ...Object.keys(currentBuild.machines)])]
    .filter((name) => trace.machines[name] !== currentBuild.machines[name])
    .toSorted();

/**
 * Refuses a record of another build; `commit` is the commit with the recorded machines, null if the
 * history has none.
 */
export const refuseOtherBuild = (
  trace: Trace,
  currentBuild: Build,
  differing: readonly string[],
  commit: string | null,
): Refusal => ({
  refused: `The record is of another build, ${trace.build}; this is ${currentBuild.build}. Different: ${formatNames(differing)}.`,
  advice: commit
    ? `Its machines are those of commit ${commit}: replay it there, as docs/replaying-a-trace.md says, or add --anyway.`
    : 'Replay it with the version that the shop ran, or add --anyway to see how far the current machines follow it.',
});
