import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { killTree } from './end-tree.ts';

/** The result of a finished command; `output` is stdout and stderr in the order of arrival. */
export type ProcessResult = { code: number; output: string };

/** The path of a program of an installed package. */
export function bin(root: string, name: string): string {
  return join(root, 'node_modules', '.bin', name);
}

/**
 * Environment for short-lived programs written in Go: they collect garbage a quarter as often, and
 * use more memory.
 */
export const reducedGcEnv = { GOGC: '400' };

/** The PATH with which `#!/usr/bin/env node` finds the project's own Node. */
function addNodeToPath(root: string): string {
  return [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const runningPids = new Set<number>();

function killAll(): void {
  for (const pid of runningPids) killTree(pid);
}

function killAllOnSignal(signal: NodeJS.Signals): void {
  killAll();
  untrackProcess();
  process.kill(process.pid, signal);
}

/**
 * Kills a process when this one ends: as the leader of its own process group it does not receive
 * Ctrl-C, and would outlive this process.
 */
function trackProcess(pid: number): void {
  if (runningPids.size === 0) {
    process.on('exit', killAll);
    for (const signal of signals) process.on(signal, killAllOnSignal);
  }
  runningPids.add(pid);
}

/** Stops tracking a process, or all processes without `pid`. */
function untrackProcess(pid?: number): void {
  if (pid === undefined) runningPids.clear();
  else runningPids.delete(pid);
  if (runningPids.size > 0) return;
  process.off('exit', killAll);
  for (const signal of signals) process.off(signal, killAllOnSignal);
}

/**
 * Runs a program to its end and collects its output. A program that cannot start ends with code
 * 127. The program leads a process group, which is killed with all its descendants when `signal`
 * aborts or this process ends.
 */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string | undefined>; signal?: AbortSignal },
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      detached: true,
      env: { ...process.env, PATH: addNodeToPath(options.cwd), NO_COLOR: '1', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { pid } = child;
    if (pid !== undefined) {
      trackProcess(pid);
      options.signal?.addEventListener('abort', () => killTree(pid));
    }
    const chunks: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => {
      if (pid !== undefined) untrackProcess(pid);
      resolve({ code: code ?? 1, output: chunks.join('') });
    });
  });
}
